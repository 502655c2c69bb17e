/* Runs a job and compares the memory that it used with its limit and with its plan. */
#ifndef IMGTOOL_TESTS_MEMORY_JUDGE_H
#define IMGTOOL_TESTS_MEMORY_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/memory/jobs.h"

/* --- Running a command once and measuring its peak memory ------------------------------------- */

enum { SAID = 1 << 14 };

typedef struct Measured {
    /* true if the run was killed after its limit of 300 seconds (measure.c); that is no failure,
     * because a job with many or large pictures may take longer */
    bool is_slow;
    int code;      /* exit code of the command; -1 if a signal killed it */
    uint64_t heap; /* peak of the bytes allocated with the C library */
    /* peak of the resident bytes, including the program, its libraries and stacks */
    uint64_t pages;
    char said[SAID]; /* text that the command printed on standard error */
} Measured;

/* Files and settings for measured runs. */
typedef struct Meter {
    /* path of the library for LD_PRELOAD that measures the heap (heap_peak.c) */
    const char *preload;
    int shown;      /* descriptor of the file to which the library `preload` writes the peak */
    uint64_t *heap; /* the file of `shown`, mapped into memory; it contains the peak in bytes */
    int said;       /* descriptor of the file for standard error of the command */
} Meter;

/* Opens the files for measured runs. Returns false and prints a message if the system does not
 * allow it. */
bool meter_open(const char *preload, Meter *meter);

/* Runs the command in `directory`, discards its standard output, and stores the measured values. */
void measure(const Meter *meter, const char *directory, char *const *command, Measured *measured);

/* --- Judging ---------------------------------------------------------------------------------- */

/* Bytes that no plan includes, as README.md states: in the heap, and in all resident pages. */
enum { HEAP_BESIDE = 8 << 20, PAGES_BESIDE = 24 << 20 };

typedef struct Tally {
    uint64_t jobs, runs, fitted, refused, other, wrong;
    /* [i]: number of jobs that used i/16 of their planned memory, rounded down; the last element
     * also counts all larger quotients */
    uint32_t quotients[32];
    uint32_t planned; /* number of jobs with a known plan */
    uint64_t most_beside, most_pages_beside;
} Tally;

/* Returns the planned number of bytes that --explain printed, or 0 if it printed none. */
uint64_t planned_bytes(const Measured *measured);

/* Judges a run with this limit in bytes; 0 means no limit. Returns false and prints a message if
 * the job used more memory than promised. */
bool judge(const Job *job, uint64_t limit, const Measured *measured, Tally *tally);

/* Counts a run without a limit in `tally`. `planned` is the planned number of bytes. */
void tally_plan(const Measured *measured, uint64_t planned, Tally *tally);

void tally_print(const Tally *tally);

#endif
