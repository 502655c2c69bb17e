/* The exit codes of the program, and their meanings for help and documentation. */
#ifndef IMGTOOL_APP_CLI_EXIT_CODE_H
#define IMGTOOL_APP_CLI_EXIT_CODE_H

#include <stdbool.h>

#include "kernels/core/status.h"

enum {
    CLI_OK = 0,
    CLI_SOME_FAILED = 1,
    CLI_BAD_USAGE = 2,
    CLI_BAD_FILE = 3,
    CLI_NO_BACKEND = 4,
    CLI_MISMATCH = 5,
    CLI_TRY_AGAIN = 75,    /* EX_TEMPFAIL of sysexits.h; job schedulers recognise it */
    CLI_INTERRUPTED = 130, /* 128 + SIGINT, as shells report a process that was ended by SIGINT */
};

typedef struct ExitCode {
    int code;
    const char *meaning; /* one line without a full stop; NULL marks the end of the table */
} ExitCode;

extern const ExitCode exit_codes[];

int exit_code_of(ImgStatus status);

/* Returns whether the same command may succeed later or on another machine. It may after lack of
 * memory or disk space, and after the loss of a device. */
bool exit_may_try_again(ImgStatus status);

#endif
