/* Random jobs: command lines of every command that has --max-memory. */
#ifndef IMGTOOL_TESTS_MEMORY_JOBS_H
#define IMGTOOL_TESTS_MEMORY_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/memory/steps.h"

enum { ARGUMENTS = 64, ARGUMENTS_TEXT = 32768 };

/* Paths of programs and files that all jobs use. */
typedef struct World {
    const char *imgtool, *library; /* programs; memory_library makes calls of the library */
    char directory[256];           /* for pictures and outputs */
    char cube[300], kernel[300];
    uint64_t seed;
} World;

typedef struct Job {
    const char *kind; /* a command such as "run" or "batch" */
    char *arguments[ARGUMENTS];
    int count;
    char text[ARGUMENTS_TEXT]; /* text of the arguments */
    size_t used;
    char limit[64]; /* argument --max-memory; empty until it is set */
    int threads;    /* value of --threads or --jobs */
    /* the job processes one picture, so that --explain states the planned memory */
    bool is_single;
    uint64_t does_with; /* a limit in bytes that must be enough; 0: a limit is drawn */
} Job;

/* Makes the files that steps can name. Returns false with a message if that fails. */
bool world_make(World *world);

/* Draws job `number` of the seed. Returns false with a message if a file could not be made. */
bool job_draw(const World *world, uint64_t number, Job *job);

/* Starts an empty job; arguments are added by other functions. */
void job_begin(Job *job, const char *kind, const char *program, int threads);
__attribute__((format(printf, 2, 3))) void job_add(Job *job, const char *format, ...);

/* Sets the limit of the same job in bytes; 0: no limit. */
void job_limit(Job *job, uint64_t bytes);

#endif
