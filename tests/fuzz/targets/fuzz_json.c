/* Reads the kinds of JSON file that imgtool itself writes: counts of `batch stats`, batch reports
 * and benchmarks. Each file must be rejected with a message, or be the same after it is printed and
 * read again.
 * Input: 's' for counts, 'r' for reports or 'b' for a benchmark, then up to three files between
 * form feeds. */
#include <stdlib.h>
#include <string.h>

#include "app/batch/report/report_file.h"
#include "app/bench/changes/compare.h"
#include "app/bench/export/export.h"
#include "app/bench/print/text.h"
#include "app/cli/exit_code.h"
#include "app/stats/merge/merge.h"
#include "app/term/messages.h"
#include "app/text/json_lines.h"
#include "app/text/text.h"
#include "kernels/histogram/histogram.h"
#include "kernels/histogram/statistics.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/text/text.h"

enum { FILES_MOST = 3, ZEROS = 16 };

typedef int MergeFunction(const char *const *paths, size_t count, const Settings *settings);

typedef struct Merged {
    int code;
    Capture output;
} Merged;

static bool is_done(const Merged *merged)
{
    return merged->code == CLI_OK || merged->code == CLI_SOME_FAILED;
}

/* The format of the output. */
typedef enum Form { JSON, CSV, TEXT } Form;

/* Merges the files `paths` and captures the output. A failure must print a message and no
 * result. */
static Merged run(MergeFunction *merge, const char *name, const char *const *paths, size_t count,
                  Form form)
{
    const Settings settings = {
        .json = form == JSON,
        .csv = form == CSV,
        .engine = {.verbosity = VERBOSITY_NORMAL, .program = report_program()}};
    Merged merged;
    char begin[64];
    capture_begin(&merged.output);
    merged.code = merge(paths, count, &settings);
    capture_end(&merged.output);
    check_printable(merged.output.out, merged.output.out_size);
    check_printable(merged.output.err, merged.output.err_size);
    if (is_done(&merged))
        return merged;
    scratch_check(merged.output.out_size == 0, "a failure printed something");
    snprintf(begin, sizeof begin, "imgtool: %s: ", name);
    scratch_check(strstr(merged.output.err, begin) != NULL, "a failure without a message");
    return merged;
}

static size_t put_files(const uint8_t *data, size_t size, const char *paths[FILES_MOST])
{
    Part parts[FILES_MOST];
    size_t count = parts_cut(data, size, parts, FILES_MOST);
    for (size_t i = 0; i < count; i++)
        paths[i] = scratch_file((int)i, parts[i].text, parts[i].size);
    return count;
}

static void check_lines(const char *text, const char *command)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        scratch_check(text[length] == '\n', "a line without a newline at its end");
        const char *end = NULL;
        cJSON *line = cJSON_ParseWithLengthOpts(text, length, &end, 0);
        const char *found = json_line_string(line, "command");
        scratch_check(end != NULL && end + strspn(end, " \t") == text + length &&
                          text_is_utf8((const uint8_t *)text, length),
                      "a line is not exactly one JSON document");
        scratch_check(found != NULL && strcmp(found, command) == 0, "a line of another command");
        cJSON_Delete(line);
        text += length + 1;
    }
}

static const char *last_line(const Capture *output)
{
    const char *line = output->out;
    for (const char *at = line; (at = strchr(at, '\n')) != NULL && at[1] != '\0';)
        line = ++at;
    return line;
}

/* --- Counts ----------------------------------------------------------------------------------- */

static void check_same_total(const Total *a, const Total *b)
{
    scratch_check(a->files == b->files && a->color == b->color && a->luma == b->luma &&
                      a->alpha == b->alpha && a->mixed == b->mixed,
                  "a total differs after it is read again");
    if (a->files == 0)
        return;
    scratch_check(a->sums.bits == b->sums.bits && a->sums.pixels == b->sums.pixels,
                  "sums differ after they are read again");
    for (int c = 0; c < CHANNEL_COUNT; c++)
        if (a->sums.of[c] != NULL)
            scratch_check(memcmp(a->sums.of[c], b->sums.of[c],
                                 img_counts_size(a->sums.bits) * sizeof(uint64_t)) == 0,
                          "counts differ after they are read again");
}

static void check_counts(const Total *total)
{
    for (int c = 0; total->files > 0 && c < CHANNEL_COUNT; c++) {
        const uint64_t *counts = total->sums.of[c];
        uint64_t all = 0;
        for (size_t i = 0; counts != NULL && i < img_counts_size(total->sums.bits); i++)
            all += counts[i];
        scratch_check(counts == NULL || all == total->sums.pixels ||
                          (c == CHANNEL_LUMA && !total->luma && all < total->sums.pixels),
                      "counts do not add up to the number of pixels");
    }
}

static void print_and_read(const Total *total)
{
    const Settings settings = {.luma = total->luma ? IMG_LUMA_709 : IMG_LUMA_NONE};
    ImgError err = {IMG_OK, ""};
    Total again = TOTAL_NONE;
    Capture output;
    capture_begin(&output);
    ImgStatus status = counts_line_print(total, (BatchPart){1, 1}, &settings, &err);
    capture_end(&output);
    scratch_check(status == IMG_OK, "counts cannot be printed");
    cJSON *line = cJSON_Parse(output.out);
    scratch_check(counts_line_add(line, &again, &err) == IMG_OK, "printed counts are rejected");
    check_same_total(total, &again);
    cJSON_Delete(line);
    total_free(&again);
    capture_free(&output);
}

