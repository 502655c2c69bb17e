/* Like known.h, for several pictures in one call. */
#ifndef IMGTOOL_TESTS_MEMORY_KNOWN_MANY_H
#define IMGTOOL_TESTS_MEMORY_KNOWN_MANY_H

#include "tests/memory/jobs.h"

extern const uint64_t known_many_jobs;

/* Like job_draw. `pictures_from` is the number of the first picture to make. */
bool known_many_job(const World *world, uint64_t number, uint32_t pictures_from, Job *job);

#endif
