/* `imgtool ops`: the operations and, with -v or as JSON, their implementations. */
#include <stdio.h>

#include "app/args.h"
#include "app/docs.h"
#include "app/exit_code.h"
#include "app/json.h"
#include "app/report.h"
#include "app/text.h"
#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/registry.h"

static const char *why_unusable(const ImgImpl *impl)
{
    if (impl->run == NULL)
        return "not in this build";
    return img_impl_usable(impl) ? NULL : "not on this processor";
}

/* The row that runs where the user asks for no other, with the operation's defaults. */
static bool is_choice(const ImgOp *op, const ImgImpl *impl)
{
    const ImgShape any = {1, 1, {IMG_COLOR_GRAY, 8}};
    const ImgImpl *fastest;
    ImgParams params;
    img_params_init(op, &params);
    return img_impl_fastest(op, impl->backend, any, params.bytes, &fastest, NULL) == IMG_OK &&
           fastest == impl;
}

static void print_impls(const ImgOp *op)
{
    for (const ImgImpl *impl = op->impls; impl->name != NULL; impl++) {
        char left[64], words[256];
        const char *not_here = why_unusable(impl);
        snprintf(left, sizeof left, "  %-5s %s%s", img_backend_name(impl->backend), impl->name,
                 is_choice(op, impl) ? " *" : "");
        snprintf(words, sizeof words, "%s%s%s%s", impl->note, not_here != NULL ? " (" : "",
                 not_here != NULL ? not_here : "", not_here != NULL ? ")" : "");
        text_entry(stdout, left, 32, words);
    }
}

static void add_params(cJSON *object, const ImgOp *op, bool *failed)
{
    cJSON *params = json_array(object, "options", failed);
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        cJSON *entry = json_object(params, NULL, failed);
        json_string(entry, "name", param->name, failed);
        json_string(entry, "help", param->help, failed);
        json_string(entry, "default", param->default_value, failed);
        if (param->type == IMG_PARAM_INT) {
            json_string(entry, "type", "integer", failed);
            json_number(entry, "minimum", param->min, failed);
            json_number(entry, "maximum", param->max, failed);
        } else {
            json_string(entry, "type", "choice", failed);
            cJSON *choices = json_array(entry, "choices", failed);
            for (const ImgChoice *choice = param->choices; choice->name != NULL; choice++)
                json_string(choices, NULL, choice->name, failed);
        }
    }
}

static void add_impls(cJSON *object, const ImgOp *op, bool *failed)
{
    cJSON *impls = json_array(object, "implementations", failed);
    for (const ImgImpl *impl = op->impls; impl->name != NULL; impl++) {
        cJSON *entry = json_object(impls, NULL, failed);
        json_string(entry, "name", impl->name, failed);
        json_string(entry, "backend", img_backend_name(impl->backend), failed);
        json_string(entry, "note", impl->note, failed);
        json_bool(entry, "in_build", impl->run != NULL, failed);
        json_bool(entry, "usable", img_impl_usable(impl), failed);
        json_bool(entry, "fastest", is_choice(op, impl), failed);
    }
}

static int print_json(void)
{
    ImgError err = {IMG_OK, ""};
    bool failed = false;
    cJSON *root = cJSON_CreateArray();
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        cJSON *object = json_object(root, NULL, &failed);
        json_string(object, "name", img_ops[i]->name, &failed);
        json_string(object, "synopsis", img_ops[i]->synopsis, &failed);
        add_params(object, img_ops[i], &failed);
        add_impls(object, img_ops[i], &failed);
    }
    return json_print(stdout, root, failed, &err) == IMG_OK ? CLI_OK : report_failure(&err);
}

int cmd_ops(const Args *args)
{
    if (args->settings.json)
        return print_json();
    bool more = args->settings.verbosity >= VERBOSITY_MORE;
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        if (more && i > 0)
            putchar('\n');
        printf("%-12s%s\n", img_ops[i]->name, img_ops[i]->synopsis);
        if (more)
            print_impls(img_ops[i]);
    }
    return CLI_OK;
}
