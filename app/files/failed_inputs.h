/* A list of inputs (directories, patterns and lists) that led to no file. In JSON, each of them
 * gets an object, like each file that failed. */
#ifndef IMGTOOL_APP_FILES_FAILED_INPUTS_H
#define IMGTOOL_APP_FILES_FAILED_INPUTS_H

#include "app/text/json.h"
#include "kernels/core/status.h"

typedef struct FailedInput {
    /* Path as the user wrote it, or as it was found in a directory; NULL: not about a file. */
    char *path;
    char *message;
    ImgStatus status;
} FailedInput;

/* Initialise it with FAILED_INPUTS_NONE, and free it with failed_inputs_free. */
typedef struct FailedInputs {
    FailedInput *list; /* in the order of the failures; owned */
    size_t count, capacity;
    bool incomplete; /* memory was short, so at least one failure is not in the list */
} FailedInputs;

#define FAILED_INPUTS_NONE ((FailedInputs){0})

/* Adds a copy of path and failure. `path` may be NULL. If memory is short, only sets `incomplete`.
 */
void failed_inputs_add(FailedInputs *failed_inputs, const char *path, const ImgError *failure);

/* Adds the members "file", "file_hex", "status", "error" and "message" to the object. */
void failed_input_add_json(cJSON *object, const FailedInput *input, bool *failed);

/* Adds the member "errors", an array of all failures, to the document. */
void failed_inputs_add_json(cJSON *root, const FailedInputs *failed_inputs, bool *failed);

/* Fails with IMG_E_MEMORY if the list is incomplete. Call it before the first line of the list is
 * printed. */
ImgStatus failed_inputs_check(const FailedInputs *failed_inputs, ImgError *err);

/* Returns an object of type "error" for a line of output. Returns NULL and sets *failed if there is
 * no memory. */
cJSON *failed_input_line(const char *command, const FailedInput *input, bool *failed);

void failed_inputs_free(FailedInputs *failed_inputs);

#endif
