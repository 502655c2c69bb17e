/* Compares the memory of a job with its limit, and with its plan. */
#ifndef IMGTOOL_TESTS_MEMORY_JUDGE_H
#define IMGTOOL_TESTS_MEMORY_JUDGE_H

#include "tests/memory/jobs.h"
#include "tests/memory/measure.h"

/* Bytes of memory that no plan includes, as README.md states: in the heap, and in all pages. */
enum { HEAP_BESIDE = 8 << 20, PAGES_BESIDE = 24 << 20 };

typedef struct Tally {
    uint64_t jobs, runs, fitted, refused, other, wrong;
    /* counts of jobs with a known plan, by measured memory in sixteenths of the plan */
    uint32_t quotients[32];
    uint32_t planned; /* number of these jobs */
    uint64_t most_beside, most_pages_beside;
} Tally;

/* Returns the planned bytes that --explain states, or 0. */
uint64_t planned_bytes(const Measured *measured);

/* Judges a run with a limit in bytes; 0: no limit. Returns false with a message if the job used
 * more memory than promised. */
bool judge(const Job *job, uint64_t limit, const Measured *measured, Tally *tally);

/* Counts a run without a limit whose plan is known. */
void tally_plan(const Measured *measured, uint64_t planned, Tally *tally);

void tally_print(const Tally *tally);

#endif
