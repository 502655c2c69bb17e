#include "app/cli/exit_code.h"

#include <stddef.h>

const ExitCode exit_codes[] = {
    {CLI_OK, "success"},
    {CLI_SOME_FAILED, "one or more of several files failed, even if all did"},
    {CLI_BAD_USAGE, "invalid command line"},
    {CLI_BAD_FILE, "a file cannot be read, written or processed, or exceeds a limit"},
    {CLI_NO_BACKEND, "the requested backend, device or implementation is unavailable or failed"},
    {CLI_MISMATCH, "pictures or results that must be equal differ"},
    {CLI_TRY_AGAIN, "batch only: a temporary failure (no space, no memory, the GPU stopped "
                    "responding, another batch in the same directory); run it again with "
                    "--resume"},
    {CLI_INTERRUPTED,
     "interrupted by Ctrl-C (143: by SIGTERM); work in progress was finished or undone"},
    {0, NULL},
};

int exit_code_of(ImgStatus status)
{
    switch (status) {
    case IMG_OK:
        return CLI_OK;
    case IMG_E_USAGE:
        return CLI_BAD_USAGE;
    case IMG_E_IO:
    case IMG_E_FORMAT:
    case IMG_E_LIMIT:
    case IMG_E_MEMORY:
    case IMG_E_UNSUPPORTED:
    case IMG_E_TEMPORARY:
        return CLI_BAD_FILE;
    case IMG_E_UNAVAILABLE:
    case IMG_E_DEVICE:
        return CLI_NO_BACKEND;
    case IMG_E_MISMATCH:
        return CLI_MISMATCH;
    }
    return CLI_BAD_FILE;
}

bool exit_may_try_again(ImgStatus status)
{
    return status == IMG_E_TEMPORARY || status == IMG_E_MEMORY || status == IMG_E_DEVICE;
}
