/* Jobs that once used more memory than planned, or more than their limit. */
#ifndef IMGTOOL_TESTS_MEMORY_KNOWN_H
#define IMGTOOL_TESTS_MEMORY_KNOWN_H

#include "tests/memory/jobs.h"

uint64_t known_jobs(void); /* returns the number of known jobs */

/* Makes known job `number`. Returns false and prints a message if a file could not be made. */
bool known_job(const World *world, uint64_t number, Job *job);

/* Number of the known jobs with several pictures in one call (known_many.c). known_many_job makes
 * one of them. `pictures_from` is the number of its first picture. */
extern const uint64_t known_many_jobs;
bool known_many_job(const World *world, uint64_t number, uint32_t pictures_from, Job *job);

#endif
