/* Adds keys about a file to JSON objects. They have the same names in all documents. As in json.h,
 * the functions set *failed if memory is short. */
#ifndef IMGTOOL_APP_TEXT_JSON_FILE_H
#define IMGTOOL_APP_TEXT_JSON_FILE_H

#include "app/text/json.h"
#include "kernels/core/image.h"

/* Adds a path under two keys, because JSON is UTF-8, but file names may have any bytes. The key
 * `name` gets the path, with U+FFFD for bytes that are not UTF-8. If there are such bytes, the key
 * `hex_name` gets all bytes in hexadecimal, so that a program can open the file; otherwise it is
 * null. Both are null if `path` is NULL. */
void json_path(cJSON *object, const char *name, const char *hex_name, const char *path,
               bool *failed);

/* Adds the name of an input file under the keys "file" and "file_hex". */
void json_file_name(cJSON *object, const char *path, bool *failed);

/* Returns the name that an error has in documents, such as "format". NULL for IMG_OK. */
const char *json_error_name(ImgStatus error);

/* Adds the keys "status", "error" and "message". `error` is IMG_OK if nothing failed; its key is
 * then null. An empty message becomes null. */
void json_outcome(cJSON *object, const char *status, ImgStatus error, const char *message,
                  bool *failed);

/* Same as json_outcome. The status is "failed" if `err` is an error, otherwise "done". */
void json_done_or_failed(cJSON *object, const ImgError *err, bool *failed);

/* Adds the keys "width", "height", "color" and "bits" of a picture. All are null if the width is
 * 0. */
void json_shape(cJSON *object, ImgShape shape, bool *failed);

#endif
