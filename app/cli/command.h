/* The commands beside the operations: one table for dispatch, help, manual and completion. */
#ifndef IMGTOOL_APP_CLI_COMMAND_H
#define IMGTOOL_APP_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/op.h"

typedef struct Args Args;

/* Does the work, prints its own errors, returns an exit code. */
typedef int CommandFunction(const Args *args);

typedef enum OperandKind {
    OPERAND_FILE,
    OPERAND_PIPELINE,
    OPERAND_TOPIC, /* an operation or a command */
    OPERAND_BENCH, /* an operation, a measurement, "lab", "files", "codec"; then experiments or
                      files */
    OPERAND_CHOICE,
} OperandKind;

typedef struct Operand {
    const char *name; /* NULL ends the list */
    OperandKind kind;
    bool optional, repeated;
    const char *const
        *choices; /* of OPERAND_CHOICE; of OPERAND_PIPELINE what may stand there beside
                   * operations; of OPERAND_BENCH experiments. Ends with NULL */
} Operand;

enum { OPERANDS_MAX = 3 };

typedef struct Command {
    const char *name; /* NULL ends the table */
    const char *synopsis;
    const char *help;    /* a paragraph */
    const char *example; /* what follows the name */
    unsigned bit;        /* one of FOR_... */
    Operand operands[OPERANDS_MAX + 1];
    CommandFunction *run;
    const char *options_note; /* of one with command_options: how its defaults differ */
    const ImgOp *measure;     /* what --impl is about; NULL: operations, or nothing */
} Command;

extern const Command commands[];

/* Stands for every operation: its name and help are the operation's. */
extern const Command operation_command;

const Command *command_find(const char *name);

/* The operation whose options it takes beside its own; NULL: none's. */
const ImgOp *command_options(const Command *command);

/* "imgtool rotate [options] INPUT OUTPUT"; `op` is NULL unless the command is operation_command. */
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

/* What `imgtool --version` prints. */
int cmd_version(const Args *args);

#endif
