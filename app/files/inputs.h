/* Lists the input files that the operands of a command name, and the operands that failed. */
#ifndef IMGTOOL_APP_FILES_INPUTS_H
#define IMGTOOL_APP_FILES_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "app/cli/options.h"
#include "app/text/json.h"
#include "app/text/paths.h"
#include "io/step_files.h"
#include "kernels/core/op.h"
#include "kernels/core/status.h"

/* --- Failures ------------------------------------------------------------------------------------
 *
 * A list of inputs (directories, patterns and lists) in which no file was found, or that could not
 * be read. In JSON, each of them gets an object, like each file that failed. */

typedef struct FailedInput {
    /* Path as the user wrote it, or as it was found in a directory; NULL: the failure is not about
     * a file. */
    char *path;
    char *message;
    ImgStatus status;
} FailedInput;

/* The inputs that failed. Initialise it with FAILED_INPUTS_NONE, and free it with
 * failed_inputs_free. */
typedef struct FailedInputs {
    FailedInput *list; /* in the order of the failures; owned */
    size_t count;
    bool incomplete; /* true if memory was short, so that a failure is missing in the list */
} FailedInputs;

#define FAILED_INPUTS_NONE ((FailedInputs){0})

/* Appends a failure, with copies of `path` and of the error. `path` may be NULL. If memory is
 * short, only sets `incomplete`. */
void failed_inputs_add(FailedInputs *failed_inputs, const char *path, const ImgError *failure);

/* Adds the member "errors", an array of all failures, to the JSON document. */
void failed_inputs_add_json(cJSON *root, const FailedInputs *failed_inputs, bool *failed);

/* Fails with IMG_E_MEMORY if the list is incomplete. Call it before the first failure of the list
 * is printed. */
ImgStatus failed_inputs_check(const FailedInputs *failed_inputs, ImgError *err);

/* Returns a JSON document of type "error" about the input, for output with one document per line.
 * Returns NULL and sets *failed if there is no memory. */
cJSON *failed_input_line(const char *command, const FailedInput *input, bool *failed);

void failed_inputs_free(FailedInputs *failed_inputs);

/* --- Inputs ----------------------------------------------------------------------------------- */

/* The list of inputs. Initialise it with INPUTS_NONE, and free it with inputs_free. */
typedef struct Inputs {
    char **paths; /* paths of the inputs; owned */
    /* For each path, the length of the operand directory at its start, with the slash; 0: the path
     * is an operand itself. */
    size_t *tops;
    size_t count;
    size_t failures;     /* number of inputs that led to no file; each was reported */
    int failure_code;    /* exit code of the last failure */
    FailedInputs failed; /* list of the failures; incomplete if memory was short */
    /* Number of subdirectories that were not searched, because --recursive was not given. */
    size_t unsearched;
    /* Number of files, found in directories, with the extension of another picture format. */
    size_t other_pictures;
    bool leaves_out; /* true if searches skip the directory `left_out` */
    FileId left_out;
} Inputs;

#define INPUTS_NONE ((Inputs){0})

/* Sets a directory that searches of other directories skip, even if another path leads to it. If
 * the directory itself is an operand, it is searched. Does nothing if the directory does not exist.
 * Call it before inputs_add. Fails with IMG_E_IO, IMG_E_MEMORY or IMG_E_TEMPORARY if the directory
 * cannot be examined. */
ImgStatus inputs_leave_out(Inputs *inputs, const char *directory, ImgError *err);

/* Returns whether `path` resolves to the skipped directory. */
bool inputs_is_left_out(const Inputs *inputs, const char *path);

/* Appends the files that `operand` names. For a directory these are its *.png files, sorted by the
 * bytes of their names. With `recursive`, subdirectories are searched, too; their files appear at
 * the position of the subdirectory's name. Hidden names are skipped. A link to a file counts as a
 * file. A link to a directory is followed only if it is an operand, so that there can be no loops
 * and no duplicates. Any other operand is added as a file even if it does not exist; opening it
 * later reports the error. A directory that has no PNG file or cannot be read is reported and
 * counted. */
void inputs_add(Inputs *inputs, const char *operand, bool recursive);

/* Prints and counts a failure, and adds it to `failed`. `path` is the input that failed; NULL: the
 * failure is not about an input. */
void inputs_fail(Inputs *inputs, const char *path, const ImgError *err);

/* If files were left out while directories were searched, prints a note with their number. */
void inputs_note_left_out(const Inputs *inputs, const Settings *settings);

void inputs_free(Inputs *inputs);

/* --- Commands on many pictures ---------------------------------------------------------------- */

/* The operands and steps of a command on many pictures. All pointers are borrowed. */
typedef struct ManyPictures {
    const Inputs *inputs; /* the pictures; "-" is standard input */
    const char *last;     /* the operand after the pictures */
    ImgStep *steps;       /* steps that are applied to each picture before the command's own work */
    size_t step_count;
    ImgStepFiles *step_files; /* files of the steps; loaded by the command, freed by the caller */
    const Settings *settings;
} ManyPictures;

/* Runs the command, prints failures, and returns the exit code. */
typedef int ManyFunction(const ManyPictures *many);

#endif
