/* `imgtool completion bash|zsh|fish`. */
#include <string.h>

#include "app/cli/args.h"
#include "app/cli/docs/docs.h"
#include "app/cli/exit_code.h"
#include "app/term/messages.h"

int cmd_completion(const Args *args)
{
    const char *shell = args->operands[0];
    if (strcmp(shell, "bash") == 0) {
        docs_bash(stdout);
    } else if (strcmp(shell, "zsh") == 0) {
        docs_zsh(stdout);
    } else if (strcmp(shell, "fish") == 0) {
        docs_fish(stdout);
    } else {
        ImgError err = {IMG_OK, ""};
        img_fail(&err, IMG_E_USAGE, "completion: unknown shell '%s'; use bash, zsh or fish", shell);
        return report_failure(&err);
    }
    return CLI_OK;
}
