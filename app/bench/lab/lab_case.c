/* Functions for a case of an experiment that both measuring and profiling use. */
#include "app/bench/lab/lab_case.h"

#include <stdio.h>
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
