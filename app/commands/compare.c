/* Runs `imgtool compare FIRST SECOND`. */
#include <string.h>

#include "app/cli/args.h"
#include "app/cli/exit_code.h"
#include "app/compare/compare.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"

static ImgStatus check(const Args *args, ImgError *err)
{
    if (strcmp(args->operands[0], "-") == 0 && strcmp(args->operands[1], "-") == 0)
        return img_fail(err, IMG_E_USAGE,
                        "compare: only one of the pictures can come from standard input; name a "
                        "file for the other");
    if (args->settings.diff == NULL && option_given(&args->settings, "amplify"))
        return img_fail(err, IMG_E_USAGE,
                        "compare: --amplify needs --diff FILE, whose picture it changes; add "
                        "--diff, or leave it out");
    return IMG_OK;
}

static ImgStatus print(const Settings *settings, const CompareReport *report, ImgError *err)
{
    bool failed = false;
    if (!settings->json) {
        if (settings->engine.verbosity >= VERBOSITY_NORMAL)
            compare_print(stdout, report);
        return IMG_OK;
    }
    cJSON *root = json_document("compare", "document", &failed);
    compare_add_json(root, report, settings, &failed);
    return json_print(stdout, root, failed, err);
}

int cmd_compare(const Args *args)
{
    ImgError err = {IMG_OK, ""};
    CompareReport report;
    Sandbox sandbox = {.may_use_gpu = false};
    interrupt_install();
    ImgStatus status = check(args, &err);
    if (status == IMG_OK)
        status = compare_run(&args->settings, args->operands, &sandbox, &report, &err);
    sandbox_free(&sandbox);
    if (status == IMG_OK)
        status = print(&args->settings, &report, &err);
    if (status == IMG_OK)
        status = compare_check(&args->settings, &report, &err);
    return status == IMG_OK ? CLI_OK : report_failure(&err);
}
