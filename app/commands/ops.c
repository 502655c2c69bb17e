/* Runs `imgtool ops`, which lists the operations and, with -v or as JSON, their implementations. */
#include <math.h>
#include <stdio.h>

#include "app/cli/args.h"
#include "app/cli/docs/docs.h"
#include "app/cli/exit_code.h"
#include "app/term/messages.h"
#include "app/text/json.h"
#include "app/text/text.h"
#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/registry.h"

static const char *why_unusable(const ImgImpl *impl)
{
    if (impl->run == NULL)
        return "not in this build";
    return img_impl_usable(impl) ? NULL : "not on this processor";
}

/* Returns whether the automatic choice, with default parameters, selects this implementation. */
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

static void add_choices(cJSON *entry, const char *name, const ImgChoice *choice, bool *failed)
{
    if (choice == NULL) {
        json_null(entry, name, failed);
        return;
    }
    cJSON *choices = json_array(entry, name, failed);
    for (; choice->name != NULL; choice++)
        json_string(choices, NULL, choice->name, failed);
}

static void add_params(cJSON *object, const ImgOp *op, bool *failed)
{
    static const char *const types[] = {
        [IMG_PARAM_INT] = "integer", [IMG_PARAM_DECIMAL] = "decimal", [IMG_PARAM_CHOICE] = "choice",
        [IMG_PARAM_COLOR] = "color", [IMG_PARAM_NUMBERS] = "numbers", [IMG_PARAM_SIZE] = "size",
        [IMG_PARAM_RATIO] = "ratio", [IMG_PARAM_RANGE] = "range",     [IMG_PARAM_FILE] = "file"};
    static const double units[] = {
        [IMG_PARAM_INT] = 1,     [IMG_PARAM_DECIMAL] = 1e3, [IMG_PARAM_CHOICE] = NAN,
        [IMG_PARAM_COLOR] = NAN, [IMG_PARAM_NUMBERS] = 1e6, [IMG_PARAM_SIZE] = 1,
        [IMG_PARAM_RATIO] = NAN, [IMG_PARAM_RANGE] = 1,     [IMG_PARAM_FILE] = NAN};
    cJSON *params = json_array(object, "options", failed);
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        /* the integer that stands for the value 1; NAN: the type has no range, so null is
         * printed */
        double unit = units[param->type];
        cJSON *entry = json_object(params, NULL, failed);
        json_string(entry, "name", param->name, failed);
        json_string(entry, "help", param->help, failed);
        json_string(entry, "default", param->default_value, failed);
        json_string(entry, "type", types[param->type], failed);
        json_number(entry, "minimum", param->min / unit, failed);
        json_number(entry, "maximum", param->max / unit, failed);
        add_choices(entry, "choices", param->choices, failed);
        add_choices(entry, "flags", param->flags, failed);
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

static void add_op(cJSON *list, const ImgOp *op, const char *kind, bool *failed)
{
    cJSON *object = json_object(list, NULL, failed);
    json_string(object, "name", op->name, failed);
    json_string(object, "kind", kind, failed);
    json_string(object, "synopsis", op->synopsis, failed);
    add_params(object, op, failed);
    add_impls(object, op, failed);
}

static int print_json(void)
{
    ImgError err = {IMG_OK, ""};
    bool failed = false;
    cJSON *root = json_document("ops", "document", &failed);
    cJSON *list = json_array(root, "operations", &failed);
    for (size_t i = 0; img_ops[i] != NULL; i++)
        add_op(list, img_ops[i], "operation", &failed);
    for (size_t i = 0; img_measures[i] != NULL; i++)
        add_op(list, img_measures[i], "measurement", &failed);
    return json_print(stdout, root, failed, &err) == IMG_OK ? CLI_OK : report_failure(&err);
}

static void print_op(const ImgOp *op, bool more)
{
    printf("%-15s%s\n", op->name, op->synopsis);
    if (more)
        print_impls(op);
}

int cmd_ops(const Args *args)
{
    if (args->settings.json)
        return print_json();
    bool more = args->settings.engine.verbosity >= VERBOSITY_MORE;
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        if (more && i > 0)
            putchar('\n');
        print_op(img_ops[i], more);
    }
    /* Measurements are run by commands such as `stats`, and are not operations. */
    for (size_t i = 0; more && img_measures[i] != NULL; i++) {
        putchar('\n');
        print_op(img_measures[i], more);
    }
    return CLI_OK;
}
