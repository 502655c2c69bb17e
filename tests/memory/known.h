/* Jobs that once used more memory than planned, or more than their limit. */
#ifndef IMGTOOL_TESTS_MEMORY_KNOWN_H
#define IMGTOOL_TESTS_MEMORY_KNOWN_H

#include "tests/memory/jobs.h"

uint64_t known_jobs(void); /* number of jobs */

/* Like job_draw. */
bool known_job(const World *world, uint64_t number, Job *job);

#endif
