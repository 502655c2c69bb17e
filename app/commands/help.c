/* Runs `imgtool help`, --help and --version, without initialising CUDA. */
#include <stdio.h>

#include "app/cli/args.h"
#include "app/cli/docs/docs.h"
#include "app/cli/exit_code.h"
#include "app/library/imgtool.h"
#include "app/term/messages.h"
#include "app/text/json.h"
#include "kernels/core/exec/exec.h"
#include "kernels/core/suggest.h"
#include "kernels/registry.h"

int cmd_version(const Args *args)
{
    (void)args;
    printf("imgtool %s (CUDA backend: %s)\n", imgtool_version(),
           img_cuda_in_build() ? "in this build" : "not in this build");
    return CLI_OK;
}

static int unknown_topic(const char *topic)
{
    ImgError err = {IMG_OK, ""};
    ImgSuggestion nearest = img_suggest_start(topic);
    for (size_t i = 0; img_ops[i] != NULL; i++)
        img_suggest_offer(&nearest, img_ops[i]->name);
    for (const Command *command = commands; command->name != NULL; command++)
        img_suggest_offer(&nearest, command->name);
    char text[IMG_SUGGESTION_TEXT];
    img_fail(&err, IMG_E_USAGE, "help: there is no help topic '%s'; %s", topic,
             img_suggestion_text(&nearest, "'imgtool help' lists all topics", text));
    return report_failure(&err);
}

static int print_topic(const char *topic)
{
    const ImgOp *op;
    const Command *command = command_find(topic);
    if (command != NULL)
        docs_command(stdout, command);
    else if (img_op_find(topic, &op, NULL) == IMG_OK)
        docs_operation(stdout, op);
    else
        return unknown_topic(topic);
    return CLI_OK;
}

/* Prints the help that the options request, as in `imgtool rotate --help` and `imgtool --help
 * rotate`. */
static int print_help_of(const Args *args)
{
    if (args->command == NULL && args->operand_count > 0)
        return print_topic(args->operands[0]);
    if (args->op != NULL && args->command == &operation_command)
        docs_operation(stdout, args->op);
    else if (args->command != NULL)
        docs_command(stdout, args->command);
    else if (args->settings.help == HELP_ALL)
        docs_overview(stdout);
    else
        docs_summary(stdout);
    return CLI_OK;
}

int cmd_help(const Args *args)
{
    if (args->settings.help)
        return print_help_of(args);
    bool topic = args->operand_count > 0;
    if (topic && args->settings.help_format != HELP_TEXT) {
        ImgError err = {IMG_OK, ""};
        img_fail(&err, IMG_E_USAGE,
                 "help: only the text format has single topics; leave out "
                 "'%s' or --format",
                 args->operands[0]);
        return report_failure(&err);
    }
    if (topic)
        return print_topic(args->operands[0]);
    switch (args->settings.help_format) {
    case HELP_MARKDOWN:
        docs_markdown(stdout);
        break;
    case HELP_MAN:
        docs_man(stdout);
        break;
    case HELP_JSON_SCHEMA:
        fputs(json_schema, stdout);
        break;
    default:
        docs_overview(stdout);
        break;
    }
    return CLI_OK;
}
