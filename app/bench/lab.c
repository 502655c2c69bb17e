/* The table's experiments: one case of all variants is a group. */
#include "app/bench/lab.h"

#include <stdio.h>
#include <string.h>

#include "app/bench/contest.h"
#include "app/bench/counters.h"
#include "app/bench/lab_work.h"
#include "kernels/core/suggest.h"
#include "kernels/emulator/model.h"

enum { VARIANTS_MAX = 64 };

/* A limit means something where memory is what a kernel waits for. */
static const uint64_t LEAST_FOR_LIMIT = 1 << 20;

/* What contests run. */
typedef struct LabRun {
    Bench *bench;
    LabWork *work;
    const LabVariant *variants[VARIANTS_MAX]; /* by row; NULL: the limit */
    const LabVariant *running;
} LabRun;

static bool applies(const LabExperiment *experiment, const LabVariant *variant,
                    const LabCase *which)
{
    return experiment->applies == NULL || experiment->applies(variant, which);
}

/* --- Counts ---------------------------------------------------------------------------------- */

static ImgStatus model(LabWork *work, const LabVariant *variant, ImgLaunchCounts *counts,
                       ImgError *err)
{
    ImgStatus status = img_model_lab(work->experiment->name, work->which->name, variant->name,
                                     work->in, work->got, counts, err);
    return status == IMG_OK ? lab_work_compare(work, variant, err) : status;
}

/* Of one case. The model also is what checks it where there is no GPU. */
static ImgStatus count_case(const Bench *bench, const LabExperiment *experiment,
                            const LabCase *which, const LabVariant *variant, BenchRow *row,
                            ImgLaunchCounts *counts, ImgError *err)
{
    LabWork work;
    ImgStatus status = lab_work_open(experiment, which, false, &work, err);
    if (status == IMG_OK)
        status = model(&work, variant, counts, err);
    lab_work_free(&work);
    if (status == IMG_OK)
        row->counting = bench_counters_replace(bench->counters, experiment->name, which->name,
                                               variant->name, counts)
                            ? BENCH_MEASURED
                            : BENCH_MODELLED;
    return status;
}

static ImgStatus count_row(const Bench *bench, const LabWork *work, const LabVariant *variant,
                           BenchRow *row, ImgError *err)
{
    const LabCase *which = work->which->counted != NULL ? work->which->counted : work->which;
    ImgLaunchCounts less;
    ImgStatus status = count_case(bench, work->experiment, which, variant, row, &row->counts, err);
    if (status != IMG_OK || which->less == NULL)
        return status;
    status = count_case(bench, work->experiment, which->less, variant, row, &less, err);
    if (status == IMG_OK)
        bench_counts_subtract(&row->counts, &less);
    return status;
}

/* --- Groups ---------------------------------------------------------------------------------- */

