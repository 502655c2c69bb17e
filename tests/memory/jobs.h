/* Random jobs: command lines of every command that takes --max-memory. */
#ifndef IMGTOOL_TESTS_MEMORY_JOBS_H
#define IMGTOOL_TESTS_MEMORY_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/memory/steps.h"

enum { ARGUMENTS = 64, ARGUMENTS_TEXT = 32768 };

/* Where everything is. */
typedef struct World {
    const char *imgtool, *library; /* programs: memory_library makes calls of the library */
    char directory[256];           /* of pictures and outputs */
    char cube[300], kernel[300];
    uint64_t seed;
} World;

typedef struct Job {
    const char *kind; /* "run", "batch" ... */
    char *arguments[ARGUMENTS];
    int count;
    char text[ARGUMENTS_TEXT]; /* of the arguments */
    size_t used;
    char limit[64];     /* --max-memory, once it is set */
    int threads;        /* or --jobs */
    bool is_single;     /* one picture is worked on: --explain says how much was planned */
    uint64_t does_with; /* bytes that are enough; 0: a limit is drawn */
} Job;

/* Makes the files that steps may name; false, with a message, where they cannot be. */
bool world_make(World *world);

/* Job `number` of the seed. False, with a message: a file could not be made. */
bool job_draw(const World *world, uint64_t number, Job *job);

/* An empty one, to which arguments are added: parts of how jobs are made. */
void job_begin(Job *job, const char *kind, const char *program, int threads);
__attribute__((format(printf, 2, 3))) void job_add(Job *job, const char *format, ...);

/* The same job with so many bytes; 0: without a limit. */
void job_limit(Job *job, uint64_t bytes);

#endif
