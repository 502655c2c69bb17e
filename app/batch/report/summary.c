/* Writes the summary of a batch, a few lines of text. */
#include <stdlib.h>

#include "app/batch/report/progress.h"
#include "app/term/messages.h"
#include "app/text/streams.h"
#include "app/text/text.h"
#include "io/size_text.h"

static void write_counts(FILE *out, const BatchEnd *summary)
{
    const BatchTotals *totals = summary->totals;
    size_t settled = batch_totals_settled(totals);
    char seconds[DURATION_TEXT], rate[DURATION_TEXT];
    fprintf(out, "imgtool: %zu file%s done", totals->done, totals->done == 1 ? "" : "s");
    if (totals->failed > 0)
        fprintf(out, ", %zu failed", totals->failed);
    if (totals->skipped > 0)
        fprintf(out, ", %zu skipped", totals->skipped);
    if (totals->upright > 0)
        fprintf(out, ", %zu already upright", totals->upright);
    if (settled < totals->files)
        fprintf(out, ", %zu not started", totals->files - settled);
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

/* Writes by how much `batch optimize` has reduced the files. */
static void write_saved(FILE *out, const BatchTotals *totals)
{
    char size[IMG_SIZE_TEXT];
    if (totals->before_optimizing == 0 || totals->optimized > totals->before_optimizing)
        return;
    const uint64_t saved = totals->before_optimizing - totals->optimized;
    fprintf(out, "  %-9s%s, %.1f %%\n", "saved", img_thousands_text(saved, size),
            100 * (double)saved / (double)totals->before_optimizing);
}

/* Writes the percentage of the total time that each stage took. Time spent waiting for work or
 * memory does not count. */
static void write_times(FILE *out, const BatchTotals *totals)
{
    const double *of = totals->seconds;
    const struct {
        const char *what;
        double seconds;
    } stages[] = {{"reading", of[BATCH_READ]},
                  {"decoding", of[BATCH_DECODE] + of[BATCH_EXPAND]},
                  {"operation", of[BATCH_RUN]},
                  {"encoding", of[BATCH_ENCODE]},
                  {"writing", of[BATCH_WRITE]}};
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

/* Repeats the numbers of entries that were left out. The note about them at the start of the batch
 * is no longer on the screen. */
static void write_left_out(FILE *out, const BatchEnd *summary)
{
    size_t directories = summary->unsearched, pictures = summary->other_pictures;
    if (directories == 0 && pictures == 0)
        return;
    fprintf(out, "  %-9s", "left out");
    if (directories > 0)
        fprintf(out, "%zu subdirector%s (-r searches them)%s", directories,
                directories == 1 ? "y" : "ies", pictures > 0 ? ", " : "");
    if (pictures > 0)
        fprintf(out, "%zu picture%s of another format", pictures, pictures == 1 ? "" : "s");
    fputc('\n', out);
}

/* Writes the number of failures. The messages themselves were printed when the files failed. */
static void write_failures(FILE *out, const BatchEnd *summary)
{
    const BatchTotals *totals = summary->totals;
    size_t failed = totals->failed + summary->inputs_failed,
           asked = totals->files + summary->inputs_failed;
    if (failed > 0 && asked > 1)
        fprintf(out, "imgtool: %zu of %zu inputs failed, as reported above\n", failed, asked);
}

static void write_rest(FILE *out, const BatchEnd *summary)
{
    const BatchTotals *totals = summary->totals;
    size_t rest = totals->files - batch_totals_settled(totals);
    if (!summary->interrupted || rest == 0)
        return;
    fprintf(out, "imgtool: interrupted with %zu file%s left", rest, rest == 1 ? "" : "s");
    fputs(summary->recorded ? "; the same command with --resume continues\n" : "\n", out);
}

void summary_write(FILE *out, const BatchEnd *summary)
{
    const BatchTotals *totals = summary->totals;
    write_counts(out, summary);
    write_bytes(out, "read", totals->bytes_read, summary->seconds);
    write_bytes(out, "written", totals->bytes_written, summary->seconds);
    write_saved(out, totals);
    write_times(out, totals);
    if (totals->on_gpu > 0)
        fprintf(out, "  %-9s%zu of %zu files\n", "GPU", totals->on_gpu, totals->done);
    if (summary->memory_most > 0) {
        ImgSizeText sizes[2];
        img_size_texts(summary->memory_most, summary->memory_limit, sizes);
        fprintf(out, "  %-9splanned peak %s, limit %s\n", "memory", sizes[0].text, sizes[1].text);
    }
    write_left_out(out, summary);
    write_failures(out, summary);
    write_rest(out, summary);
}

/* Returns the summary as a string of *size bytes. Returns NULL if there is no memory. The caller
 * frees it. */
static char *summary_text(const BatchEnd *summary, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL)
        return NULL;
    summary_write(out, summary);
    if (fclose(out) == 0)
        return text; /* NULL if memory was short when the stream was closed */
    free(text);
    return NULL;
}

/* Prints the summary by a single write, so that the output of other programs cannot come in
 * between. Without memory for the text, prints it in several writes. */
void batch_print_summary(const Settings *settings, const BatchEnd *summary)
{
    if (settings->engine.verbosity < VERBOSITY_NORMAL)
        return;
    size_t size = 0;
    char *text = summary_text(summary, &size);
    report_begin();
    img_streams_flush_stdout();
    if (text != NULL)
        fwrite(text, 1, size, stderr);
    else
        summary_write(stderr, summary);
    report_end();
    free(text);
}
