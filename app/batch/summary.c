/* What a batch came to, in a few lines. */
#include <stdlib.h>

#include "app/batch/progress.h"
#include "app/batch/progress_text.h"
#include "app/report.h"
#include "app/text.h"
#include "io/human.h"

static void write_counts(FILE *out, const BatchSummary *summary)
{
    const BatchTotals *totals = summary->totals;
    size_t settled = batch_totals_settled(totals);
    char seconds[DURATION_TEXT], rate[DURATION_TEXT];
    fprintf(out, "imgtool: %zu file%s done", totals->done, totals->done == 1 ? "" : "s");
    if (totals->failed > 0)
        fprintf(out, ", %zu failed", totals->failed);
    if (totals->skipped > 0)
        fprintf(out, ", %zu skipped", totals->skipped);
    if (settled < totals->files)
        fprintf(out, ", %zu not begun", totals->files - settled);
    fprintf(out, " in %s s", rate_text(summary->seconds, seconds));
    if (totals->done > 0 && summary->seconds > 0)
        fprintf(out, ", %s images/s", rate_text((double)totals->done / summary->seconds, rate));
    fputc('\n', out);
}

static void write_bytes(FILE *out, const char *label, uint64_t bytes, double seconds)
{
    char size[IMG_SIZE_TEXT], rate[DURATION_TEXT];
    if (bytes == 0)
        return;
    fprintf(out, "  %-9s%s", label, img_thousands_text(bytes, size));
    if (seconds > 0)
        fprintf(out, ", %s MB/s", rate_text((double)bytes * 1e-6 / seconds, rate));
    fputc('\n', out);
}

/* Of what the stages took together: waiting for work, and for memory, is no work. */
static void write_times(FILE *out, const BatchTotals *totals)
{
    const struct {
        const char *what;
        double seconds;
    } stages[] = {{"reading", totals->read},
                  {"decoding", totals->decode},
                  {"operation", totals->run},
                  {"encoding", totals->encode},
                  {"writing", totals->write}};
    double sum = 0;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        sum += stages[i].seconds;
    if (sum <= 0)
        return;
    const char *between = "";
    fprintf(out, "  %-9s", "time");
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        if (stages[i].seconds <= 0)
            continue;
        fprintf(out, "%s%s %.0f %%", between, stages[i].what, 100 * stages[i].seconds / sum);
        between = ", ";
    }
    fputc('\n', out);
}

static void write_failures(FILE *out, const BatchSummary *summary)
{
    /* Beside files of the plan: inputs that could not be listed. */
    size_t others = summary->failure_count > summary->totals->failed
                        ? summary->failure_count - summary->totals->failed
                        : 0;
    size_t asked = summary->totals->files + others;
    if (summary->failure_count == 0 || asked < 2)
        return;
    fprintf(out, "imgtool: %zu of %zu files failed:\n", summary->failure_count, asked);
    enum { LISTED = 50 }; /* more scroll away what is above */
    size_t count = summary->failure_count < LISTED ? summary->failure_count : (size_t)LISTED;
    for (size_t i = 0; i < count; i++) {
        fputs("  ", out);
        text_clean(out, summary->failures[i]);
        fputc('\n', out);
    }
    if (count < summary->failure_count)
        fprintf(out, "  and %zu more; --report FILE.json has all of them\n",
                summary->failure_count - count);
}

void summary_write(FILE *out, const BatchSummary *summary)
{
    const BatchTotals *totals = summary->totals;
    write_counts(out, summary);
    write_bytes(out, "read", totals->bytes_read, summary->seconds);
    write_bytes(out, "written", totals->bytes_written, summary->seconds);
    write_times(out, totals);
    if (totals->on_gpu > 0)
        fprintf(out, "  %-9s%zu of %zu files\n", "GPU", totals->on_gpu, totals->done);
    if (summary->memory_most > 0) {
        ImgSizeText sizes[2];
        img_size_texts(summary->memory_most, summary->memory_limit, sizes);
        fprintf(out, "  %-9s%s planned at most, limit %s\n", "memory", sizes[0].text,
                sizes[1].text);
    }
    write_failures(out, summary);
}

void batch_print_summary(const Settings *settings, const BatchTotals *totals, double seconds,
                         uint64_t memory_limit, uint64_t memory_most, const char *const *failures,
                         size_t failure_count)
{
    if (settings->verbosity < VERBOSITY_NORMAL)
        return;
    BatchSummary summary = {totals, seconds, memory_limit, memory_most, failures, failure_count};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return;
    summary_write(out, &summary);
    if (fclose(out) == 0) {
        report_begin();
        report_flush_stdout();
        fwrite(text, 1, size, stderr);
        report_end();
    }
    free(text);
}