static ImgStatus run_variant(void *context, void *stream, ImgError *err)
{
    const LabRun *run = context;
    const LabWork *work = run->work;
    return work->experiment->launch(run->running, work->which, work->device_in, work->device_out,
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
    LabWork *work = run->work;
    ImgDevice *device = run->bench->device;
    run->running = run->variants[row];
    if (run->running != NULL)
        return img_device_time(device, run_variant, run, caches, repeats, seconds, err);
    bool reads = limit_bytes(&work->size) == work->size.in;
    ImgDeviceRead read = {device, work->device_in, work->size.in};
    ImgDeviceCopy copy = {work->device_out, work->device_in, work->size.out};
    return img_device_time(device, reads ? img_device_read : img_device_copy,
                           reads ? (void *)&read : (void *)&copy, caches, repeats, seconds, err);
}

static BenchRow *add_row(BenchGroup *group, LabRun *run, const LabVariant *variant,
                         const char *name, ImgError *err)
{
    run->variants[group->count] = variant;
    BenchRow *row = bench_group_add_row(group, err);
    if (row == NULL)
        return NULL;
    row->verdict = variant == NULL ? BENCH_LIMIT : BENCH_VERIFIED;
    snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

static ImgStatus add_limit(BenchGroup *group, LabRun *run, ImgError *err)
{
    const LabSize *size = &run->work->size;
    bool reads = limit_bytes(size) == size->in;
    if (run->bench->device == NULL || size->operations > 0 || size->traffic < LEAST_FOR_LIMIT ||
        (!reads && size->in < size->out))
        return IMG_OK;
    return add_row(group, run, NULL, reads ? "plain read" : "device copy", err) != NULL
               ? IMG_OK
               : IMG_E_MEMORY;
}

static ImgStatus add_rows(BenchGroup *group, LabRun *run, ImgError *err)
{
    const Bench *bench = run->bench;
    LabWork *work = run->work;
    ImgStatus status = add_limit(group, run, err);
    for (const LabVariant *v = work->experiment->variants; v->name != NULL; v++) {
        if (status != IMG_OK || bench->stopped() || group->count == VARIANTS_MAX)
            break;
        if (!applies(work->experiment, v, work->which))
            continue;
        BenchRow *row = add_row(group, run, v, v->name, err);
        if (row == NULL)
            return IMG_E_MEMORY;
        ImgError failure = {IMG_OK, ""};
        if (bench->device != NULL && lab_work_check(work, v, &failure) != IMG_OK)
            bench_row_fail(row, &failure);
        img_error_clear(&failure);
        /* Where a GPU has checked the row, a build without the model only goes without counts. */
        if (count_row(bench, work, v, row, &failure) != IMG_OK &&
            (bench->device == NULL || failure.status != IMG_E_UNAVAILABLE))
            bench_row_fail(row, &failure);
    }
    return status;
}

static void describe(const LabWork *work, bool on_device, BenchGroup *group)
{
    const LabExperiment *experiment = work->experiment;
    group->section = BENCH_LAB;
    group->backend = IMG_BACKEND_CUDA;
    group->bytes = on_device ? work->size.traffic : 0;
    group->operations = work->size.operations;
    snprintf(group->title, sizeof group->title, "%s", experiment->name);
    snprintf(group->heading, sizeof group->heading, "%s", experiment->title);
    snprintf(group->subject, sizeof group->subject, "%s", work->which->name);
    if (work->which->counted != NULL)
        snprintf(group->counted, sizeof group->counted, "%s", work->which->counted->name);
}

static ImgStatus measure_case(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                              ImgError *err)
{
    LabWork work;
    LabRun run = {.bench = bench, .work = &work};
    char what[256];
    snprintf(what, sizeof what, "%s, %s", experiment->name, which->name);
    bench->begins(bench, what);
    BenchGroup *group = bench_report_add_group(&bench->report, err);
    if (group == NULL)
        return IMG_E_MEMORY;
    ImgStatus status = lab_work_open(experiment, which, bench->device != NULL, &work, err);
    describe(&work, bench->device != NULL, group);
    if (status == IMG_OK)
        status = add_rows(group, &run, err);
    Contest contest = {.group = group,
                       .run = time_row,
                       .context = &run,
                       .limit_bytes = limit_bytes(&work.size),
                       .seconds = bench->settings->row_time * 1e-3,
                       .least_noise = bench_clock_step(bench),
                       .warm = true,
                       .stopped = bench->stopped};
    if (status == IMG_OK && bench->device != NULL)
        status = contest_run(&contest, err);
    lab_work_free(&work);
    if (status == IMG_OK)
        bench->finished(bench, group);
    return status;
}

/* --- For profilers: each launch once, in a range of its name --------------------------------- */

static void profile_row(const LabExperiment *experiment, const LabCase *which,
                        const LabVariant *variant, LabWork *work, BenchRow *row)
{
    char range[BENCH_RANGE];
    ImgError failure = {IMG_OK, ""};
    img_device_mark(bench_range_name(experiment->name, which->name, variant->name, range));
    if (lab_work_check(work, variant, &failure) != IMG_OK)
        bench_row_fail(row, &failure);
    img_device_mark(NULL);
}

static ImgStatus profile_case(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                              ImgError *err)
{
    LabWork work;
    LabRun run = {.bench = bench, .work = &work};
    BenchGroup *group = bench_report_add_group(&bench->report, err);
    if (group == NULL)
        return IMG_E_MEMORY;
    ImgStatus status = lab_work_open(experiment, which, true, &work, err);
    describe(&work, true, group);
    group->counted[0] = '\0';
    for (const LabVariant *v = experiment->variants; v->name != NULL && status == IMG_OK; v++) {
        if (!applies(experiment, v, which) || group->count == VARIANTS_MAX)
            continue;
        BenchRow *row = add_row(group, &run, v, v->name, err);
        if (row == NULL)
            status = IMG_E_MEMORY;
        else
            profile_row(experiment, which, v, &work, row);
    }
    lab_work_free(&work);
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

/* The case and those that are counted for it, each once; with --small only the latter. */
static ImgStatus profile_cases(Bench *bench, const LabExperiment *experiment, const LabCase *which,
                               ImgError *err)
{
    ImgStatus status = IMG_OK;
    if ((!bench->settings->small || which->counted == NULL) && !is_done(bench, experiment, which))
        status = profile_case(bench, experiment, which, err);
    if (status == IMG_OK && which->counted != NULL)
        status = profile_cases(bench, experiment, which->counted, err);
    if (status == IMG_OK && which->less != NULL)
        status = profile_cases(bench, experiment, which->less, err);
    return status;
}

/* Where only counts are told, a case that is counted by another one of the table says the same
 * again. */
static bool says_something(const Bench *bench, const LabExperiment *experiment,
                           const LabCase *which)
{
    return (bench->device != NULL && !bench->settings->small) || which->counted == NULL ||
           lab_find_case(experiment, which->counted->name) == NULL;
}

static ImgStatus measure_experiment(Bench *bench, const LabExperiment *experiment, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (const LabCase *which = experiment->cases; which->name != NULL; which++) {
        if (status != IMG_OK || bench->stopped())
            break;
        if (bench->settings->profile)
            status = profile_cases(bench, experiment, which, err);
        else if (says_something(bench, experiment, which))
            status = measure_case(
                bench, experiment,
                bench->settings->small && which->counted != NULL ? which->counted : which, err);
    }
    return status;
}

/* --- Which ----------------------------------------------------------------------------------- */

static bool is_named(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return count == 0;
}

ImgStatus bench_lab_check(const char *const *names, size_t count, ImgError *err)
{
    for (size_t i = 0; i < count; i++) {
        ImgSuggestion nearest = img_suggest_start(names[i]);
        bool known = lab_find(names[i]) != NULL;
        for (size_t k = 0; lab_experiments[k] != NULL; k++)
            img_suggest_offer(&nearest, lab_experiments[k]->name);
        for (const LabOps *ops = lab_ops; ops->name != NULL; ops++) {
            known |= strcmp(ops->name, names[i]) == 0;
            img_suggest_offer(&nearest, ops->name);
        }
        if (known)
            continue;
        if (nearest.best != NULL)
            return img_fail(err, IMG_E_USAGE,
                            "bench lab: there is no experiment '%s'; did you mean "
                            "'%s'?",
                            names[i], nearest.best);
        return img_fail(err, IMG_E_USAGE,
                        "bench lab: there is no experiment '%s'; 'imgtool bench "
                        "lab --list' lists them",
                        names[i]);
    }
    return IMG_OK;
}

ImgStatus bench_lab(Bench *bench, const char *const *names, size_t count, ImgError *err)
{
    ImgStatus status = IMG_OK;
    if (bench->device == NULL && !img_model_in_build())
        return img_fail(
            err, IMG_E_UNAVAILABLE,
            "bench lab: there is no GPU here, and this build has no model of one; build "
            "imgtool with a C++ compiler to get it");
    for (size_t i = 0; lab_experiments[i] != NULL && status == IMG_OK; i++)
        if (is_named(lab_experiments[i]->name, names, count))
            status = measure_experiment(bench, lab_experiments[i], err);
    for (const LabOps *ops = lab_ops; ops->name != NULL && status == IMG_OK; ops++)
        if (is_named(ops->name, names, count))
            status = bench_lab_ops(bench, ops, err);
    return status;
}
