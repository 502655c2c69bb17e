/* Functions that both measuring and profiling need for a case of an experiment. */
#include "app/bench/lab/lab_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool lab_applies(const LabExperiment *experiment, const LabVariant *variant, const LabCase *which)
{
    return experiment->applies == NULL || experiment->applies(variant, which);
}

BenchRow *lab_add_row(BenchGroup *group, const LabVariant *variant, const char *name, ImgError *err)
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

void lab_describe(const Bench *bench, const LabData *data, bool on_device, BenchGroup *group)
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

void lab_describe_counts(const LabCase *which, BenchGroup *group)
{
    const char *name = which->counted != NULL ? which->counted->name : which->name;
    if (which->less != NULL)
        snprintf(group->counted, sizeof group->counted, "%s alone", which->name);
    else if (strcmp(group->subject, name) != 0)
        snprintf(group->counted, sizeof group->counted, "%s", name);
}

void lab_data_free(LabData *data)
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

ImgStatus lab_data_open(const LabExperiment *experiment, const LabCase *which, bool on_device,
                        LabData *data, ImgError *err)
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

ImgStatus lab_data_compare(const LabData *data, const LabVariant *variant, ImgError *err)
{
    data->experiment->reference(variant, data->which, data->in, data->expected);
    for (size_t i = 0; i < data->size.out; i++)
        if (data->expected[i] != data->got[i])
            return img_fail(err, IMG_E_MISMATCH, "differs from the reference at byte %zu of %zu", i,
                            data->size.out);
    return IMG_OK;
}

ImgStatus lab_data_check(LabData *data, const LabVariant *variant, ImgError *err)
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
