/* Reading a report back. The file comes from anywhere: nothing in it is believed, unknown keys are
 * passed over, and the first thing that is wrong is named with its place. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/fields.h"
#include "app/bench/json.h"
#include "app/bench/json_read.h"
#include "kernels/core/select.h"

enum { MOST_BYTES = 64 * 1000 * 1000 };

/* --- Parts of a report -------------------------------------------------------------------------
 */

static const char *verdict_name(int value)
{
    return bench_verdict_name((BenchVerdict)value);
}

static const char *backend_name(int value)
{
    return img_backend_name((ImgBackend)value);
}

static const char *section_name(int value)
{
    return bench_section_name((BenchSection)value);
}

static const char *counting_name(int value)
{
    return bench_counting_name((BenchCounting)value);
}

/* Times that were not taken are missing. */
static void load_timing(Reader *reader, const cJSON *parent, const char *key, BenchTiming *timing)
{
    const cJSON *object = read_object(reader, parent, key);
    char outer[READ_PLACE], inner[READ_PLACE];
    if (object == NULL)
        return;
    memcpy(outer, reader->place, sizeof outer);
    read_inside(reader, key, inner);
    memcpy(reader->place, inner, sizeof inner);
    timing->samples = (size_t)read_count(reader, object, "samples", 1e15);
    timing->median = read_number(reader, object, "median_seconds");
    timing->noise = read_number(reader, object, "noise");
    timing->minimum = read_number(reader, object, "minimum_seconds");
    timing->low = read_number(reader, object, "low_seconds");
    timing->high = read_number(reader, object, "high_seconds");
    memcpy(reader->place, outer, sizeof outer);
}

static void load_machine(Reader *reader, const cJSON *root, BenchMachine *machine)
{
#define TEXT(key, member) read_text(reader, object, key, machine->member, sizeof machine->member)
    const cJSON *object = read_object(reader, root, "machine");
    if (object == NULL)
        return;
    read_enter(reader, object, "machine");
    TEXT("version", version);
    TEXT("date", date);
    TEXT("command", command);
    TEXT("cpu", cpu);
    TEXT("system", system);
    TEXT("gpu", gpu);
    TEXT("driver", driver);
    TEXT("runtime", runtime);
    TEXT("compute_capability", compute);
#undef TEXT
    machine->cpu_mhz = read_number(reader, object, "cpu_mhz");
    machine->threads = (int)read_count(reader, object, "threads", INT_MAX);
    machine->memory = read_count(reader, object, "memory_bytes", READ_ANY_COUNT);
    machine->multiprocessors = (int)read_count(reader, object, "multiprocessors", INT_MAX);
    machine->gpu_memory = read_count(reader, object, "gpu_memory_bytes", READ_ANY_COUNT);
    machine->gpu_mhz = read_number(reader, object, "gpu_mhz");
    machine->gpu_memory_mhz = read_number(reader, object, "gpu_memory_mhz");
    reader->place[0] = '\0';
}

static void load_counts(Reader *reader, const cJSON *object, BenchRow *row)
{
    const cJSON *counts = read_object(reader, object, "counts");
    if (counts == NULL)
        return;
    row->counting = (BenchCounting)read_choice(reader, object, "counting", counting_name,
                                               BENCH_MODELLED, BENCH_MEASURED + 1);
    for (const BenchCountField *field = bench_count_fields; field->key != NULL; field++) {
        uint64_t count = read_count(reader, counts, field->key, READ_ANY_COUNT);
        memcpy((char *)&row->counts + field->offset, &count, sizeof count);
    }
}

