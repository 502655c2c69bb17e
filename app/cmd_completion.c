/* `imgtool completion bash|zsh|fish`. */
#include <string.h>

#include "app/args.h"
#include "app/docs/docs.h"
#include "app/exit_code.h"
#include "app/report.h"

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
        img_fail(&err, IMG_E_USAGE,
                 "completion: there is none for '%s'; there is one for bash, zsh and fish", shell);
        return report_failure(&err);
    }
    return CLI_OK;
}
