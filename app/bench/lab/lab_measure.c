/* Measures a case of an experiment: checks the results of its variants, counts their events in the
 * emulator or on a GPU, and times them. */
#include <stdio.h>

#include "app/bench/lab/lab_case.h"
#include "app/bench/measure/counters.h"
#include "app/bench/measure/measurement.h"
#include "app/bench/model/model.h"

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