static void load_row(Reader *reader, const cJSON *object, BenchRow *row)
{
    read_name(reader, object, "name", row->name, sizeof row->name);
    row->verdict = (BenchVerdict)read_choice(reader, object, "verdict", verdict_name,
                                             BENCH_VERIFIED, BENCH_SKIPPED + 1);
    read_text(reader, object, "message", row->message, sizeof row->message);
    load_timing(reader, object, "cold", &row->cold);
    load_timing(reader, object, "warm", &row->warm);
    row->share = read_number(reader, object, "share_of_limit");
    row->speedup = read_number(reader, object, "speedup");
    row->speedup_low = read_number(reader, object, "speedup_low");
    row->speedup_high = read_number(reader, object, "speedup_high");
    load_counts(reader, object, row);
}

static ImgBackend load_backend(Reader *reader, const cJSON *object)
{
    return (ImgBackend)read_choice(reader, object, "backend", backend_name, IMG_BACKEND_AUTO,
                                   IMG_BACKEND_CUDA + 1);
}

static void load_group(Reader *reader, const cJSON *object, size_t number, BenchGroup *group)
{
    read_enter(reader, object, "groups[%zu]", number);
    group->section = (BenchSection)read_choice(reader, object, "section", section_name, BENCH_OPS,
                                               BENCH_LAB + 1);
    read_name(reader, object, "title", group->title, sizeof group->title);
    read_text(reader, object, "heading", group->heading, sizeof group->heading);
    read_name(reader, object, "subject", group->subject, sizeof group->subject);
    read_text(reader, object, "format", group->format, sizeof group->format);
    read_text(reader, object, "counted", group->counted, sizeof group->counted);
    group->backend = load_backend(reader, object);
    group->bytes = read_count(reader, object, "bytes", READ_ANY_COUNT);
    group->operations = read_count(reader, object, "operations", READ_ANY_COUNT);
    const cJSON *rows = read_list(reader, object, "rows"), *item;
    size_t index = 0;
    cJSON_ArrayForEach(item, rows)
    {
        BenchRow *row = reader->failed ? NULL : bench_group_add_row(group, reader->err);
        reader->failed |= row == NULL;
        if (reader->failed)
            return;
        read_enter(reader, item, "groups[%zu].rows[%zu]", number, index++);
        load_row(reader, item, row);
    }
}

static void load_job(Reader *reader, const cJSON *object, size_t number, BenchJob *job)
{
    read_enter(reader, object, "jobs[%zu]", number);
    read_name(reader, object, "title", job->title, sizeof job->title);
    read_name(reader, object, "subject", job->subject, sizeof job->subject);
    job->backend = load_backend(reader, object);
    read_text(reader, object, "device", job->device, sizeof job->device);
    job->verdict = (BenchVerdict)read_choice(reader, object, "verdict", verdict_name,
                                             BENCH_VERIFIED, BENCH_SKIPPED + 1);
    read_text(reader, object, "message", job->message, sizeof job->message);
    job->images = (size_t)read_count(reader, object, "images", 1e15);
    job->pixel_bytes = read_count(reader, object, "pixel_bytes", READ_ANY_COUNT);
    job->bytes_in = read_count(reader, object, "bytes_in", READ_ANY_COUNT);
    job->bytes_out = read_count(reader, object, "bytes_out", READ_ANY_COUNT);
    const cJSON *stages = read_object(reader, object, "stages");
    read_enter(reader, object, "jobs[%zu].stages", number);
    for (int s = 0; s < STAGE_COUNT && stages != NULL; s++)
        load_timing(reader, stages, bench_stage_name((BenchStage)s), &job->stages[s]);
}

static void load_report(Reader *reader, const cJSON *root, BenchReport *report)
{
    const cJSON *item;
    size_t number = 0;
    load_machine(reader, root, &report->machine);
    report->interrupted = read_bool(reader, root, "interrupted");
    const cJSON *groups = read_list(reader, root, "groups");
    cJSON_ArrayForEach(item, groups)
    {
        BenchGroup *group = reader->failed ? NULL : bench_report_add_group(report, reader->err);
        reader->failed |= group == NULL;
        if (reader->failed)
            return;
        load_group(reader, item, number++, group);
    }
    reader->place[0] = '\0';
    const cJSON *jobs = reader->failed ? NULL : read_list(reader, root, "jobs");
    number = 0;
    cJSON_ArrayForEach(item, jobs)
    {
        BenchJob *job = reader->failed ? NULL : bench_report_add_job(report, reader->err);
        reader->failed |= job == NULL;
        if (reader->failed)
            return;
        load_job(reader, item, number++, job);
    }
}

