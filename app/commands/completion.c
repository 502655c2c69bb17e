/* Runs `imgtool completion bash|zsh|fish`, which prints a completion script. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/args.h"
#include "app/cli/docs/docs.h"
#include "app/cli/exit_code.h"
#include "app/term/messages.h"
#include "app/text/streams.h"

static const struct {
    const char *name;
    void (*print)(FILE *out);
} shells[] = {{"bash", docs_bash}, {"zsh", docs_zsh}, {"fish", docs_fish}};

/* Prints the script by a single write, so that a failure can be reported. */
static ImgStatus print(void (*print_to)(FILE *out), ImgError *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory != NULL)
        print_to(memory);
    const bool whole = memory != NULL && fclose(memory) == 0;
    if (whole) {
        (void)fwrite(text, 1, size, stdout);
        img_streams_flush_stdout();
    }
    free(text);
    return whole ? IMG_OK : img_fail(err, IMG_E_MEMORY, "completion: no memory");
}

int cmd_completion(const Args *args)
{
    const char *shell = args->operands[0];
    ImgError err = {IMG_OK, ""};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shell, shells[i].name) == 0)
            return print(shells[i].print, &err) == IMG_OK ? CLI_OK : report_failure(&err);
    img_fail(&err, IMG_E_USAGE, "completion: unknown shell '%s'; use bash, zsh or fish", shell);
    return report_failure(&err);
}
