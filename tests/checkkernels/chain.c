/* Chains of point operations (chain.h). */
#include "tests/checkkernels/chain.h"

#include <stdio.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/registry.h"

enum { TEXT_SIZE = 1024 };

static ImgStatus parse_value(char *word, ImgStep *step, ImgError *err)
{
    char *equals = strchr(word, '=');
    if (equals == NULL)
        return img_fail(err, IMG_E_USAGE, "%s: write parameters as NAME=VALUE, not '%s'",
                        step->op->name, word);
    *equals = '\0';
    return img_params_set(step->op, &step->params, word, equals + 1, err);
}

static ImgStatus parse_step(char *text, ImgStep *step, ImgError *err)
{
    char *rest = NULL, *name = strtok_r(text, " ", &rest);
    if (name == NULL)
        return img_fail(err, IMG_E_USAGE, "write steps as 'OPERATION NAME=VALUE | OPERATION'");
    ImgStatus status = img_op_find(name, &step->op, err);
    if (status == IMG_OK)
        img_params_init(step->op, &step->params);
    for (char *word; status == IMG_OK && (word = strtok_r(NULL, " ", &rest)) != NULL;)
        status = parse_value(word, step, err);
    return status;
}

ImgStatus chain_parse(const char *text, Chain *chain, ImgError *err)
{
    char copy[TEXT_SIZE], *rest = NULL;
    if ((size_t)snprintf(copy, sizeof copy, "%s", text) >= sizeof copy)
        return img_fail(err, IMG_E_USAGE, "a chain has at most %d characters", TEXT_SIZE - 1);
    ImgStatus status = IMG_OK;
    chain->count = 0;
    for (char *step = strtok_r(copy, "|", &rest); status == IMG_OK && step != NULL;
         step = strtok_r(NULL, "|", &rest)) {
        if (chain->count == IMG_STEPS_MAX)
            return img_fail(err, IMG_E_USAGE, "a chain has at most %d steps", IMG_STEPS_MAX);
        status = parse_step(step, &chain->steps[chain->count++], err);
    }
    return status == IMG_OK && chain->count == 0
               ? img_fail(err, IMG_E_USAGE, "a chain has at least one step")
               : status;
}

ImgStatus chain_plan(Chain *chain, ImgShape src, ImgBackend backend, ImgPlan *plan, ImgError *err)
{
    const ImgExecConfig config = {.backend = backend, .threads = 1};
    ImgKept kept = {.steps = NULL};
    ImgStatus status =
        img_plan_make(&config, chain->steps, chain->count, src, backend, NULL, &kept, plan, err);
    if (status != IMG_OK || plan->count == 1)
        return status;
    status = img_fail(err, IMG_E_USAGE, "this chain is %zu passes; only those of one are timed",
                      plan->count);
    img_plan_free(plan);
    return status;
}

ImgStatus chain_find(const ImgOp *op, const char *against, ImgShape src, const void *params,
                     const ImgImpl **impl, ImgError *err)
{
    if (strcmp(against, "fastest") == 0)
        return img_impl_fastest(op, IMG_BACKEND_CPU, src, params, impl, err);
    const ImgStatus status = img_impl_find(op, against, impl, err);
    if (status != IMG_OK)
        return status;
    if ((*impl)->backend != IMG_BACKEND_CPU)
        return img_fail(err, IMG_E_USAGE,
                        "--against compares with what the CPU makes, and '%s' is for %s; name one "
                        "of the CPU's, or 'fastest'",
                        against, img_backend_name((*impl)->backend));
    return img_impl_check(op, *impl, src, params, err);
}

static ImgStatus run_step(const ImgStep *step, const char *against, ImgCall call, ImgError *err)
{
    const ImgImpl *impl;
    call.op = step->op;
    call.params = step->params.bytes;
    ImgStatus status =
        img_op_prepare(step->op, img_view_shape(&call.src), call.params, &call.constants, err);
    if (status == IMG_OK)
        status = chain_find(step->op, against, img_view_shape(&call.src), call.params, &impl, err);
    if (status == IMG_OK)
        status = impl->run(&call, err);
    img_constants_free(&call.constants);
    return status;
}

ImgStatus chain_run_steps(const Chain *chain, const char *against, const ImgCall *call,
                          ImgError *err)
{
    ImgImage before = {.view = call->src}, after = IMG_IMAGE_NONE;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < chain->count; i++) {
        const ImgStep *step = &chain->steps[i];
        const bool is_last = i + 1 == chain->count;
        ImgCall own = {.src = before.view, .threads = call->threads, .team = call->team};
        ImgShape shape = {before.view.width, before.view.height, before.view.format};
        status = step->op->shape(shape, step->params.bytes, &shape, err);
        if (status == IMG_OK && !is_last)
            status = img_image_alloc(shape, &after, err);
        own.dst = is_last ? call->dst : after.view;
        if (status == IMG_OK)
            status = run_step(step, against, own, err);
        if (i > 0)
            img_image_free(&before);
        before = after;
        after = IMG_IMAGE_NONE;
    }
    img_image_free(&before);
    return status;
}
