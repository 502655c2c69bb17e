/* Converts the parsed JSON of a benchmark to a report. Checks all values and ignores unknown
 * keys. */
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/bench/export/export.h"
#include "app/bench/print/fields.h"
#include "kernels/core/select.h"

/* --- Values ----------------------------------------------------------------------------------- */

/* A value that is missing or null is read as "" or 0. A value of the wrong type is an error, and
 * the message contains its position. Only the first error is kept. */

enum { READ_PLACE = 128 };

/* State of reading a JSON document: the current position in it, and the first error. */
typedef struct Reader {
    ImgError *err;
    bool failed;
    /* position of the current object, such as "groups[3].rows[2]"; "" for the document itself */
    char place[READ_PLACE];
} Reader;

/* Writes to `place` the position of member `key` of the current object, for messages. */
static void read_inside(const Reader *reader, const char *key, char place[READ_PLACE])
{
    size_t length = strlen(reader->place);
    memcpy(place, reader->place, length + 1);
    if (length > 0)
        snprintf(place + length, READ_PLACE - length, ".%s", key);
    else
        snprintf(place, READ_PLACE, "%s", key);
}

static void fail_key(Reader *reader, const char *key, const char *what)
{
    char place[READ_PLACE];
    read_inside(reader, key, place);
    (void)img_fail(reader->err, IMG_E_FORMAT, "%s %s", place, what);
    reader->failed = true;
}

/* Returns the member `key` of a JSON object; NULL if the member is missing or null. */
static const cJSON *get(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNull(item) ? NULL : item;
}

/* Reads the text under `key`. A long text is truncated to `size` bytes, including the zero byte,
 * but never within a character. */
static void read_text(Reader *reader, const cJSON *object, const char *key, char *text, size_t size)
{
    const cJSON *item = get(object, key);
    text[0] = '\0';
    if (item == NULL)
        return;
    if (!cJSON_IsString(item)) {
        fail_key(reader, key, "is not text");
        return;
    }
    size_t length = strlen(item->valuestring);
    /* The text can exceed the size that it had in the report, because bytes that are not UTF-8
     * became longer sequences when they were written. */
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)item->valuestring[length] & 0xC0) == 0x80)
            length--;
    }
    memcpy(text, item->valuestring, length);
    text[length] = '\0';
}

/* Same as read_text, but records an error if the key is missing. */
static void read_name(Reader *reader, const cJSON *object, const char *key, char *text, size_t size)
{
    read_text(reader, object, key, text, size);
    if (get(object, key) == NULL)
        fail_key(reader, key, "is missing");
}

/* Reads the number under `key`, which must be finite and at least 0. */
static double read_number(Reader *reader, const cJSON *object, const char *key)
{
    const cJSON *item = get(object, key);
    if (item == NULL)
        return 0;
    if (!cJSON_IsNumber(item)) {
        fail_key(reader, key, "is not a number");
        return 0;
    }
    if (!isfinite(item->valuedouble) || item->valuedouble < 0) {
        fail_key(reader, key, "is negative or too large");
        return 0;
    }
    return item->valuedouble;
}

/* Reads a whole number from 0 to `most`. READ_ANY_COUNT as `most` accepts every uint64_t. */
#define READ_ANY_COUNT 18446744073709551616.0
static uint64_t read_count(Reader *reader, const cJSON *object, const char *key, double most)
{
    double number = read_number(reader, object, key);
    if (number != floor(number) || number > most) {
        fail_key(reader, key, "is not a whole number, or too large");
        return 0;
    }
    return number < READ_ANY_COUNT ? (uint64_t)number : UINT64_MAX;
}

static bool read_bool(Reader *reader, const cJSON *object, const char *key)
{
    const cJSON *item = get(object, key);
    if (item != NULL && !cJSON_IsBool(item))
        fail_key(reader, key, "is neither true nor false");
    return cJSON_IsTrue(item);
}

/* Returns the name that an enumeration value has in JSON. */
typedef const char *ReadNameFunction(int value);

/* Reads the name of an enumeration value under `key`, and returns the value. The names of the
 * values from `first` to `end - 1` are accepted. Records an error if the key is missing. */
