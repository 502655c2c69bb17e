/* Computes the speed of a batch and the remaining time from totals at several moments. It uses no
 * clock and prints nothing. Times are in seconds, from any origin. */
#ifndef IMGTOOL_APP_BATCH_REPORT_PACE_H
#define IMGTOOL_APP_BATCH_REPORT_PACE_H

#include "app/batch/report/batch_result.h"

enum { PACE_SAMPLES = 64 };

typedef struct PaceSample {
    double time;
    size_t done;
    double ahead; /* number of finished files, plus half of the files in progress */
    uint64_t read, written;
} PaceSample;

/* Initialise it with PACE_NONE. */
typedef struct Pace {
    PaceSample samples[PACE_SAMPLES]; /* ring buffer of samples, taken every half second */
    size_t count;                     /* number of samples that were ever added */
    /* `base`: state when the first file that was not skipped started; `latest`: the last totals. */
    PaceSample base, latest;
    size_t files, skipped;
    bool working; /* at least one file is done or has failed */
} Pace;

#define PACE_NONE ((Pace){.count = 0})

typedef struct PaceNow {
    /* Per second: finished files, bytes read, bytes written; negative: unknown. */
    double images, read, written;
    double left; /* remaining seconds of the batch; negative: unknown */
} PaceNow;

/* Takes note of the totals at time `now`. `now` must not decrease. */
void pace_note(Pace *pace, double now, const BatchTotals *totals);

/* Returns rates over the last five seconds, or over a longer time that includes ten finished files.
 *
 * The remaining time is based on the speed of the last half minute, to which ten files at the
 * mean speed of the whole batch are added. So the first files of the batch still count, and one
 * huge file does not dominate. Files that are skipped before the first processed file do not count:
 * a resumed run starts with many of them, and they take no time. */
PaceNow pace_now(const Pace *pace);

#endif
