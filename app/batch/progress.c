#include "app/batch/progress.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "app/batch/progress_text.h"
#include "app/report.h"
#include "app/status_line.h"

static const double line_time = 0.15; /* seconds between two lines on a terminal */
static const double plain_time = 10;  /* and where there is none */

struct Progress {
    const Settings *settings;
    Pace pace;
    bool on_terminal, stopping;
    double printed; /* when */
};

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

Progress *progress_start(const Settings *settings)
{
    if (settings->verbosity < VERBOSITY_NORMAL)
        return NULL;
    Progress *progress = malloc(sizeof *progress);
    if (progress != NULL)
        *progress = (Progress){.settings = settings,
                               .pace = PACE_NONE,
                               .on_terminal = status_line_possible(),
                               .printed = clock_now()};
    return progress;
}

void progress_show(Progress *progress, const BatchTotals *totals, bool stopping)
{
    if (progress == NULL)
        return;
    double now = clock_now();
    pace_note(&progress->pace, now, totals);
    bool news = stopping && !progress->stopping; /* the user waits for an answer */
    double least = progress->on_terminal ? line_time : plain_time;
    if (!news && now - progress->printed < least)
        return;
    progress->printed = now;
    progress->stopping = stopping;
    char text[PROGRESS_TEXT];
    PaceNow speeds = pace_now(&progress->pace);
    if (progress->on_terminal)
        status_line_show(progress_text(totals, &speeds, stopping, status_line_columns(), text));
    else
        report_note(progress->settings, "%s",
                    progress_text(totals, &speeds, stopping, SIZE_MAX, text));
}

void progress_end(Progress *progress)
{
    if (progress == NULL)
        return;
    status_line_clear();
    free(progress);
}
