
#include <stdlib.h>
#include <string.h>

#include "app/batch/report/report_file.h"
#include "app/cli/exit_code.h"
#include "app/term/messages.h"
#include "app/text/json_lines.h"
#include "app/text/text.h"

/* Results of a file, from worst to best. If several reports contain the file, its best result
 * counts. */
static const char *const outcomes[] = {"failed", "skipped", "unchanged", "done"};
enum { OUTCOMES = sizeof outcomes / sizeof *outcomes, RANK_DONE = OUTCOMES - 1 };

typedef struct Merge {
    JsonLines files, errors;
    BatchEnd end;
    BatchTotals totals;
    BatchParts parts; /* the parts of the batch that have a complete report */
    bool was_left;    /* at least one part stopped before all its files were started */
    /* State of the report that is being read. `has_summary`: its summary has been read. `leaves`:
     * its part stopped before all of its files were started. */
    bool has_summary, leaves;
} Merge;

static int rank_of(const cJSON *line)
{
    const char *status = json_line_string(line, "status");
    for (int i = 0; status != NULL && i < (int)OUTCOMES; i++)
        if (strcmp(status, outcomes[i]) == 0)
            return i;
    return 0;
}

/* Returns whether the part ended, by an interrupt or a fatal failure, before all of its files were
 * started. `line` is the summary of its report. */
static bool leaves_files(const cJSON *line)
{
    return json_line_bool(line, "interrupted") ||
           json_line_count(line, "file_count") >
               json_line_count(line, "done") + json_line_count(line, "failed") +
                   json_line_count(line, "skipped") + json_line_count(line, "unchanged");
}

static ImgStatus add_summary(Merge *merge, const cJSON *line, ImgError *err)
{
    BatchEnd *end = &merge->end;
    double seconds = json_line_number(cJSON_GetObjectItemCaseSensitive(line, "seconds"), "total");
    uint64_t most = json_line_count(line, "peak_bytes");
    uint64_t limit = json_line_count(line, "limit_bytes");
    merge->has_summary = true;
    end->seconds = seconds > end->seconds ? seconds : end->seconds;
    end->memory_most = most > end->memory_most ? most : end->memory_most;
    end->memory_limit = limit > end->memory_limit ? limit : end->memory_limit;
    merge->leaves = leaves_files(line);
    merge->was_left |= merge->leaves;
    if (merge->leaves)
        return IMG_OK;
    end->steals |= json_line_bool(line, "steal");
    return batch_parts_note(&merge->parts, line, err);
}

static ImgStatus take_line(void *context, size_t source, const char *text, const cJSON *line,
                           ImgError *err)
{
    Merge *merge = context;
    if (json_line_is(line, "file"))
        return json_lines_keep(&merge->files, source, text, line, rank_of(line), err);
    if (json_line_is(line, "error"))
        return json_lines_keep(&merge->errors, source, text, line, 0, err);
    return json_line_is(line, "summary") ? add_summary(merge, line, err) : IMG_OK;
}

static void count_file(BatchTotals *totals, const JsonLine *kept)
{
    static size_t none;
    size_t *counts[OUTCOMES] = {&totals->failed, &totals->skipped, &totals->upright, &totals->done};
    cJSON *line = cJSON_Parse(kept->text);
    const cJSON *seconds = cJSON_GetObjectItemCaseSensitive(line, "seconds");
    const char *backend = json_line_string(line, "backend");
    totals->files++;
    ++*(kept->rank >= 0 && kept->rank < (int)OUTCOMES ? counts[kept->rank] : &none);
    totals->bytes_read += json_line_count(line, "bytes_read");
    totals->bytes_written += json_line_count(line, "bytes_written");
    for (int i = 0; i < BATCH_STAGES; i++)
        totals->seconds[i] += json_line_number(seconds, batch_stage_names[i]);
    totals->on_gpu += kept->rank == RANK_DONE && backend != NULL && strcmp(backend, "cuda") == 0;
    cJSON_Delete(line);
}

