#include "app/batch/report/progress.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
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
        img_engine_note(&progress->settings->engine, "%s", text);
}

void progress_end(Progress *progress)
{
    if (progress == NULL)
        return;
    status_line_clear();
    free(progress);
}

/* Amount of detail in the line. Each level includes the levels before it. */
typedef enum Detail { COUNTS, TIME_LEFT, IMAGES, BYTES } Detail;

const char *rate_text(double number, char text[DURATION_TEXT])
{
    int digits = number >= 99.95                   ? 0
                 : number >= 9.995                 ? 1
                 : number >= 0.0995 || number <= 0 ? 2
                                                   : 3;
    snprintf(text, DURATION_TEXT, "%.*f", digits, number);
    return text;
}

const char *duration_text(double seconds, char text[DURATION_TEXT])
{
    const double longest = 1e9; /* seconds; longer estimates are useless */
    long all = (long)ceil(fmin(seconds, longest));
    if (all >= 3600)
        snprintf(text, DURATION_TEXT, "%ld:%02ld:%02ld", all / 3600, all / 60 % 60, all % 60);
    else
        snprintf(text, DURATION_TEXT, "%ld:%02ld", all / 60, all % 60);
    return text;
}

static void add_speeds(FILE *out, const PaceNow *now, Detail detail)
{
    char number[DURATION_TEXT];
    if (detail >= IMAGES && now->images >= 0)
        fprintf(out, ", %s images/s", rate_text(now->images, number));
    if (detail >= BYTES && now->read >= 0)
        fprintf(out, ", %s MB/s in", rate_text(now->read * 1e-6, number));
    if (detail >= BYTES && now->written > 0)
        fprintf(out, ", %s MB/s out", rate_text(now->written * 1e-6, number));
    if (detail >= TIME_LEFT && now->left >= 0)
        fprintf(out, ", %s left", duration_text(now->left, number));
}

static void add_stopping(FILE *out, const BatchTotals *totals, Detail detail)
{
    fprintf(out, "finishing %zu", totals->under_way);
    if (detail >= IMAGES)
        fputs(totals->under_way == 1 ? " file" : " files", out);
    if (detail >= BYTES)
        fputs(" under way", out);
    fputs(", interrupt again to stop", out);
}

static void compose(FILE *out, const BatchTotals *totals, const PaceNow *now, bool stopping,
                    Detail detail)
{
    if (stopping && detail == COUNTS) {
        add_stopping(out, totals, detail);
        return;
    }
    fprintf(out, "%zu of %zu file%s", batch_totals_settled(totals), totals->files,
            totals->files == 1 ? "" : "s");
    if (!stopping)
        add_speeds(out, now, detail);
    if (totals->failed > 0)
        fprintf(out, ", %zu failed", totals->failed);
    if (stopping) {
        fputs(", ", out);
        add_stopping(out, totals, detail);
    }
}

const char *progress_text(const BatchTotals *totals, const PaceNow *now, bool stopping,
                          size_t columns, char text[PROGRESS_TEXT])
{
    for (int detail = BYTES; detail >= COUNTS; detail--) {
        FILE *out = fmemopen(text, PROGRESS_TEXT, "w");
        /* MemorySanitizer does not see that fmemopen writes the text. */
        memset(text, 0, PROGRESS_TEXT);
        if (out == NULL)
            break;
        compose(out, totals, now, stopping, (Detail)detail);
        fclose(out);
        if (strlen(text) <= columns)
            break;
    }
    return text;
}
