/* Exit codes of the program, in one table that also feeds the documentation. */
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
    CLI_TRY_AGAIN = 75,    /* EX_TEMPFAIL of sysexits.h, which job schedulers recognise */
    CLI_INTERRUPTED = 130, /* 128 + SIGINT, as shells report a process that SIGINT ended */
};

typedef struct ExitCode {
    int code;
    const char *meaning; /* one line, no full stop; NULL ends the table */
} ExitCode;

extern const ExitCode exit_codes[];

int exit_code_of(ImgStatus status);

/* Returns whether the same command may succeed later or on another machine: after lack of memory or
 * space, or a lost device. */
bool exit_may_try_again(ImgStatus status);

#endif
