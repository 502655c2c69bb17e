/* Jobs that took more than was planned once, or more than they were allowed. */
#ifndef IMGTOOL_TESTS_MEMORY_KNOWN_H
#define IMGTOOL_TESTS_MEMORY_KNOWN_H

#include "tests/memory/jobs.h"

uint64_t known_jobs(void); /* how many there are */

/* As job_draw. */
bool known_job(const World *world, uint64_t number, Job *job);

#endif
