/* Operands of commands that take files and folders, as one list of files. */
#ifndef IMGTOOL_APP_INPUTS_H
#define IMGTOOL_APP_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "kernels/core/status.h"

/* Start with INPUTS_NONE, end with inputs_free. */
typedef struct Inputs {
    char **paths; /* owned */
    size_t *tops; /* of each path, the bytes at its start that name the folder it was found in as
                   * an operand, slash included: the rest is its place below. 0: it is an operand */
    size_t count, capacity;
    size_t failures;  /* folders that gave no file; each was reported */
    int failure_code; /* exit code of the last of them */
    char **messages;  /* of the failures, owned; fewer than these without memory */
    size_t message_count;
    bool leaves_out; /* a folder, which is this one: */
    dev_t left_out_device;
    ino_t left_out_inode;
} Inputs;

#define INPUTS_NONE ((Inputs){0})

/* This folder is not searched when it is met below others, by whatever way; as an operand it is.
 * Where there is no such folder nothing changes. Call before inputs_add. */
void inputs_leave_out(Inputs *inputs, const char *folder);

/* Does `path` lead to the folder that is left out? */
bool inputs_is_left_out(const Inputs *inputs, const char *path);

/* Appends what `operand` stands for. A folder stands for its files that are called *.png, in the
 * order of their names as bytes; with `recursive`, its subfolders are searched too, at their place
 * in that order. Names that start with a dot are left out, as a shell's * leaves them. Links to
 * files are files; links to folders are followed only as operands, so that no loop can catch us
 * and nothing counts twice. Everything else, and what is not there, is taken for a file: whoever
 * opens it will tell. Reports a folder without a PNG file, or one that cannot be read, and counts
 * it. */
void inputs_add(Inputs *inputs, const char *operand, bool recursive);

/* Reports a failure and counts it. */
void inputs_fail(Inputs *inputs, const ImgError *err);

void inputs_free(Inputs *inputs);

#endif
