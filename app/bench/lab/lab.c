/* Selects the experiments and their cases. Each case, with all its variants, becomes one group of
 * the report. */
#include "app/bench/lab/lab.h"

#include <string.h>

#include "app/bench/model/model.h"
#include "app/text/text.h"
#include "kernels/core/suggest.h"

/* --- Sources of the kernels ------------------------------------------------------------------- */

static bool is_shown(const char *path, const char *name)
{
    const LabExperiment *experiment = lab_find(name);
    if (strcmp(name, LAB_ALL) == 0)
        return true;
    if (experiment != NULL)
        return text_has_word(experiment->sources, path);
    for (const LabOps *ops = lab_ops; ops->name != NULL; ops++)
        if (strcmp(ops->name, name) == 0)
            return text_has_word(ops->sources, path);
    return false;
}

void bench_lab_show(FILE *out, const char *const *names, size_t count)
{
    bool first = true;
    for (const LabSource *source = lab_sources; source->path != NULL; source++) {
        bool shown = false;
        for (size_t i = 0; i < count; i++)
            shown |= is_shown(source->path, names[i]);
        if (!shown)
            continue;
        fprintf(out, "%s/* ---- %s ---- */\n%s", first ? "" : "\n", source->path, source->text);
        first = false;
    }
}

/* --- Selection of experiments and cases ------------------------------------------------------- */

/* Returns true if measuring this case adds results to the report. Without a GPU or with --small
 * only counts are reported. They may come from a smaller case. If that case is in the experiment
 * too, this case would only repeat its counts. */
static bool adds_counts(const Bench *bench, const LabExperiment *experiment, const LabCase *which)
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
            status = lab_profile_cases(bench, experiment, which, err);
        else if (adds_counts(bench, experiment, which))
            status = lab_measure_case(bench, experiment, which, err);
    }
    return status;
}

/* --- Selection by name ------------------------------------------------------------------------ */

static bool is_named(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool is_wanted(const LabOps *ops, const char *const *names, size_t count)
{
    return is_named(ops->name, names, count) ||
           (!ops->only_named && is_named(LAB_ALL, names, count));
}

ImgStatus bench_lab_check(const char *const *names, size_t count, ImgError *err)
{
    for (size_t i = 0; i < count; i++) {
        ImgSuggestion nearest = img_suggest_start(names[i]);
        bool known = lab_find(names[i]) != NULL || strcmp(names[i], LAB_ALL) == 0;
        for (size_t k = 0; lab_experiments[k] != NULL; k++)
            img_suggest_offer(&nearest, lab_experiments[k]->name);
        for (const LabOps *ops = lab_ops; ops->name != NULL; ops++) {
            known |= strcmp(ops->name, names[i]) == 0;
            img_suggest_offer(&nearest, ops->name);
        }
        if (known)
            continue;
        char text[IMG_SUGGESTION_TEXT];
        return img_fail(
            err, IMG_E_USAGE, "bench lab: there is no experiment '%s'; %s", names[i],
            img_suggestion_text(&nearest, "'imgtool bench lab --list' lists them", text));
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
        if (is_named(lab_experiments[i]->name, names, count) || is_named(LAB_ALL, names, count))
            status = measure_experiment(bench, lab_experiments[i], err);
    for (const LabOps *ops = lab_ops; ops->name != NULL && status == IMG_OK; ops++)
        if (is_wanted(ops, names, count))
            status = bench_lab_ops(bench, ops, err);
    return status;
}