/* --- The file ----------------------------------------------------------------------------------
 */

/* Zeros follow the text: cJSON 1.7.15 looks one byte too far where it ends after a comma. */
enum { ZEROS = 16 };

static ImgStatus read_file(const char *path, char **text, size_t *length, ImgError *err)
{
    ImgStatus status = IMG_OK;
    size_t capacity = 1 << 16;
    char *grown = NULL;
    *text = NULL;
    *length = 0;
    FILE *in = fopen(path, "rbe");
    if (in == NULL)
        return img_fail(err, IMG_E_IO, "%s", strerror(errno));
    do {
        grown = realloc(*text, capacity + ZEROS);
        if (grown == NULL) {
            status = img_fail(err, IMG_E_MEMORY, "no memory");
            break;
        }
        *text = grown;
        *length += fread(*text + *length, 1, capacity - *length, in);
        memset(*text + *length, 0, ZEROS);
        if (ferror(in))
            status = img_fail(err, IMG_E_IO, "%s", strerror(errno));
        else if (*length > MOST_BYTES)
            status = img_fail(err, IMG_E_LIMIT, "is larger than 64 MB, which no benchmark is");
        else if (*length < capacity)
            break;
        capacity *= 2;
    } while (status == IMG_OK);
    (void)fclose(in);
    return status;
}

static ImgStatus fail_at(const char *text, const char *end, ImgError *err)
{
    size_t line = 1;
    for (const char *at = text; at < end; at++)
        line += *at == '\n';
    return img_fail(err, IMG_E_FORMAT, "is no JSON, or is cut off: line %zu makes no sense", line);
}

static ImgStatus parse(const char *text, size_t length, cJSON **root, ImgError *err)
{
    const char *end = text, *at;
    *root = cJSON_ParseWithLengthOpts(text, length + 1, &end, 0);
    if (*root == NULL)
        return fail_at(text, end, err);
    for (at = end; at < text + length; at++)
        if (strchr(" \t\r\n", *at) == NULL)
            return fail_at(text, at, err);
    const cJSON *format = cJSON_GetObjectItemCaseSensitive(*root, "imgtool_bench");
    if (!cJSON_IsNumber(format))
        return img_fail(err, IMG_E_FORMAT,
                        "is JSON, but not what 'imgtool bench --json' writes: it has no number "
                        "'imgtool_bench'");
    if (format->valuedouble != BENCH_JSON_FORMAT)
        return img_fail(err, IMG_E_FORMAT,
                        "is of format %g of 'imgtool bench --json'; this imgtool reads format %d",
                        format->valuedouble, BENCH_JSON_FORMAT);
    return IMG_OK;
}

ImgStatus bench_load(const char *path, BenchReport *report, ImgError *err)
{
    char *text = NULL;
    size_t length = 0;
    cJSON *root = NULL;
    ImgError why = {IMG_OK, ""};
    *report = BENCH_REPORT_NONE;
    ImgStatus status = read_file(path, &text, &length, &why);
    if (status == IMG_OK)
        status = parse(text, length, &root, &why);
    if (status == IMG_OK) {
        Reader reader = {.err = &why};
        load_report(&reader, root, report);
        status = reader.failed ? why.status : IMG_OK;
    }
    cJSON_Delete(root);
    free(text);
    if (status == IMG_OK)
        return IMG_OK;
    bench_report_free(report);
    return img_fail(err, status, "%s: %s", path, why.message);
}
