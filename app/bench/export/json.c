#include "app/bench/export/export.h"

#include <math.h>
#include <stdio.h>

#include "app/bench/print/fields.h"
#include "app/text/json.h"
#include "kernels/core/select.h"

/* Writes benchmark results as JSON. In a report an unknown value is "", 0 or not finite; in JSON it
 * becomes null. */

static void add_text(cJSON *object, const char *key, const char *text, bool *failed)
{
    json_string(object, key, text[0] != '\0' ? text : NULL, failed);
}

static void add_number(cJSON *object, const char *key, double number, bool *failed)
{
    json_number(object, key, number != 0 ? number : NAN, failed);
}

static void add_count(cJSON *object, const char *key, uint64_t count, bool *failed)
{
    if (count > 0)
        json_count(object, key, count, failed);
    else
        json_null(object, key, failed);
}

static void add_timing(cJSON *parent, const char *key, const BenchTiming *timing, bool *failed)
{
    if (timing->samples == 0) {
        json_null(parent, key, failed);
        return;
    }
    cJSON *object = json_object(parent, key, failed);
    json_count(object, "samples", timing->samples, failed);
    json_number(object, "median_seconds", timing->median, failed);
    json_number(object, "noise", timing->noise, failed);
    json_number(object, "minimum_seconds", timing->minimum, failed);
    json_number(object, "low_seconds", timing->low, failed);
    json_number(object, "high_seconds", timing->high, failed);
}

void bench_json_machine(cJSON *parent, const char *name, const BenchMachine *machine, bool *failed)
{
    cJSON *object = json_object(parent, name, failed);
    add_text(object, "imgtool", machine->version, failed);
    add_text(object, "date", machine->date, failed);
    add_text(object, "command", machine->command, failed);
    add_text(object, "cpu", machine->cpu, failed);
    add_text(object, "system", machine->system, failed);
    add_number(object, "cpu_mhz", machine->cpu_mhz, failed);
    add_number(object, "threads", machine->threads, failed);
    add_count(object, "memory_bytes", machine->memory, failed);
    add_text(object, "gpu", machine->gpu, failed);
    add_text(object, "driver", machine->driver, failed);
    add_text(object, "runtime", machine->runtime, failed);
    add_text(object, "compute_capability", machine->compute, failed);
    add_number(object, "multiprocessors", machine->multiprocessors, failed);
    add_count(object, "gpu_memory_bytes", machine->gpu_memory, failed);
    add_number(object, "gpu_mhz", machine->gpu_mhz, failed);
    add_number(object, "gpu_memory_mhz", machine->gpu_memory_mhz, failed);
}

static void add_counts(cJSON *object, const BenchRow *row, bool *failed)
{
    if (row->counting == BENCH_UNCOUNTED) {
        json_null(object, "counting", failed);
        json_null(object, "counts", failed);
        return;
    }
    json_string(object, "counting", bench_counting_name(row->counting), failed);
    cJSON *counts = json_object(object, "counts", failed);
    for (const BenchCountField *field = bench_count_fields; field->key != NULL; field++)
        json_count(counts, field->key, bench_count_get(&row->counts, field), failed);
}

static void add_row(cJSON *rows, const BenchGroup *group, const BenchRow *row, bool *failed)
{
    bool calculates = row->cold.samples > 0 && row->verdict != BENCH_LIMIT;
    cJSON *object = json_object(rows, NULL, failed);
    json_string(object, "name", row->name, failed);
    json_string(object, "verdict", bench_verdict_name(row->verdict), failed);
    add_text(object, "message", row->message, failed);
    add_timing(object, "cold", &row->cold, failed);
    add_timing(object, "warm", &row->warm, failed);
    add_number(object, "bytes_per_second", bench_rate(group, row), failed);
    add_number(object, "operations_per_second",
               calculates ? (double)group->operations / row->cold.median : 0, failed);
    add_number(object, "share_of_limit", bench_share(group, row), failed);
    add_number(object, "speedup", row->speedup, failed);
    add_number(object, "speedup_low", row->speedup_low, failed);
    add_number(object, "speedup_high", row->speedup_high, failed);
    add_counts(object, row, failed);
}

static void add_counters(cJSON *object, const BenchGroup *group, bool *failed)
{
    cJSON *list = json_array(object, "counters", failed);
    for (int i = 0; i < LAB_LESSON_COUNTERS; i++)
        if (group->counters[i] != LAB_NO_COUNTER)
            json_string(list, NULL, bench_counter(group->counters[i])->key, failed);
}

static void add_group(cJSON *groups, const BenchGroup *group, bool *failed)
{
    cJSON *object = json_object(groups, NULL, failed);
    json_string(object, "section", bench_section_name(group->section), failed);
    json_string(object, "title", group->title, failed);
    add_text(object, "heading", group->heading, failed);
    json_string(object, "subject", group->subject, failed);
    add_text(object, "format", group->format, failed);
    add_text(object, "counted", group->counted, failed);
    add_counters(object, group, failed);
    json_string(object, "backend", img_backend_name(group->backend), failed);
    add_count(object, "bytes", group->bytes, failed);
    add_count(object, "limit_bytes", group->limit_bytes, failed);
    add_count(object, "operations", group->operations, failed);
    cJSON *rows = json_array(object, "rows", failed);
    for (size_t r = 0; r < group->count; r++)
        add_row(rows, group, &group->rows[r], failed);
}

static void add_job(cJSON *jobs, const BenchJob *job, bool *failed)
{
    cJSON *object = json_object(jobs, NULL, failed);
    json_string(object, "title", job->title, failed);
    json_string(object, "subject", job->subject, failed);
    json_string(object, "backend", img_backend_name(job->backend), failed);
    add_text(object, "device", job->device, failed);
    json_string(object, "verdict", bench_verdict_name(job->verdict), failed);
    add_text(object, "message", job->message, failed);
    add_count(object, "images", job->images, failed);
    add_count(object, "pixel_bytes", job->pixel_bytes, failed);
    add_count(object, "bytes_read", job->bytes_in, failed);
    add_count(object, "bytes_written", job->bytes_out, failed);
    const BenchTiming *whole = bench_job_whole(job);
    double seconds = whole->samples > 0 ? whole->median : NAN;
    add_number(object, "images_per_second", (double)job->images / seconds, failed);
    add_number(object, "pixel_bytes_per_second", (double)job->pixel_bytes / seconds, failed);
    cJSON *stages = json_object(object, "stages", failed);
    for (int s = 0; s < STAGE_COUNT; s++)
        add_timing(stages, bench_stage_name((BenchStage)s), &job->stages[s], failed);
}

cJSON *bench_json(const BenchReport *report, bool *failed)
{
    cJSON *root = json_document("bench", "document", failed);
    bench_json_machine(root, "machine", &report->machine, failed);
    json_bool(root, "interrupted", report->interrupted, failed);
    json_bool(root, "any_failed", bench_report_failed(report), failed);
    cJSON *groups = json_array(root, "groups", failed);
    for (size_t g = 0; g < report->group_count; g++)
        add_group(groups, &report->groups[g], failed);
    cJSON *jobs = json_array(root, "jobs", failed);
    for (size_t j = 0; j < report->job_count; j++)
        add_job(jobs, &report->jobs[j], failed);
    return root;
}

ImgStatus bench_print_json(FILE *out, const BenchReport *report, ImgError *err)
{
    bool failed = false;
    cJSON *root = bench_json(report, &failed);
    json_null(root, "comparison", &failed);
    return json_print(out, root, failed, err);
}
