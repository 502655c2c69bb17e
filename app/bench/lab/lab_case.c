/* Measures or profiles one case of an experiment, which is a group of the report: checks the
 * results of its variants, counts their events in the emulator or on a GPU, and times them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/lab/lab.h"
#include "app/bench/measure/counters.h"
#include "app/bench/measure/measurement.h"
#include "app/bench/model/model.h"

/* --- Data and rows of a case ------------------------------------------------------------------ */

/* Input, expected output and output of one case, on the host and, if requested, on the GPU. */
typedef struct LabData {
    const LabExperiment *experiment;
    const LabCase *which;
    LabSize size;
    uint8_t *in, *expected, *got;
    void *device_in, *device_out;
} LabData;

enum { LAB_VARIANTS_MAX = 64 }; /* maximum number of rows (variants and the limit) in a group */

static bool lab_applies(const LabExperiment *experiment, const LabVariant *variant,
                        const LabCase *which)
{
    return experiment->applies == NULL || experiment->applies(variant, which);
}

/* Adds a row to the group. `variant` is NULL for the row of the limit (a copy or a plain read).
 * Returns NULL if memory is short. */
static BenchRow *lab_add_row(BenchGroup *group, const LabVariant *variant, const char *name,
                             ImgError *err)
{
    BenchRow *row = bench_group_add_row(group, err);
    if (row == NULL)
        return NULL;
    row->verdict = variant == NULL ? BENCH_LIMIT : BENCH_VERIFIED;
    snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

void lab_explain(const Bench *bench, BenchGroup *group, const char *title, const char *help)
{
    const BenchReport *report = &bench->report;
    snprintf(group->heading, sizeof group->heading, "%s", title);
    if (report->group_count < 2 || strcmp(group[-1].heading, group->heading) != 0)
        group->help = help;
}

/* Sets the title, subject, number of bytes and counters of the group. */
static void lab_describe(const Bench *bench, const LabData *data, bool on_device, BenchGroup *group)
{
    const LabExperiment *experiment = data->experiment;
    group->section = BENCH_LAB;
    group->backend = IMG_BACKEND_CUDA;
    group->bytes = on_device ? data->size.traffic : 0;
    group->operations = data->size.operations;
    snprintf(group->title, sizeof group->title, "%s", experiment->name);
    memcpy(group->counters, experiment->counters, sizeof group->counters);
    lab_explain(bench, group, experiment->title, experiment->help);
    snprintf(group->subject, sizeof group->subject, "%s", data->which->name);
}

/* Sets the text that describes the counted data, if these are only a part of the case, such as
 * "round 3 alone". Call it after lab_describe. */
static void lab_describe_counts(const LabCase *which, BenchGroup *group)
{
    const char *name = which->counted != NULL ? which->counted->name : which->name;
    if (which->less != NULL)
        snprintf(group->counted, sizeof group->counted, "%s alone", which->name);
    else if (strcmp(group->subject, name) != 0)
        snprintf(group->counted, sizeof group->counted, "%s", name);
}

static void lab_data_free(LabData *data)
{
    free(data->in);
    free(data->expected);
    free(data->got);
    img_device_free(data->device_in);
    img_device_free(data->device_out);
}

/* Allocates `size` bytes, but at least one, so that NULL always means that memory is short. */
static uint8_t *allocate(size_t size)
{
    return calloc(1, size > 0 ? size : 1);
}

/* Allocates the memory of the case and fills the input. Call lab_data_free even after a failure. */
static ImgStatus lab_data_open(const LabExperiment *experiment, const LabCase *which,
                               bool on_device, LabData *data, ImgError *err)
{
    *data = (LabData){.experiment = experiment, .which = which, .size = experiment->size(which)};
    data->in = allocate(data->size.in);
    data->expected = allocate(data->size.out);
    data->got = allocate(data->size.out);
    if (data->in == NULL || data->expected == NULL || data->got == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    if (data->size.in > 0)
        experiment->fill(which, data->in);
    ImgStatus status = IMG_OK;
    if (on_device && data->size.in > 0)
        status = img_device_alloc(&data->device_in, data->size.in, err);
    if (status == IMG_OK && on_device && data->size.in > 0)
        status = img_device_upload(data->device_in, data->in, data->size.in, err);
    if (status == IMG_OK && on_device)
        status = img_device_alloc(&data->device_out, data->size.out, err);
    return status;
}

/* Compares the output `got` of a variant with the expected output. Fails with IMG_E_MISMATCH if
 * they differ; the message names the first byte that differs. */
static ImgStatus lab_data_compare(const LabData *data, const LabVariant *variant, ImgError *err)
{
    data->experiment->reference(variant, data->which, data->in, data->expected);
    for (size_t i = 0; i < data->size.out; i++)
        if (data->expected[i] != data->got[i])
            return img_fail(err, IMG_E_MISMATCH, "differs from the reference at byte %zu of %zu", i,
                            data->size.out);
    return IMG_OK;
}

/* Runs the variant once on the GPU and compares its output with the expected output. */
static ImgStatus lab_data_check(LabData *data, const LabVariant *variant, ImgError *err)
{
    memset(data->got, 0x3c, data->size.out);
    ImgStatus status = img_device_upload(data->device_out, data->got, data->size.out, err);
    if (status == IMG_OK)
        status = data->experiment->launch(variant, data->which, data->device_in, data->device_out,
                                          img_device_stream(), err);
    if (status == IMG_OK)
        status = img_device_wait(err);
    if (status == IMG_OK)
        status = img_device_download(data->got, data->device_out, data->size.out, err);
    return status == IMG_OK ? lab_data_compare(data, variant, err) : status;
}

/* --- Measuring a case ------------------------------------------------------------------------- */

/* A group has a limit (the rate of a plain copy or read) only if its case moves at least this
 * number of bytes of global memory. If a kernel moves fewer bytes, memory does not determine its
 * time. */
static const uint64_t LEAST_FOR_LIMIT = 1 << 20;

/* State of measuring one case. It is the context of the functions that run its rows. */
typedef struct LabRun {
    Bench *bench;
    LabData *data;
    /* Case to measure. With --small, `data` belongs to which->counted instead, a smaller case. */
    const LabCase *which;
    /* variant of each row; NULL for the row of the limit (a copy or a plain read) */
    const LabVariant *variants[LAB_VARIANTS_MAX];
    const LabVariant *running;
} LabRun;

/* --- Counts ----------------------------------------------------------------------------------- */

static ImgStatus run_on_model(LabData *data, const LabVariant *variant, ImgLaunchCounts *counts,
                              ImgError *err)
{
    ImgStatus status = img_model_lab(data->experiment->name, data->which->name, variant->name,
                                     data->in, data->got, counts, err);
    return status == IMG_OK ? lab_data_compare(data, variant, err) : status;
}

/* Counts the events of one case in the emulator, which also checks the results. If hardware
 * counters were measured, they replace the counts. */
static ImgStatus count_case(const Bench *bench, const LabExperiment *experiment,
                            const LabCase *which, const LabVariant *variant, BenchRow *row,
                            ImgLaunchCounts *counts, ImgError *err)
{
    LabData data;
    ImgStatus status = lab_data_open(experiment, which, false, &data, err);
    if (status == IMG_OK)
        status = run_on_model(&data, variant, counts, err);
    lab_data_free(&data);
    if (status == IMG_OK)
        row->counting = bench_counters_replace(bench->counters, experiment->name, which->name,
                                               variant->name, counts)
                            ? BENCH_MEASURED
                            : BENCH_MODELLED;
    return status;
}

static ImgStatus count_row(const LabRun *run, const LabVariant *variant, BenchRow *row,
                           ImgError *err)
{
    const LabExperiment *experiment = run->data->experiment;
    const LabCase *which = run->which->counted != NULL ? run->which->counted : run->which;
    ImgLaunchCounts less;
    ImgStatus status = count_case(run->bench, experiment, which, variant, row, &row->counts, err);
    if (status != IMG_OK || run->which->less == NULL)
        return status;
    status = count_case(run->bench, experiment, run->which->less, variant, row, &less, err);
    if (status == IMG_OK)
        bench_counts_subtract(&row->counts, &less);
    return status;
}

/* --- Rows and groups -------------------------------------------------------------------------- */

static ImgStatus run_variant(void *context, void *stream, ImgError *err)
{
    const LabRun *run = context;
    const LabData *data = run->data;
    return data->experiment->launch(run->running, data->which, data->device_in, data->device_out,
                                    stream, err);
}

static uint64_t limit_bytes(const LabSize *size)
{
    return size->out < size->in / 4 ? size->in : 2 * (uint64_t)size->out;
}

static ImgStatus time_row(void *context, size_t row, ImgCaches caches, int repeats, double *seconds,
                          ImgError *err)
{
    LabRun *run = context;
    LabData *data = run->data;
    ImgDevice *device = run->bench->device;
    run->running = run->variants[row];
    if (run->running != NULL)
        return img_device_time(device, run_variant, run, caches, repeats, seconds, err);
    bool reads = limit_bytes(&data->size) == data->size.in;
    ImgDeviceRead read = {device, data->device_in, data->size.in};
    ImgDeviceCopy copy = {data->device_out, data->device_in, data->size.out};
    return img_device_time(device, reads ? img_device_read : img_device_copy,
                           reads ? (void *)&read : (void *)&copy, caches, repeats, seconds, err);
}

static BenchRow *add_row(BenchGroup *group, LabRun *run, const LabVariant *variant,
                         const char *name, ImgError *err)
{
    run->variants[group->count] = variant;
    return lab_add_row(group, variant, name, err);
}

static ImgStatus add_limit(BenchGroup *group, LabRun *run, ImgError *err)
{
    const LabSize *size = &run->data->size;
    bool reads = limit_bytes(size) == size->in;
    if (run->bench->device == NULL || size->operations > 0 || size->traffic < LEAST_FOR_LIMIT ||
        (!reads && size->in < size->out))
        return IMG_OK;
    group->limit_bytes = limit_bytes(size);
    return add_row(group, run, NULL, reads ? "plain read" : "device copy", err) != NULL
               ? IMG_OK
               : IMG_E_MEMORY;
}

static ImgStatus add_rows(BenchGroup *group, LabRun *run, ImgError *err)
{
    const Bench *bench = run->bench;
    LabData *data = run->data;
    ImgStatus status = add_limit(group, run, err);
    for (const LabVariant *v = data->experiment->variants; v->name != NULL; v++) {
        if (status != IMG_OK || bench->stopped() || group->count == LAB_VARIANTS_MAX)
            break;
        if (!lab_applies(data->experiment, v, data->which))
            continue;
        BenchRow *row = add_row(group, run, v, v->name, err);
        if (row == NULL)
            return IMG_E_MEMORY;
        ImgError failure = {IMG_OK, ""};
        if (bench->device != NULL && lab_data_check(data, v, &failure) != IMG_OK)
            bench_row_fail(row, &failure);
        img_error_clear(&failure);
        /* A build without the emulator has no counts. That is not a failure if the GPU has checked
         * the row. */
        if (count_row(run, v, row, &failure) != IMG_OK &&
            (bench->device == NULL || failure.status != IMG_E_UNAVAILABLE))
            bench_row_fail(row, &failure);
    }
    return status;
}

ImgStatus lab_measure_case(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                           ImgError *err)
{
    LabData data;
    LabRun run = {.bench = bench, .data = &data, .which = which};
    const LabCase *ran = bench->settings->small && which->counted != NULL ? which->counted : which;
    char what[256];
    snprintf(what, sizeof what, "%s, %s", experiment->name, ran->name);
    bench->begins(bench, what);
    BenchGroup *group = bench_report_add_group(&bench->report, err);
    if (group == NULL)
        return IMG_E_MEMORY;
    ImgStatus status = lab_data_open(experiment, ran, bench->device != NULL, &data, err);
    lab_describe(bench, &data, bench->device != NULL, group);
    lab_describe_counts(which, group);
    if (status == IMG_OK)
        status = add_rows(group, &run, err);
    Measurement measurement = {.group = group,
                               .run = time_row,
                               .context = &run,
                               .seconds = bench->settings->row_time * 1e-3,
                               .least_noise = bench_clock_step(bench),
                               .warm = true,
                               .stopped = bench->stopped};
    if (status == IMG_OK && bench->device != NULL)
        status = measurement_run(&measurement, err);
    lab_data_free(&data);
    if (status == IMG_OK)
        bench->finished(bench, group);
    return status;
}

/* --- For profilers -------------------------------------------------------------------------------
 *
 * Runs a case for profilers. Each launch is in a named range, which profilers show. */

static void profile_row(const LabExperiment *experiment, const LabCase *which,
                        const LabVariant *variant, LabData *data, BenchRow *row)
{
    char range[BENCH_RANGE];
    ImgError failure = {IMG_OK, ""};
    img_device_mark(bench_range_name(experiment->name, which->name, variant->name, range));
    if (lab_data_check(data, variant, &failure) != IMG_OK)
        bench_row_fail(row, &failure);
    img_device_mark(NULL);
}

static ImgStatus profile_case(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                              ImgError *err)
{
    LabData data;
    BenchGroup *group = bench_report_add_group(&bench->report, err);
    if (group == NULL)
        return IMG_E_MEMORY;
    ImgStatus status = lab_data_open(experiment, which, true, &data, err);
    lab_describe(bench, &data, true, group);
    for (const LabVariant *v = experiment->variants; v->name != NULL && status == IMG_OK; v++) {
        if (!lab_applies(experiment, v, which) || group->count == LAB_VARIANTS_MAX)
            continue;
        BenchRow *row = lab_add_row(group, v, v->name, err);
        if (row == NULL)
            status = IMG_E_MEMORY;
        else
            profile_row(experiment, which, v, &data, row);
    }
    lab_data_free(&data);
    if (status == IMG_OK)
        bench->finished(bench, group);
    return status;
}

static bool is_done(const Bench *bench, const LabExperiment *experiment, const LabCase *which)
{
    for (size_t i = 0; i < bench->report.group_count; i++)
        if (strcmp(bench->report.groups[i].title, experiment->name) == 0 &&
            strcmp(bench->report.groups[i].subject, which->name) == 0)
            return true;
    return false;
}

ImgStatus lab_profile_cases(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                            ImgError *err)
{
    ImgStatus status = IMG_OK;
    if ((!bench->settings->small || which->counted == NULL) && !is_done(bench, experiment, which))
        status = profile_case(bench, experiment, which, err);
    if (status == IMG_OK && which->counted != NULL)
        status = lab_profile_cases(bench, experiment, which->counted, err);
    if (status == IMG_OK && which->less != NULL)
        status = lab_profile_cases(bench, experiment, which->less, err);
    return status;
}
