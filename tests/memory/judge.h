/* Compares the memory that a job used with its limit and with its plan. */
#ifndef IMGTOOL_TESTS_MEMORY_JUDGE_H
#define IMGTOOL_TESTS_MEMORY_JUDGE_H

#include "tests/memory/jobs.h"
#include "tests/memory/measure.h"

/* Bytes that no plan includes, as README.md states: in the heap, and in all resident pages. */
enum { HEAP_BESIDE = 8 << 20, PAGES_BESIDE = 24 << 20 };

typedef struct Tally {
    uint64_t jobs, runs, fitted, refused, other, wrong;
    /* numbers of jobs with a known plan, by the used memory in sixteenths of the planned memory */
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
