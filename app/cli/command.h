/* The table of commands other than operations, for dispatch, help, man page and completion. */
#ifndef IMGTOOL_APP_CLI_COMMAND_H
#define IMGTOOL_APP_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/op.h"

typedef struct Args Args;

/* Runs a command, prints its errors, and returns the exit code. */
typedef int CommandFunction(const Args *args);

typedef enum OperandKind {
    OPERAND_FILE,
    OPERAND_PIPELINE,
    OPERAND_TOPIC, /* the name of an operation or a command */
    OPERAND_BENCH, /* an operation, a measurement, "lab", "files" or "codec"; then experiments or
                      files */
    OPERAND_CHOICE,
} OperandKind;

typedef struct Operand {
    const char *name; /* NULL ends the list */
    OperandKind kind;
    bool optional, repeated;
    const char *const
        *choices; /* words that may stand here, ended by NULL: all of OPERAND_CHOICE; of
                     OPERAND_PIPELINE those beside operations; of OPERAND_BENCH the experiments */
} Operand;

enum { OPERANDS_MAX = 3 };

typedef struct Command {
    const char *name; /* NULL ends the table */
    const char *synopsis;
    const char *help;    /* "\n\n" separates paragraphs */
    const char *example; /* arguments of an example, without the name of the command */
    unsigned bit;        /* one of FOR_... */
    Operand operands[OPERANDS_MAX + 1];
    CommandFunction *run;
    const char *options_note; /* for a command with command_options: how its defaults differ */
    const ImgOp *measure;     /* measurement that --impl is for; NULL: for operations */
} Command;

extern const Command commands[];

/* The entry that stands for every operation; name and help are those of the operation. */
extern const Command operation_command;

const Command *command_find(const char *name);

/* Returns the operation whose options the command also takes, or NULL. */
const ImgOp *command_options(const Command *command);

/* Prints a usage line such as "imgtool rotate [options] INPUT OUTPUT". `op` is NULL unless the
 * command is operation_command. */
enum { USAGE_SIZE = 160 };
const char *command_usage(const Command *command, const ImgOp *op, char text[USAGE_SIZE]);

int cmd_image(const Args *args);
int cmd_batch(const Args *args);
int cmd_tiles(const Args *args);
int cmd_montage(const Args *args);
int cmd_serve(const Args *args);
int cmd_info(const Args *args);
int cmd_stats(const Args *args);
int cmd_histogram(const Args *args);
int cmd_compare(const Args *args);
int cmd_bench(const Args *args);
int cmd_ops(const Args *args);
int cmd_devices(const Args *args);
int cmd_help(const Args *args);
int cmd_completion(const Args *args);

/* Runs `imgtool batch stats` (commands/stats.c) for cmd_batch. */
int batch_stats(const Args *args);

/* Prints the version, for `imgtool --version`. */
int cmd_version(const Args *args);

#endif
