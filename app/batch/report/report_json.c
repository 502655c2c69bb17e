#include "app/batch/report/report_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/text/json.h"
#include "app/text/text.h"
#include "kernels/core/select.h"

/* Adds the times of the stages and the total, rounded to microseconds, because finer digits would
 * only be noise of the measurement. */
static void add_seconds(cJSON *object, const double stages[BATCH_STAGES], double total,
                        bool *failed)
{
    cJSON *seconds = json_object(object, "seconds", failed);
    for (int i = 0; i < BATCH_STAGES; i++)
        json_number(seconds, batch_stage_names[i], round(stages[i] * 1e6) / 1e6, failed);
    json_number(seconds, "total", round(total * 1e6) / 1e6, failed);
}

static void add_size(cJSON *object, const char *name, int32_t size, bool *failed)
{
    json_number(object, name, size > 0 ? size : NAN, failed);
}

/* Adds an array of notes. `notes` contains one note per line. */
static void add_notes(cJSON *object, const char *notes, bool *failed)
{
    cJSON *array = json_array(object, "notes", failed);
    while (notes != NULL && *notes != '\0') {
        size_t length = strcspn(notes, "\n");
        char *line = strndup(notes, length);
        if (line == NULL)
            *failed = true;
        else
            json_marked(array, NULL, line, failed);
        free(line);
        notes += length + (notes[length] == '\n');
    }
}

static void add_outcome(cJSON *object, const BatchResult *result, bool *failed)
{
    static const char *const outcomes[] = {[BATCH_DONE] = "done",
                                           [BATCH_FAILED] = "failed",
                                           [BATCH_SKIPPED] = "skipped",
                                           [BATCH_UPRIGHT] = "unchanged"};
    bool is_failure = result->outcome == BATCH_FAILED;
    json_outcome(object, outcomes[result->outcome], is_failure ? result->status : IMG_OK,
                 result->message, failed);
    add_notes(object, result->notes, failed);
}

/* Adds the format of the output and, for `batch optimize`, what was done. */
static void add_output(cJSON *object, const JobReport *report, bool done, bool *failed)
{
    const ImgOptimizeReport *optimized = &report->optimized;
    const bool optimizes = done && optimized->bytes_before > 0;
    char text[IMG_OPTIMIZE_TEXT];
    const char *filters = optimized->filter != NULL ? optimized->filter : "kept";
    add_size(object, "output_width", done ? report->after.width : 0, failed);
    add_size(object, "output_height", done ? report->after.height : 0, failed);
    json_string(object, "output_color", done ? img_color_name(report->after.format.color) : NULL,
                failed);
    add_size(object, "output_bits", done ? report->after.format.bits : 0, failed);
    json_string(object, "reductions", optimizes ? img_optimize_describe(optimized, text) : NULL,
                failed);
    json_string(object, "filters", optimizes ? filters : NULL, failed);
}

static void add_report(cJSON *object, const BatchResult *result, bool *failed)
{
    const JobReport *report = &result->report;
    bool done = result->outcome == BATCH_DONE, ran = batch_result_ran(result);
    double seconds[BATCH_STAGES];
    batch_result_seconds(result, seconds);
    json_shape(object, report->before, failed);
    add_output(object, report, done, failed);
    json_count(object, "bytes_read", report->load.bytes, failed);
    json_count(object, "bytes_written", done ? report->bytes_written : 0, failed);
    add_seconds(object, seconds, report->total, failed);
    json_string(object, "backend", ran ? img_backend_name(report->run.backend) : NULL, failed);
    json_string(object, "device", ran ? report->run.device : NULL, failed);
    json_count(object, "peak_bytes", report->peak_bytes, failed);
}

/* Returns the JSON as one line with its newline, and frees `root`. Returns NULL if `failed` or
 * there is no memory. */
static char *to_line(cJSON *root, bool failed)
{
    char *text = json_line_text(root, failed), *line = NULL;
    if (text != NULL && asprintf(&line, "%s\n", text) < 0)
        line = NULL;
    free(text);
    return line;
}

char *report_json_file(const BatchResult *result)
{
    bool failed = false;
    cJSON *root = json_document("batch", "file", &failed);
    json_path(root, "file", "file_hex", result->file->input, &failed);
    json_path(root, "output", "output_hex", result->file->output, &failed);
    add_outcome(root, result, &failed);
    add_report(root, result, &failed);
    return to_line(root, failed);
}

char *report_json_error(const FailedInput *input)
{
    bool failed = false;
    cJSON *root = failed_input_line("batch", input, &failed);
    return to_line(root, failed);
}

char *report_json_summary(const BatchEnd *end)
{
    bool failed = false;
    const BatchTotals *totals = end->totals;
    cJSON *root = json_document("batch", "summary", &failed);
    json_count(root, "file_count", totals->files, &failed);
    json_count(root, "done", totals->done, &failed);
    json_count(root, "failed", totals->failed, &failed);
    json_count(root, "skipped", totals->skipped, &failed);
    json_count(root, "unchanged", totals->upright, &failed);
    json_count(root, "inputs_failed", end->inputs_failed, &failed);
    json_bool(root, "interrupted", end->interrupted, &failed);
    json_batch_part(root, end->part, &failed);
    json_bool(root, "steal", end->steals, &failed);
    json_count(root, "bytes_read", totals->bytes_read, &failed);
    json_count(root, "bytes_written", totals->bytes_written, &failed);
    add_seconds(root, totals->seconds, end->seconds, &failed);
    json_count(root, "on_gpu", totals->on_gpu, &failed);
    json_count(root, "peak_bytes", end->memory_most, &failed);
    json_count(root, "limit_bytes", end->memory_limit, &failed);
    return to_line(root, failed);
}
