/* The keys that every object about a file has, so that they are called alike everywhere. As in
 * json.h, what fails for want of memory sets *failed. */
#ifndef IMGTOOL_APP_TEXT_JSON_FILE_H
#define IMGTOOL_APP_TEXT_JSON_FILE_H

#include "app/text/json.h"
#include "kernels/core/image.h"

/* `name` and `hex_name`: a path. JSON is UTF-8, names of files are bytes: where they are not UTF-8,
 * `name` has U+FFFD for what is not, and `hex_name` all bytes in hexadecimal, so that a program can
 * still find the file. Else that is null. Both are null where `path` is NULL. */
void json_path(cJSON *object, const char *name, const char *hex_name, const char *path,
               bool *failed);

/* "file" and "file_hex": the name of an input. */
void json_file_name(cJSON *object, const char *path, bool *failed);

/* The name of an error for programs, such as "format". NULL for IMG_OK. */
const char *json_error_name(ImgStatus error);

/* "status", "error", "message". `error` is IMG_OK but for what failed; "" as a message is null. */
void json_outcome(cJSON *object, const char *status, ImgStatus error, const char *message,
                  bool *failed);

/* The same, "done" or "failed". */
void json_done_or_failed(cJSON *object, const ImgError *err, bool *failed);

/* "width", "height", "color", "bits", of a picture as the file has it; null where the width is 0.
 */
void json_shape(cJSON *object, ImgShape shape, bool *failed);

#endif
