/* Jobs that once used more memory than planned, or more than their limit. */
#ifndef IMGTOOL_TESTS_MEMORY_KNOWN_H
#define IMGTOOL_TESTS_MEMORY_KNOWN_H

#include "tests/memory/jobs.h"

uint64_t known_jobs(void); /* number of jobs */

/* Like job_draw. */
bool known_job(const World *world, uint64_t number, Job *job);

/* The same for several pictures in one call (known_many.c). `pictures_from` is the number of the
 * first picture to make. */
extern const uint64_t known_many_jobs;
bool known_many_job(const World *world, uint64_t number, uint32_t pictures_from, Job *job);

#endif
