/* Parses and checks the command line. */
#ifndef IMGTOOL_APP_CLI_ARGS_H
#define IMGTOOL_APP_CLI_ARGS_H

#include "app/cli/command.h"
#include "app/cli/options.h"

struct Args {
    const Command *command; /* the command; NULL: the command line names none */
    /* operation of the command; for thumbnail the operation that describes its options; NULL:
     * none */
    const ImgOp *op;
    ImgParams params;  /* parameters of `op` */
    bool params_given; /* at least one of the parameters was given */
    bool is_thumbnail; /* `op` describes the options of thumbnail */
    Settings settings;
    const char **operands; /* owned array of borrowed strings, ended by NULL */
    size_t operand_count;
    /* The operand "@FILE" that args_parse inserts for --pipeline FILE; owned. NULL: the option was
     * not given. */
    char *steps_operand;
    /* `argc` and `argv` of main, for other programs and the server that run the same command. */
    int argc;
    char **argv;
};

/* Parses a command line. Options may come before or after operands; options of an operation follow
 * the name of the operation. "--" ends the options, and "-" is an operand. Parsing stops at --help
 * and --version. On failure the status is IMG_E_USAGE, and the message names the mistake and the
 * correct form. The caller must call args_free, also after a failure. */
ImgStatus args_parse(int argc, char **argv, Args *args, ImgError *err);
void args_free(Args *args);

/* Writes the steps of `op` to `steps`, which has room for IMG_THUMBNAIL_STEPS, and returns their
 * number. Returns 0 if `op` is NULL. */
size_t args_steps(const Args *args, ImgStep *steps);

#endif
