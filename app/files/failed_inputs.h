/* Directories, patterns and lists that gave no file, for those who print more than a message: as
 * JSON each has its object, as a file that failed has. */
#ifndef IMGTOOL_APP_FILES_FAILED_INPUTS_H
#define IMGTOOL_APP_FILES_FAILED_INPUTS_H

#include "app/text/json.h"
#include "kernels/core/status.h"

typedef struct FailedInput {
    char *path; /* as it was named, or found below a directory; NULL: the failure is about none */
    char *message;
    ImgStatus status;
} FailedInput;

/* Start with FAILED_INPUTS_NONE, end with failed_inputs_free. */
typedef struct FailedInputs {
    FailedInput *list; /* owned, in the order in which they were met */
    size_t count, capacity;
    bool incomplete; /* there was no memory for one */
} FailedInputs;

#define FAILED_INPUTS_NONE ((FailedInputs){0})

/* Keeps a copy of both; `path` may be NULL. Without memory it keeps nothing but that. */
void failed_inputs_add(FailedInputs *failed_inputs, const char *path, const ImgError *failure);

/* Fills the object: "file", "file_hex", "status", "error", "message". */
void failed_input_add_json(cJSON *object, const FailedInput *input, bool *failed);

/* "errors": a list of them all, for a document. */
void failed_inputs_add_json(cJSON *root, const FailedInputs *failed_inputs, bool *failed);

/* Before lines are printed: are all there? Otherwise IMG_E_MEMORY. */
ImgStatus failed_inputs_check(const FailedInputs *failed_inputs, ImgError *err);

/* A line of type "error", for what is printed in lines. NULL without memory; *failed is set. */
cJSON *failed_input_line(const char *command, const FailedInput *input, bool *failed);

void failed_inputs_free(FailedInputs *failed_inputs);

#endif
