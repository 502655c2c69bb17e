#include "app/bench/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/pipeline.h"
#include "app/text/text.h"
#include "kernels/core/params.h"
#include "kernels/core/suggest.h"
#include "kernels/registry.h"

const BenchFormat bench_formats[] = {
    {"gray8", {IMG_COLOR_GRAY, 8}},        {"gray16", {IMG_COLOR_GRAY, 16}},
    {"graya8", {IMG_COLOR_GRAY_ALPHA, 8}}, {"graya16", {IMG_COLOR_GRAY_ALPHA, 16}},
    {"rgb8", {IMG_COLOR_RGB, 8}},          {"rgb16", {IMG_COLOR_RGB, 16}},
    {"rgba8", {IMG_COLOR_RGBA, 8}},        {"rgba16", {IMG_COLOR_RGBA, 16}},
    {NULL, {IMG_COLOR_GRAY, 0}},
};

/* Formats that are measured if the user names none: at least one for each number of bytes per
 * pixel. Width and height of the default size are odd, so that the code for edges runs too. */
static const char DEFAULT_FORMATS[] = "gray8,gray16,rgb8,rgba8,rgb16,rgba16";
static const char DEFAULT_SIZES[] = "4001x3001";

const char *bench_format_name(ImgFormat format)
{
    for (const BenchFormat *known = bench_formats; known->name != NULL; known++)
        if (img_format_equals(known->format, format))
            return known->name;
    return "";
}

/* Copies the next item of a comma-separated list to `item`, without the spaces around it. Returns
 * false at the end of the list. */
static bool next_item(const char **list, char *item, size_t size)
{
    if (*list == NULL)
        return false;
    const char *start = *list + strspn(*list, " ");
    size_t length = strcspn(start, ",");
    *list = start[length] == ',' ? start + length + 1 : NULL;
    while (length > 0 && start[length - 1] == ' ')
        length--;
    snprintf(item, size, "%.*s", (int)(length < size ? length : size - 1), start);
    return true;
}

static ImgStatus add_size(BenchPlan *plan, const char *item, ImgError *err)
{
    long side[2];
    char *end;
    side[0] = strtol(item, &end, 10);
    bool good = end != item && *end == 'x' && end[1] >= '0' && end[1] <= '9';
    side[1] = good ? strtol(end + 1, &end, 10) : 0;
    good = good && *end == '\0';
    for (int i = 0; i < 2; i++)
        good = good && side[i] > 0 && side[i] <= INT32_MAX;
    if (!good)
        return img_fail(err, IMG_E_USAGE,
                        "invalid --size '%s': use WIDTHxHEIGHT in pixels, such as 4001x3001,"
                        " or several with commas between",
                        item);
    for (size_t i = 0; i < plan->size_count; i++)
        if (plan->sizes[i][0] == side[0] && plan->sizes[i][1] == side[1])
            return IMG_OK;
    if (plan->size_count == BENCH_SIZES_MAX)
        return img_fail(err, IMG_E_USAGE, "--size: more than %d sizes are too many for one run",
                        BENCH_SIZES_MAX);
    plan->sizes[plan->size_count][0] = (int32_t)side[0];
    plan->sizes[plan->size_count++][1] = (int32_t)side[1];
    return IMG_OK;
}

static ImgStatus unknown_format(const char *item, ImgError *err)
{
    ImgSuggestion nearest = img_suggest_start(item);
    char names[128] = "";
    for (const BenchFormat *known = bench_formats; known->name != NULL; known++) {
        text_append(names, sizeof names, "%s%s", names[0] != '\0' ? ", " : "", known->name);
        img_suggest_offer(&nearest, known->name);
    }
    if (nearest.best != NULL)
        return img_fail(err, IMG_E_USAGE, "invalid --format '%s': did you mean '%s'? Use %s", item,
                        nearest.best, names);
    return img_fail(err, IMG_E_USAGE, "invalid --format '%s': use %s", item, names);
}

static ImgStatus add_format(BenchPlan *plan, const char *item, ImgError *err)
{
    const BenchFormat *format = bench_formats;
    while (format->name != NULL && strcmp(format->name, item) != 0)
        format++;
    if (format->name == NULL)
        return unknown_format(item, err);
    for (size_t i = 0; i < plan->format_count; i++)
        if (plan->formats[i] == format)
            return IMG_OK;
    plan->formats[plan->format_count++] = format;
    return IMG_OK;
}

/* Adds an implementation to the plan. Fails with IMG_E_USAGE if no step of the plan has an
 * implementation of this name, because that is probably a mistake. */
static ImgStatus add_impl(BenchPlan *plan, const char *item, ImgError *err)
{
    ImgSuggestion nearest = img_suggest_start(item);
    if (plan->impl_count == BENCH_IMPLS_MAX)
        return img_fail(err, IMG_E_USAGE, "--impl: more than %d names are too many for one run",
                        BENCH_IMPLS_MAX);
    for (size_t s = 0; s < plan->step_count; s++) {
        for (const ImgImpl *impl = plan->steps[s].op->impls; impl->name != NULL; impl++) {
            img_suggest_offer(&nearest, impl->name);
            if (strcmp(impl->name, item) != 0)
                continue;
            snprintf(plan->impls[plan->impl_count++], sizeof plan->impls[0], "%s", item);
            return IMG_OK;
        }
    }
    char text[IMG_SUGGESTION_TEXT];
    return img_fail(err, IMG_E_USAGE, "--impl: no operation of this run has '%s'; %s", item,
                    img_suggestion_text(&nearest, "'imgtool bench --list' lists them", text));
}

