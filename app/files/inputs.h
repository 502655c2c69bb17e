/* Operands of commands that take files and directories, as one list of files. */
#ifndef IMGTOOL_APP_FILES_INPUTS_H
#define IMGTOOL_APP_FILES_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "app/cli/options.h"
#include "app/files/failed_inputs.h"
#include "kernels/core/status.h"

/* Start with INPUTS_NONE, end with inputs_free. */
typedef struct Inputs {
    char **paths; /* owned */
    size_t *tops; /* of each path, the bytes at its start that name the directory it was found in as
                   * an operand, slash included: the rest is its place below. 0: it is an operand */
    size_t count, capacity;
    size_t failures;       /* directories that gave no file; each was reported */
    int failure_code;      /* exit code of the last of them */
    FailedInputs failed;   /* the same, one by one, as far as there was memory */
    size_t unsearched;     /* subdirectories, without `recursive` */
    size_t other_pictures; /* files of directories that are called like pictures, but not *.png */
    bool leaves_out;       /* a directory, which is this one: */
    dev_t left_out_device;
    ino_t left_out_inode;
} Inputs;

#define INPUTS_NONE ((Inputs){0})

/* This directory is not searched when it is met below others, by whatever way; as an operand it is.
 * Where there is no such directory nothing changes. Call before inputs_add. Fails where nobody
 * knows what it is: IMG_E_IO, IMG_E_MEMORY, IMG_E_TEMPORARY. */
ImgStatus inputs_leave_out(Inputs *inputs, const char *directory, ImgError *err);

/* Does `path` lead to the directory that is left out? */
bool inputs_is_left_out(const Inputs *inputs, const char *path);

/* Appends what `operand` stands for. A directory stands for its files that are called *.png, in the
 * order of their names as bytes; with `recursive`, its subdirectories are searched too, at their
 * place in that order. Names that start with a dot are left out, as a shell's * leaves them. Links
 * to files are files; links to directories are followed only as operands, so that no loop can catch
 * us and nothing counts twice. Everything else, and what is not there, is taken for a file: whoever
 * opens it will report it. Reports a directory without a PNG file, or one that cannot be read, and
 * counts it. */
void inputs_add(Inputs *inputs, const char *operand, bool recursive);

/* Reports a failure, counts it and keeps it. `path` is what it is about; NULL: nothing that has a
 * name. */
void inputs_fail(Inputs *inputs, const char *path, const ImgError *err);

/* Says what was left out of the directories, unless nothing was. */
void inputs_note_left_out(const Inputs *inputs, const Settings *settings);

void inputs_free(Inputs *inputs);

#endif
