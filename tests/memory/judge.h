/* What is promised of a job, held against what was measured; and how far plans are from what was
 * used. */
#ifndef IMGTOOL_TESTS_MEMORY_JUDGE_H
#define IMGTOOL_TESTS_MEMORY_JUDGE_H

#include "tests/memory/jobs.h"
#include "tests/memory/measure.h"

/* What no plan speaks of, as README.md has it: of what the C library hands out, and of all pages.
 */
enum { HEAP_BESIDE = 8 << 20, PAGES_BESIDE = 24 << 20 };

typedef struct Tally {
    uint64_t jobs, runs, fitted, refused, other, wrong;
    uint32_t quotients[32]; /* of jobs whose plan is told: measured, in sixteenths of the plan */
    uint32_t planned;       /* how many these are */
    uint64_t most_beside, most_pages_beside;
} Tally;

/* The exact bytes that --explain says were planned; 0: it does not. */
uint64_t planned_bytes(const Measured *measured);

/* Of a run with a limit; 0: without. False, with a message: a promise was not held. */
bool judge(const Job *job, uint64_t limit, const Measured *measured, Tally *tally);

/* Of one without a limit, whose plan is known. */
void tally_plan(const Measured *measured, uint64_t planned, Tally *tally);

void tally_print(const Tally *tally);

#endif
