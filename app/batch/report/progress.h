/* Progress display and summary of a batch: computes speeds and the remaining time, makes the texts,
 * and prints them. */
#ifndef IMGTOOL_APP_BATCH_REPORT_PROGRESS_H
#define IMGTOOL_APP_BATCH_REPORT_PROGRESS_H

#include <stdio.h>

#include "app/batch/report/batch_result.h"

/* --- Speed and remaining time --------------------------------------------------------------------
 *
 * Computes the speed of a batch and the remaining time from totals at several moments. It uses no
 * clock and prints nothing. Times are in seconds, from any origin. */

enum { PACE_SAMPLES = 64 };

typedef struct PaceSample {
    double time;
    size_t done;
    /* Number of finished files, plus half of the files in progress, which on average are half
     * done. */
    double ahead;
    uint64_t read, written;
} PaceSample;

/* Samples of the totals, from which speeds are computed. Initialise it with PACE_NONE. */
typedef struct Pace {
    PaceSample samples[PACE_SAMPLES]; /* ring buffer of samples, taken every half second */
    size_t count;                     /* number of samples that were ever added */
    /* `base`: totals when the first file that was not skipped started; `latest`: the last
     * totals. */
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

/* Stores the totals at time `now`, in seconds. `now` must not decrease from call to call. */
void pace_note(Pace *pace, double now, const BatchTotals *totals);

/* Returns rates over the last five seconds, or over a longer time that includes ten finished files.
 *
 * The remaining time is based on the files of the last half minute, to which ten files at the mean
 * speed of the whole batch are added. The first files of the batch therefore still count, and one
 * huge file does not dominate. Files that are skipped before the first processed file do not count:
 * a resumed run starts with many of them, and they take no time. */
PaceNow pace_now(const Pace *pace);

/* --- Texts ------------------------------------------------------------------------------------ */

enum { PROGRESS_TEXT = 192, DURATION_TEXT = 32 };

/* Writes a line such as "412 of 500 files, 12.3 images/s, 45.1 MB/s in, 40.2 MB/s out, 0:12 left, 3
 * failed". Unknown values are left out. If the line is wider than `columns`, it is shortened: first
 * MB/s is left out, then images/s, then the time left. With `stopping`, the line has no speeds, but
 * ends with "finishing 4 files under way, interrupt again to stop". This ending is the last part
 * that is left out. Returns `text`. */
const char *progress_text(const BatchTotals *totals, const PaceNow *now, bool stopping,
                          size_t columns, char text[PROGRESS_TEXT]);

/* Writes a time as hours, minutes and seconds, rounded up to seconds: "0:07", "12:34", "3:07:00".
 * Returns `text`. */
const char *duration_text(double seconds, char text[DURATION_TEXT]);

/* Writes a number with about three significant digits: "0.034", "3.42", "12.3", "1234". Returns
 * `text`. */
const char *rate_text(double number, char text[DURATION_TEXT]);

/* Writes the summary to `out`. */
void summary_write(FILE *out, const BatchEnd *summary);

/* --- Printing ------------------------------------------------------------------------------------
 *
 * Shows progress on stderr. On a terminal, one line is rewritten; otherwise a line is printed every
 * ten seconds. With --quiet, nothing is printed. */

typedef struct Progress Progress;

/* Starts the display. Returns NULL if the settings disable it, or there is no memory. The other
 * functions of this section accept NULL. */
Progress *progress_start(const Settings *settings);

/* Updates the display, at most as often as a user can read it. Call it often, and from one thread.
 * `stopping` means that the user interrupted the batch, and files in progress are being
 * finished. */
void progress_show(Progress *progress, const BatchTotals *totals, bool stopping);

/* Clears the line and frees `progress`. */
void progress_end(Progress *progress);

/* Prints the summary on stderr. With --quiet prints nothing. */
void batch_print_summary(const Settings *settings, const BatchEnd *summary);

#endif
