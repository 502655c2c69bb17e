#include "app/files/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "app/text/json.h"
#include "app/text/list.h"
#include "app/text/streams.h"

void failed_inputs_add(FailedInputs *failed_inputs, const char *path, const ImgError *failure)
{
    FailedInput added = {.path = path != NULL ? strdup(path) : NULL,
                         .message = strdup(failure->message),
                         .status = failure->status};
    FailedInput *list = list_grow(failed_inputs->list, failed_inputs->count, sizeof *list);
    if (list != NULL)
        failed_inputs->list = list;
    if ((path != NULL && added.path == NULL) || added.message == NULL || list == NULL) {
        free(added.path);
        free(added.message);
        failed_inputs->incomplete = true;
        return;
    }
    failed_inputs->list[failed_inputs->count++] = added;
}

/* Adds the members "file", "file_hex", "status", "error" and "message" to the object. */
static void failed_input_add_json(cJSON *object, const FailedInput *input, bool *failed)
{
    const char *name = input->path != NULL ? img_streams_input_name(input->path) : NULL;
    json_path(object, "file", "file_hex", name, failed);
    json_outcome(object, "failed", input->status, input->message, failed);
}

void failed_inputs_add_json(cJSON *root, const FailedInputs *failed_inputs, bool *failed)
{
    cJSON *errors = json_array(root, "errors", failed);
    *failed |= failed_inputs->incomplete;
    for (size_t i = 0; i < failed_inputs->count; i++)
        failed_input_add_json(json_object(errors, NULL, failed), &failed_inputs->list[i], failed);
}

ImgStatus failed_inputs_check(const FailedInputs *failed_inputs, ImgError *err)
{
    return failed_inputs->incomplete
               ? img_fail(err, IMG_E_MEMORY, "no memory for the list of what failed")
               : IMG_OK;
}

cJSON *failed_input_line(const char *command, const FailedInput *input, bool *failed)
{
    cJSON *root = json_document(command, "error", failed);
    failed_input_add_json(root, input, failed);
    return root;
}

void failed_inputs_free(FailedInputs *failed_inputs)
{
    for (size_t i = 0; i < failed_inputs->count; i++) {
        free(failed_inputs->list[i].path);
        free(failed_inputs->list[i].message);
    }
    free(failed_inputs->list);
    *failed_inputs = FAILED_INPUTS_NONE;
}