static ImgStatus each_item(const char *list, BenchPlan *plan,
                           ImgStatus (*add)(BenchPlan *, const char *, ImgError *), ImgError *err)
{
    char item[64];
    ImgStatus status = IMG_OK;
    while (status == IMG_OK && next_item(&list, item, sizeof item))
        status = add(plan, item, err);
    return status;
}

/* Some operations need facts from the metadata of a file, which a generated picture does not have.
 * They get the facts of a photo that was taken with an upright phone (EXIF orientation 6). */
static const ImgFacts upright_phone = {.orientation = 6};

/* Fails with a message for an operand that is not an operation. The operand may be a file, or a
 * misspelled form of the command. */
static ImgStatus explain_operand(const char *text, const ImgError *failure, ImgError *err)
{
    const ImgOp *op;
    ImgSuggestion nearest = img_suggest_start(text);
    for (size_t i = 0; (op = img_op_at(i)) != NULL; i++)
        img_suggest_offer(&nearest, op->name);
    const char *operation = nearest.best;
    img_suggest_offer(&nearest, "lab");
    img_suggest_offer(&nearest, "files");
    img_suggest_offer(&nearest, "codec");
    if (access(text, F_OK) == 0)
        return img_fail(
            err, IMG_E_USAGE,
            "bench: '%s' is a file, not an operation; 'imgtool bench files' takes files from end "
            "to end, and --image FILE measures operations with one",
            text);
    if (nearest.best != operation)
        return img_fail(err, IMG_E_USAGE, "bench: there is no operation '%s'; did you mean '%s'?",
                        text, nearest.best);
    return img_fail(err, failure->status, "%s", failure->message);
}

static ImgStatus add_step(BenchPlan *plan, const char *text, ImgError *err)
{
    if (plan->step_count == BENCH_STEPS_MAX)
        return img_fail(err, IMG_E_USAGE, "more than %d operations are too many for one run",
                        BENCH_STEPS_MAX);
    ImgStep *step = &plan->steps[plan->step_count++];
    ImgError failure = {IMG_OK, ""};
    if (pipeline_parse_single(text, step, &failure) != IMG_OK)
        return explain_operand(text, &failure, err);
    if (step->op->facts.bind != NULL)
        step->op->facts.bind(step->params.bytes, &upright_phone);
    return IMG_OK;
}

static void add_all_steps(BenchPlan *plan)
{
    const ImgOp *op;
    for (size_t i = 0; (op = img_op_at(i)) != NULL && plan->step_count < BENCH_STEPS_MAX; i++) {
        if (op->facts.bind != NULL)
            continue;
        ImgStep *step = &plan->steps[plan->step_count++];
        *step = (ImgStep){.op = op};
        img_params_init(op, &step->params);
    }
}

ImgStatus bench_plan_make(const Settings *settings, const char *const *operands, size_t count,
                          BenchPlan *plan, ImgError *err)
{
    *plan = (BenchPlan){.named = count > 0,
                        .cpu = settings->engine.backend != IMG_BACKEND_CUDA,
                        .cuda = settings->engine.backend != IMG_BACKEND_CPU};
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < count && status == IMG_OK; i++)
        status = add_step(plan, operands[i], err);
    if (count == 0)
        add_all_steps(plan);
    if (status == IMG_OK)
        status = each_item(settings->sizes != NULL ? settings->sizes : DEFAULT_SIZES, plan,
                           add_size, err);
    if (status == IMG_OK)
        status = each_item(settings->formats != NULL ? settings->formats : DEFAULT_FORMATS, plan,
                           add_format, err);
    if (status == IMG_OK && settings->engine.impl != NULL)
        status = each_item(settings->engine.impl, plan, add_impl, err);
    return status;
}

bool bench_plan_has(const BenchPlan *plan, const ImgImpl *impl)
{
    if (impl->backend == IMG_BACKEND_CUDA ? !plan->cuda : !plan->cpu)
        return false;
    for (size_t i = 0; i < plan->impl_count; i++)
        if (strcmp(plan->impls[i], impl->name) == 0)
            return true;
    return plan->impl_count == 0;
}

void bench_step_title(const ImgStep *step, char *title, size_t size)
{
    size_t used = (size_t)snprintf(title, size, "%s", step->op->name);
    for (const ImgParam *param = step->op->params; param->name != NULL && used < size; param++) {
        char text[IMG_PARAM_TEXT];
        img_params_print(param, &step->params, text, sizeof text);
        const bool is_told = param->choices != NULL && !param->is_detail;
        if (!is_told && img_param_is_default(param, &step->params))
            continue;
        used += (size_t)snprintf(title + used, size - used, " %s=", param->name);
        if (used < size)
            used += img_pipeline_print_value(text, title + used, size - used);
    }
}
