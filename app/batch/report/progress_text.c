#include "app/batch/report/progress.h"

#include <math.h>
#include <string.h>

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