/* Returns whether an earlier line has the same path and the same text as the line at `index`. The
 * lines are sorted by path. */
static bool is_repeated(const JsonLine *list, size_t index)
{
    for (size_t i = index; i > 0 && strcmp(list[i - 1].path, list[index].path) == 0; i--)
        if (strcmp(list[i - 1].text, list[index].text) == 0)
            return true;
    return false;
}

/* Prints each failed input once. Several reports contain the same error, since every part searches
 * the same directories. */
static void print_errors(Merge *merge)
{
    json_lines_sort(&merge->errors);
    for (size_t i = 0; i < merge->errors.count; i++) {
        if (is_repeated(merge->errors.list, i))
            continue;
        puts(merge->errors.list[i].text);
        merge->end.inputs_failed++;
    }
}

static void print_files(Merge *merge)
{
    const JsonLine *list = merge->files.list;
    json_lines_sort(&merge->files);
    for (size_t i = 0; i < merge->files.count; i++) {
        if (i > 0 && strcmp(list[i - 1].path, list[i].path) == 0)
            continue;
        puts(list[i].text);
        count_file(&merge->totals, &list[i]);
    }
}

static ImgStatus print(Merge *merge, ImgError *err)
{
    print_errors(merge);
    print_files(merge);
    merge->end.totals = &merge->totals;
    char *summary = report_json_summary(&merge->end);
    if (summary == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the report");
    fputs(summary, stdout);
    free(summary);
    return IMG_OK;
}

static void free_merge(Merge *merge)
{
    json_lines_free(&merge->files);
    json_lines_free(&merge->errors);
    batch_parts_free(&merge->parts);
}

/* Prints a note about the parts that have no complete report. Returns whether some files may be
 * unprocessed. With --steal the running parts take over the files of missing parts, so one complete
 * report is enough. */
static bool is_lacking(Merge *merge, const Settings *settings)
{
    char text[BATCH_PARTS_TEXT];
    const char *missing = batch_parts_missing(&merge->parts, text);
    if (missing == NULL)
        return merge->parts.count == 0 && merge->was_left;
    img_engine_note(&settings->engine, "no report contains the end of %s%s", missing,
                    merge->end.steals ? "; other parts took over the rest (--steal)" : "");
    return !merge->end.steals;
}

static void note_unfinished(const Merge *merge, const char *path, const Settings *settings)
{
    if (!merge->has_summary)
        img_engine_note(&settings->engine,
                        "%s: has no summary: this part was killed, or is still running", path);
    else if (merge->leaves)
        img_engine_note(&settings->engine, "%s: stopped before all of its files were started",
                        path);
}

static ImgStatus read_reports(Merge *merge, const char *const *paths, size_t count,
                              const Settings *settings, ImgError *err)
{
    for (size_t i = 0; i < count; i++) {
        merge->has_summary = merge->leaves = false;
        ImgStatus status = json_lines_read(paths[i], "batch", i, take_line, merge, err);
        if (status != IMG_OK)
            return status;
        note_unfinished(merge, paths[i], settings);
    }
    return IMG_OK;
}

int merge_reports(const char *const *paths, size_t count, const Settings *settings)
{
    Merge merge = {.has_summary = false};
    ImgError err = {IMG_OK, ""};
    bool lacks = false;
    ImgStatus status = read_reports(&merge, paths, count, settings, &err);
    if (status == IMG_OK) {
        lacks = is_lacking(&merge, settings);
        merge.end.interrupted = lacks;
        status = print(&merge, &err);
    }
    free_merge(&merge);
    if (status != IMG_OK) {
        img_error_prefix(&err, "batch merge-report");
        return report_failure(&err);
    }
    return lacks || merge.totals.failed + merge.end.inputs_failed > 0 ? CLI_SOME_FAILED : CLI_OK;
}
