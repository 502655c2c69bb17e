/* Operands of commands that take files and folders, as one list of files. */
#ifndef IMGTOOL_APP_INPUTS_H
#define IMGTOOL_APP_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

/* Start with INPUTS_NONE, end with inputs_free. */
typedef struct Inputs {
    char **paths; /* owned */
    size_t count, capacity;
    size_t failures;  /* folders that gave no file; each was reported */
    int failure_code; /* exit code of the last of them */
} Inputs;

#define INPUTS_NONE ((Inputs){NULL, 0, 0, 0, 0})

/* Appends what `operand` stands for. A folder stands for its files that are called *.png, in the
 * order of their names as bytes; with `recursive`, its subfolders are searched too, at their place
 * in that order. Names that start with a dot are left out, as a shell's * leaves them. Links to
 * files are files; links to folders are followed only as operands, so that no loop can catch us
 * and nothing counts twice. Everything else, and what is not there, is taken for a file: whoever
 * opens it will tell. Reports a folder without a PNG file, or one that cannot be read, and counts
 * it. */
void inputs_add(Inputs *inputs, const char *operand, bool recursive);

void inputs_free(Inputs *inputs);

#endif
