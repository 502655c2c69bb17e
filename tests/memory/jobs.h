/* Jobs: command lines of every command that has --max-memory. They are random, or known to have
 * once used too much memory. */
#ifndef IMGTOOL_TESTS_MEMORY_JOBS_H
#define IMGTOOL_TESTS_MEMORY_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/op.h"
#include "tests/checkkernels/fill.h"

/* --- Random steps with random parameters, written as a user would type them ------------------- */

enum { STEPS_TEXT = 8192 };

/* Paths of the files that steps can name. */
typedef struct StepFiles {
    const char *cube, *kernel, *picture;
} StepFiles;

/* Draws a step of any operation that accepts a picture of this shape. Its result is not much larger
 * than the picture, and it takes at most about `seconds` on one core. *shape becomes the shape of
 * the result. Returns false if no step was found. */
bool step_draw(const StepFiles *files, ImgShape *shape, double seconds, Random *random,
               ImgStep *step);

/* Writes up to `most` random steps to `text`, such as "rotate angle=90 | blur sigma=2". Returns
 * their number. */
size_t steps_draw(const StepFiles *files, ImgShape shape, size_t most, Random *random,
                  char text[STEPS_TEXT]);

/* --- Jobs ------------------------------------------------------------------------------------- */

enum { ARGUMENTS = 64, ARGUMENTS_TEXT = 32768 };

/* Paths of the programs and files that all jobs use. */
typedef struct World {
    /* programs; `library` is memory_library, which calls the library */
    const char *imgtool, *library;
    char directory[256]; /* directory for pictures and outputs */
    char cube[300], kernel[300];
    uint64_t seed;
} World;

typedef struct Job {
    const char *kind; /* a command such as "run" or "batch" */
    char *arguments[ARGUMENTS];
    int count;
    char text[ARGUMENTS_TEXT]; /* the text that `arguments` point to */
    size_t used;
    char limit[64]; /* the argument --max-memory; empty until job_limit sets it */
    int threads;    /* value of --threads or --jobs */
    /* true if the job processes one picture; only then --explain states the planned memory */
    bool is_single;
    /* a limit in bytes that must be enough; 0 if a random limit is tried */
    uint64_t does_with;
} Job;

/* Makes the files that steps can name. Returns false and prints a message on failure. */
bool world_make(World *world);

/* Makes job `number` for the seed of `world`. Returns false and prints a message if a file could
 * not be made. */
bool job_draw(const World *world, uint64_t number, Job *job);

/* Starts an empty job. job_add adds its arguments. */
void job_begin(Job *job, const char *kind, const char *program, int threads);
__attribute__((format(printf, 2, 3))) void job_add(Job *job, const char *format, ...);

/* Sets the memory limit of the job in bytes. 0 means no limit. */
void job_limit(Job *job, uint64_t bytes);

/* --- Jobs that once used more memory than planned, or more than their limit ------------------- */

uint64_t known_jobs(void); /* returns the number of known jobs */

/* Makes known job `number`. Returns false and prints a message if a file could not be made. */
bool known_job(const World *world, uint64_t number, Job *job);

/* Number of the known jobs with several pictures in one call (known_many.c). known_many_job makes
 * job `number`. The names of picture files contain a number; in these jobs it is at least
 * `pictures_from`. */
extern const uint64_t known_many_jobs;
bool known_many_job(const World *world, uint64_t number, uint32_t pictures_from, Job *job);

#endif
