#include "app/batch/report/progress.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "app/term/messages.h"
#include "app/term/status_line.h"

static const double line_time = 0.15; /* seconds between two updates of the line on a terminal */
static const double plain_time = 10;  /* seconds between two lines if stderr is not a terminal */
/* seconds between two updates of the speeds, so that a user can read them */
static const double speed_time = 1;

struct Progress {
    const Settings *settings;
    Pace pace;
    bool on_terminal, stopping;
    /* Times, in seconds, when the line was last printed, and when its speeds were last computed. */
    double printed, measured;
    PaceNow speeds;
};

static void measure(Progress *progress, double now)
{
    if (progress->speeds.left >= 0 && now - progress->measured < speed_time)
        return;
    progress->speeds = pace_now(&progress->pace);
    progress->measured = now;
}

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

Progress *progress_start(const Settings *settings)
{
    if (settings->engine.verbosity < VERBOSITY_NORMAL)
        return NULL;
    Progress *progress = malloc(sizeof *progress);
    if (progress != NULL)
        *progress = (Progress){.settings = settings,
                               .pace = PACE_NONE,
                               .speeds = {-1, -1, -1, -1},
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
    bool news = stopping && !progress->stopping; /* after an interrupt the line changes at once */
    double least = progress->on_terminal ? line_time : plain_time;
    if (!news && now - progress->printed < least)
        return;
    progress->printed = now;
    progress->stopping = stopping;
    measure(progress, now);
    char text[PROGRESS_TEXT];
    size_t columns = progress->on_terminal ? status_line_columns() : SIZE_MAX;
    progress_text(totals, &progress->speeds, stopping, columns, text);
    if (progress->on_terminal)
        status_line_show(text);
    else
        report_note(progress->settings, "%s", text);
}

void progress_end(Progress *progress)
{
    if (progress == NULL)
        return;
    status_line_clear();
    free(progress);
}
