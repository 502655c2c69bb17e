/* Runs a case for profilers. Each launch is in a named range, which profilers show. */
#include <string.h>

#include "app/bench/lab/lab_case.h"
#include "app/bench/measure/counters.h"

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
