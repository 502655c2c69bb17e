/* The table of commands that are not operations. It is used to run commands, and to print help, man
 * page and completion scripts. */
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
    OPERAND_TOPIC, /* the name of an operation or of a command */
    /* An operation, a measurement, "lab", "files" or "codec". Names of experiments or of files may
     * follow. */
    OPERAND_BENCH,
    OPERAND_CHOICE,
} OperandKind;

typedef struct Operand {
    const char *name; /* name of the operand in usage lines; NULL marks the end of the list */
    OperandKind kind;
    bool optional, repeated;
    const char *const *choices; /* Words that are accepted here, ended by NULL. OPERAND_CHOICE
                                   accepts only these; OPERAND_PIPELINE accepts these in addition to
                                   operations; for OPERAND_BENCH they are the experiments. */
} Operand;

enum { OPERANDS_MAX = 3, COMMAND_FORMS_MAX = 3 };

typedef struct Command {
    const char *name; /* name of the command; NULL marks the end of the table */
    const char *synopsis;
    const char *help;    /* text for help; "\n\n" separates paragraphs */
    const char *example; /* arguments of an example command line, without the name of the command */
    unsigned bit;        /* the FOR_... bit of the command (app/cli/options.h) */
    Operand operands[OPERANDS_MAX + 1];
    /* Further forms of the command line in the help, without "imgtool", ended by NULL. */
    const char *more_usage[COMMAND_FORMS_MAX + 1];
    CommandFunction *run;
    /* Note for the help that the command's defaults differ from the defaults of the operation whose
     * options it accepts (command_options). NULL: no note. */
    const char *options_note;
    /* The measurement whose implementations --impl selects; NULL: --impl selects implementations of
     * operations. */
    const ImgOp *measure;
} Command;

extern const Command commands[];

/* The entry that stands for all operations. In messages and help, name and text of the operation
 * replace those of this entry. */
extern const Command operation_command;

const Command *command_find(const char *name);

/* Returns the operation whose options this command accepts in addition to its own. Returns NULL if
 * there is none. */
const ImgOp *command_options(const Command *command);

enum { USAGE_SIZE = 160 }; /* size of a usage line, in bytes */

/* Writes a usage line to `text` and returns it, such as "imgtool rotate [options] INPUT OUTPUT".
 * `op` is NULL unless the command is operation_command. */
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

/* Runs `imgtool batch stats` (app/commands/stats.c). Called by cmd_batch. */
int batch_stats(const Args *args);

/* Prints the version, for `imgtool --version`. */
int cmd_version(const Args *args);

#endif
