/* How fast a batch is, and how long it will take: from totals noted as time goes by. No clock and
 * no printing here. Times are seconds, from any start. */
#ifndef IMGTOOL_APP_BATCH_REPORT_PACE_H
#define IMGTOOL_APP_BATCH_REPORT_PACE_H

#include "app/batch/report/result.h"

enum { PACE_SAMPLES = 64 };

typedef struct PaceSample {
    double time;
    size_t done;
    double ahead; /* files settled; those under way count as half */
    uint64_t read, written;
} PaceSample;

/* Starts as PACE_NONE. */
typedef struct Pace {
    PaceSample samples[PACE_SAMPLES]; /* a ring: some of the last half minute */
    size_t count;                     /* samples that were ever put into it */
    PaceSample base, latest;          /* `base`: when the first file was begun that took work */
    size_t files, skipped;
    bool working; /* some file took work */
} Pace;

#define PACE_NONE ((Pace){.count = 0})

typedef struct PaceNow {
    double images, read, written; /* a second: files done, bytes. Below 0: not known yet */
    double left;                  /* seconds; below 0: not known yet */
} PaceNow;

/* `now` never goes back. */
void pace_note(Pace *pace, double now, const BatchTotals *totals);

/* Rates are those of the last five seconds, or of as many more as it takes to see ten files.
 *
 * The time left is that of the files left at the speed of the last half minute, in which ten files
 * more are thought that went at the mean speed of all: so the first files count for something, and
 * a huge one not for too much. Files that were skipped before any was worked on take no part in it:
 * a run that is resumed begins with many, which take no time, and none may follow. */
PaceNow pace_now(const Pace *pace);

#endif
