/* Speed of a batch and remaining time, computed from totals over time. It uses no clock and prints
 * nothing. Times are in seconds from any origin. */
#ifndef IMGTOOL_APP_BATCH_REPORT_PACE_H
#define IMGTOOL_APP_BATCH_REPORT_PACE_H

#include "app/batch/report/batch_result.h"

enum { PACE_SAMPLES = 64 };

typedef struct PaceSample {
    double time;
    size_t done;
    double ahead; /* finished files, plus half of those in progress */
    uint64_t read, written;
} PaceSample;

/* Starts as PACE_NONE. */
typedef struct Pace {
    PaceSample samples[PACE_SAMPLES]; /* ring buffer of samples from the last half minute */
    size_t count;                     /* number of samples ever added */
    PaceSample base, latest;          /* `base`: when the first file that was not skipped started */
    size_t files, skipped;
    bool working; /* some file was not skipped */
} Pace;

#define PACE_NONE ((Pace){.count = 0})

typedef struct PaceNow {
    double images, read, written; /* per second: files and bytes; negative: unknown */
    double left;                  /* remaining seconds; negative: unknown */
} PaceNow;

/* Adds the totals at time `now`, which must not decrease. */
void pace_note(Pace *pace, double now, const BatchTotals *totals);

/* Returns rates over the last five seconds, or over a longer time that includes ten files.
 *
 * The remaining time uses the speed of the last half minute, plus ten files at the mean speed of
 * the whole batch. The first files then count, and one huge file does not dominate. Files skipped
 * before the first processed one do not count: a resumed run starts with many of them, which take
 * no time.
 */
PaceNow pace_now(const Pace *pace);

#endif