static int read_choice(Reader *reader, const cJSON *object, const char *key,
                       ReadNameFunction *name_of, int first, int end)
{
    const cJSON *item = get(object, key);
    for (int value = first; cJSON_IsString(item) && value < end; value++)
        if (strcmp(item->valuestring, name_of(value)) == 0)
            return value;
    fail_key(reader, key,
             item == NULL ? "is missing" : "is not one of the values that imgtool writes");
    return first;
}

/* Returns the object (or the array, if `array` is set) under `key`. Returns NULL if there is none.
 * If the value has another type, records an error and returns NULL. */
static const cJSON *read_inner(Reader *reader, const cJSON *object, const char *key, bool array)
{
    const cJSON *item = get(object, key);
    if (item == NULL || (array ? cJSON_IsArray(item) : cJSON_IsObject(item)))
        return item;
    fail_key(reader, key, array ? "is not a list" : "is not an object");
    return NULL;
}

static const cJSON *read_object(Reader *reader, const cJSON *object, const char *key)
{
    return read_inner(reader, object, key, false);
}

/* Returns the JSON array under `key`. Records an error if the key is missing. */
static const cJSON *read_list(Reader *reader, const cJSON *object, const char *key)
{
    const cJSON *list = read_inner(reader, object, key, true);
    if (get(object, key) == NULL)
        fail_key(reader, key, "is missing");
    return list;
}

/* Makes `object` the current object, and sets its position to the text of `format`, such as
 * "rows[2]". Records an error if `object` is not a JSON object. */
static void IMG_PRINTF(3, 4)
    read_enter(Reader *reader, const cJSON *object, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->place, sizeof reader->place, format, arguments);
    va_end(arguments);
    if (!cJSON_IsObject(object)) {
        (void)img_fail(reader->err, IMG_E_FORMAT, "%s is not an object", reader->place);
        reader->failed = true;
    }
}

/* --- Report ----------------------------------------------------------------------------------- */

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

/* Reads the time under `key`. If its value is null, the row was not timed, and the time stays
 * empty. */
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
    TEXT("imgtool", version);
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

/* Reads the counters that the experiment of the group explains. Reports of version 0.2 list no
 * counters; wavefronts are shown for them. Unknown names are ignored, because a later version may
 * have added them. */
static void load_counters(const cJSON *object, BenchGroup *group)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "counters"), *item;
    int count = 0;
    if (list == NULL && group->section == BENCH_LAB)
        group->counters[0] = LAB_SHARED_WAVEFRONTS;
    cJSON_ArrayForEach(
        item, list) for (int i = LAB_NO_COUNTER + 1; i < LAB_COUNTERS;
                         i++) if (count < LAB_LESSON_COUNTERS && cJSON_IsString(item) &&
                                  strcmp(item->valuestring, bench_counter((LabCounter)i)->key) == 0)
        group->counters[count++] = (LabCounter)i;
}

static void load_group(Reader *reader, const cJSON *object, size_t number, BenchGroup *group)
{
    read_enter(reader, object, "groups[%zu]", number);
    group->section = (BenchSection)read_choice(reader, object, "section", section_name, BENCH_OPS,
                                               BENCH_CODEC + 1);
    read_name(reader, object, "title", group->title, sizeof group->title);
    read_text(reader, object, "heading", group->heading, sizeof group->heading);
    read_name(reader, object, "subject", group->subject, sizeof group->subject);
    read_text(reader, object, "format", group->format, sizeof group->format);
    read_text(reader, object, "counted", group->counted, sizeof group->counted);
    load_counters(object, group);
    group->backend = load_backend(reader, object);
    group->bytes = read_count(reader, object, "bytes", READ_ANY_COUNT);
    group->limit_bytes = read_count(reader, object, "limit_bytes", READ_ANY_COUNT);
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
    job->bytes_in = read_count(reader, object, "bytes_read", READ_ANY_COUNT);
    job->bytes_out = read_count(reader, object, "bytes_written", READ_ANY_COUNT);
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

ImgStatus bench_read_report(const cJSON *root, BenchReport *report, ImgError *err)
{
    Reader reader = {.err = err};
    load_report(&reader, root, report);
    return reader.failed ? err->status : IMG_OK;
}
