/* The parsed and checked command line. */
#ifndef IMGTOOL_APP_CLI_ARGS_H
#define IMGTOOL_APP_CLI_ARGS_H

#include "app/cli/command.h"
#include "app/cli/options.h"

struct Args {
    const Command *command; /* NULL: none was given */
    const ImgOp *op;        /* the operation, or what describes thumbnail's options; NULL: none */
    ImgParams params;       /* of `op` */
    bool params_given;      /* whether at least one of them was given */
    bool is_thumbnail;      /* whether `op` describes the options of thumbnail */
    Settings settings;
    const char **operands; /* owned array of borrowed strings, ended by NULL */
    size_t operand_count;
    char *steps_operand; /* "@FILE" from --pipeline FILE, the first operand; owned; or NULL */
    int argc;            /* argc and argv of main, for the batch record */
    char **argv;
};

/* Parses a command line. Options may stand before or after operands; options of an operation follow
 * its name. "--" ends the options, and "-" is an operand. Parsing stops at --help and --version. On
 * failure IMG_E_USAGE names the mistake and the correct form. The caller calls args_free in any
 * case. */
ImgStatus args_parse(int argc, char **argv, Args *args, ImgError *err);
void args_free(Args *args);

/* Fills `steps` with the steps of `op` and returns their number, or 0 if `op` is NULL. `steps` has
 * room for IMG_THUMBNAIL_STEPS. */
size_t args_steps(const Args *args, ImgStep *steps);

#endif
