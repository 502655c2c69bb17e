/* Directories, patterns and lists that gave no file. In JSON each of them has an object, as a file
 * that failed has. */
#ifndef IMGTOOL_APP_FILES_FAILED_INPUTS_H
#define IMGTOOL_APP_FILES_FAILED_INPUTS_H

#include "app/text/json.h"
#include "kernels/core/status.h"

typedef struct FailedInput {
    char *path; /* as given, or as found in a directory; NULL: the failure concerns no file */
    char *message;
    ImgStatus status;
} FailedInput;

/* Start with FAILED_INPUTS_NONE, end with failed_inputs_free. */
typedef struct FailedInputs {
    FailedInput *list; /* owned, in the order in which they failed */
    size_t count, capacity;
    bool incomplete; /* memory was short for one of them */
} FailedInputs;

#define FAILED_INPUTS_NONE ((FailedInputs){0})

/* Adds copies of both; `path` may be NULL. Without memory it only sets `incomplete`. */
void failed_inputs_add(FailedInputs *failed_inputs, const char *path, const ImgError *failure);

/* Fills the object: "file", "file_hex", "status", "error", "message". */
void failed_input_add_json(cJSON *object, const FailedInput *input, bool *failed);

/* Adds "errors", the list of all of them, to a document. */
void failed_inputs_add_json(cJSON *root, const FailedInputs *failed_inputs, bool *failed);

/* Returns IMG_E_MEMORY if the list is incomplete. For callers that print lines, before the first.
 */
ImgStatus failed_inputs_check(const FailedInputs *failed_inputs, ImgError *err);

/* Returns a line of type "error" for output in lines. NULL if there is no memory; *failed is then
 * set. */
cJSON *failed_input_line(const char *command, const FailedInput *input, bool *failed);

void failed_inputs_free(FailedInputs *failed_inputs);

#endif
