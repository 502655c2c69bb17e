#include "app/cli/exit_code.h"

#include <stddef.h>

const ExitCode exit_codes[] = {
    {CLI_OK, "everything was done"},
    {CLI_SOME_FAILED, "some of several files failed"},
    {CLI_BAD_USAGE, "invalid command line"},
    {CLI_BAD_FILE, "a file could not be read, written or handled, or is over a limit"},
    {CLI_NO_BACKEND,
     "the backend, device or implementation asked for is unavailable, or failed at work"},
    {CLI_MISMATCH, "results that must be equal are not"},
    {CLI_TRY_AGAIN,
     "of batch: something failed that may go well later (no space, no memory, a GPU that was lost, "
     "another at work in the same directory); --resume continues"},
    {CLI_INTERRUPTED,
     "interrupted (Ctrl-C; 143: SIGTERM), after what was under way was finished or undone"},
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
