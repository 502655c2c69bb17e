/* Keys that every object about a file has, so that they have the same names everywhere. As in
 * json.h, they set *failed if memory is short. */
#ifndef IMGTOOL_APP_TEXT_JSON_FILE_H
#define IMGTOOL_APP_TEXT_JSON_FILE_H

#include "app/text/json.h"
#include "kernels/core/image.h"

/* Adds a path as `name` and `hex_name`. JSON is UTF-8, but file names are bytes. If the path is not
 * UTF-8, `name` has U+FFFD for invalid bytes, and `hex_name` has all bytes in hexadecimal, so that
 * a program can find the file. Otherwise `hex_name` is null. Both are null if `path` is NULL. */
void json_path(cJSON *object, const char *name, const char *hex_name, const char *path,
               bool *failed);

/* Adds "file" and "file_hex": the name of an input. */
void json_file_name(cJSON *object, const char *path, bool *failed);

/* Returns the name of an error for programs, such as "format". NULL for IMG_OK. */
const char *json_error_name(ImgStatus error);

/* Adds "status", "error" and "message". `error` is IMG_OK unless something failed; an empty message
 * becomes null. */
void json_outcome(cJSON *object, const char *status, ImgStatus error, const char *message,
                  bool *failed);

/* The same with the status "done" or "failed". */
void json_done_or_failed(cJSON *object, const ImgError *err, bool *failed);

/* Adds "width", "height", "color" and "bits" of a picture in the file; null if the width is 0. */
void json_shape(cJSON *object, ImgShape shape, bool *failed);

#endif
