/* The command line, taken apart and checked. */
#ifndef IMGTOOL_APP_CLI_ARGS_H
#define IMGTOOL_APP_CLI_ARGS_H

#include "app/cli/command.h"
#include "app/cli/options.h"

struct Args {
    const Command *command; /* NULL: none was given */
    const ImgOp *op;        /* of operation_command */
    ImgParams params;       /* of `op` */
    bool params_given;      /* at least one of them */
    bool is_thumbnail;      /* `op` has its options (app/cli/thumbnail.h) */
    Settings settings;
    const char **operands; /* borrowed strings, then NULL, in an owned array */
    size_t operand_count;
    char *steps_operand; /* owned: the first of them, if --pipeline stands for it; else NULL */
    int argc;            /* as main got them, for the record */
    char **argv;
};

/* Options may stand anywhere; those of an operation come after its name. "--" ends them, "-" is a
 * file. --help and --version end the parsing: whatever else is there is not looked at.
 * On failure IMG_E_USAGE says what is wrong and what would be right. args_free in any case. */
ImgStatus args_parse(int argc, char **argv, Args *args, ImgError *err);
void args_free(Args *args);

/* The steps of `op`, at least THUMBNAIL_STEPS of room; returns how many: 0 where it is NULL. */
size_t args_steps(const Args *args, ImgStep *steps);

#endif
