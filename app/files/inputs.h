/* The list of input files that operands stand for. */
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
    size_t *tops; /* for each path, the length of its prefix that names the operand directory,
                     including the slash; 0: the path is an operand */
    size_t count, capacity;
    size_t failures;       /* directories that gave no file; each was reported */
    int failure_code;      /* exit code of the last of them */
    FailedInputs failed;   /* the same one by one, as far as memory allowed */
    size_t unsearched;     /* subdirectories that were not searched, without --recursive */
    size_t other_pictures; /* files in directories with an extension of another picture format */
    bool leaves_out;       /* the two fields below name a directory to skip */
    dev_t left_out_device;
    ino_t left_out_inode;
} Inputs;

#define INPUTS_NONE ((Inputs){0})

/* Skips this directory while other directories are searched, under whatever name; as an operand it
 * is searched. Does nothing if it does not exist. Call it before inputs_add. Fails if the directory
 * cannot be examined: IMG_E_IO, IMG_E_MEMORY, IMG_E_TEMPORARY. */
ImgStatus inputs_leave_out(Inputs *inputs, const char *directory, ImgError *err);

/* Returns whether `path` resolves to the skipped directory. */
bool inputs_is_left_out(const Inputs *inputs, const char *path);

/* Appends the files that `operand` stands for. A directory stands for its *.png files, sorted by
 * the bytes of their names. With `recursive` subdirectories are searched too, at their place in
 * that order. Hidden names are skipped. Links to files count as files. Links to directories are
 * followed only as operands, so that loops are impossible and nothing counts twice. Anything else,
 * even if missing, is taken as a file; opening it later reports the error. Reports and counts
 * directories without a PNG file or that cannot be read. */
void inputs_add(Inputs *inputs, const char *operand, bool recursive);

/* Reports, counts and keeps a failure. `path` is the file that it concerns; NULL: none. */
void inputs_fail(Inputs *inputs, const char *path, const ImgError *err);

/* Prints a note about files that were left out of directories, if any. */
void inputs_note_left_out(const Inputs *inputs, const Settings *settings);

void inputs_free(Inputs *inputs);

#endif