static ImgStatus check_counts_line(void *context, size_t source, const char *text,
                                   const cJSON *line, ImgError *err)
{
    Total total = TOTAL_NONE;
    (void)context;
    (void)source;
    (void)text;
    if (json_line_is(line, "counts") && counts_line_add(line, &total, err) == IMG_OK) {
        check_counts(&total);
        print_and_read(&total);
    }
    total_free(&total);
    return err->status;
}

static void fuzz_counts(const char *const *paths, size_t count)
{
    ImgError err = {IMG_OK, ""};
    for (size_t i = 0; i < count && err.status == IMG_OK; i++)
        (void)json_lines_read(paths[i], "batch stats", i, check_counts_line, NULL, &err);
}

static void check_forms(const char *const *paths, size_t count, int code)
{
    for (Form form = CSV; form <= TEXT; form++) {
        Merged merged = run(stats_merge, "stats merge", paths, count, form);
        scratch_check(merged.code == code, "the exit code depends on the output format");
        capture_free(&merged.output);
    }
}

/* Merges the files forward and in reverse order, which must give the same total. */
static void fuzz_stats(const uint8_t *data, size_t size)
{
    const char *paths[FILES_MOST], *turned[FILES_MOST];
    size_t count = put_files(data, size, paths);
    for (size_t i = 0; i < count; i++)
        turned[i] = paths[count - 1 - i];
    fuzz_counts(paths, count);
    Merged merged = run(stats_merge, "stats merge", paths, count, JSON);
    Merged other = run(stats_merge, "stats merge", turned, count, JSON);
    scratch_check(is_done(&merged) == is_done(&other), "the verdict depends on the order of files");
    if (is_done(&merged)) {
        check_lines(merged.output.out, "batch stats");
        scratch_check(merged.output.out_size == other.output.out_size &&
                          strcmp(last_line(&merged.output), last_line(&other.output)) == 0,
                      "the total depends on the order of files");
        check_forms(paths, count, merged.code);
    }
    capture_free(&merged.output);
    capture_free(&other.output);
}

/* --- Reports ---------------------------------------------------------------------------------- */

/* Merges reports, then merges the result alone, which must not change it. The only warning that the
 * second merge may print is that the report is incomplete. */
static void fuzz_reports(const uint8_t *data, size_t size)
{
    const char *paths[FILES_MOST];
    size_t count = put_files(data, size, paths);
    Merged merged = run(merge_reports, "batch merge-report", paths, count, JSON);
    if (is_done(&merged)) {
        check_lines(merged.output.out, "batch");
        paths[0] = scratch_file(0, merged.output.out, merged.output.out_size);
        Merged again = run(merge_reports, "batch merge-report", paths, 1, JSON);
        const bool lacks = strstr(last_line(&merged.output), "\"interrupted\":true") != NULL;
        scratch_check(again.code == merged.code && (again.output.err_size == 0) != lacks,
                      "a merged report is rejected or gives other warnings");
        scratch_check(strcmp(again.output.out, merged.output.out) == 0,
                      "merging a merged report changes it");
        capture_free(&again.output);
    }
    capture_free(&merged.output);
}

/* --- Benchmarks ------------------------------------------------------------------------------- */

static ImgStatus load(const char *text, size_t size, BenchReport *report, ImgError *err)
{
    char *copy = calloc(1, size + ZEROS);
    scratch_check(copy != NULL, "no memory");
    memcpy(copy, text, size);
    ImgStatus status = bench_load_text(copy, size, report, err);
    free(copy);
    return status;
}

static char *print_json(const BenchReport *report, size_t *size)
{
    ImgError err = {IMG_OK, ""};
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    scratch_check(out != NULL && bench_print_json(out, report, &err) == IMG_OK,
                  "a benchmark cannot be printed");
    (void)fclose(out);
    return text;
}

/* Prints all tables. They must be plain text, even if the numbers are extreme. */
static void print_tables(const BenchReport *report)
{
    static const BenchStyle style = {.color = false, .utf8 = true, .width = BENCH_LINE};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    scratch_check(out != NULL, "no memory");
    bench_print_machine(out, &report->machine, &style);
    for (size_t i = 0; i < report->group_count; i++)
        bench_print_group(out, &report->groups[i], &style);
    bench_print_jobs(out, report, &style);
    bench_print_end(out, report, &style);
    bench_print_markdown(out, report);
    (void)bench_print_comparison(out, report, report, NULL);
    (void)bench_print_comparison(out, report, report, &style);
    (void)fclose(out);
    check_printable(text, size);
    free(text);
}

/* Prints CSV and discards it without a check, because names in CSV may have any bytes. */
static void print_csv(const BenchReport *report)
{
    FILE *out = fopen("/dev/null", "we");
    scratch_check(out != NULL, "no /dev/null");
    bench_print_csv(out, report);
    (void)fclose(out);
}

static void fuzz_bench(const uint8_t *data, size_t size)
{
    ImgError err = {IMG_OK, ""};
    BenchReport report, again;
    size_t first_size, second_size;
    if (load((const char *)data, size, &report, &err) != IMG_OK) {
        scratch_check(err.message[0] != '\0', "rejected without a message");
        return;
    }
    char *first = print_json(&report, &first_size);
    scratch_check(load(first, first_size, &again, &err) == IMG_OK,
                  "a printed benchmark is rejected");
    char *second = print_json(&again, &second_size);
    scratch_check(first_size == second_size && memcmp(first, second, first_size) == 0,
                  "a printed benchmark reads differently");
    print_tables(&report);
    print_csv(&report);
    free(first);
    free(second);
    bench_report_free(&report);
    bench_report_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    if (data[0] == 's')
        fuzz_stats(data + 1, size - 1);
    else if (data[0] == 'r')
        fuzz_reports(data + 1, size - 1);
    else if (data[0] == 'b')
        fuzz_bench(data + 1, size - 1);
    return 0;
}
