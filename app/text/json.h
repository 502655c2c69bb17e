/* A thin layer over cJSON. One flag records all failures, so that calls need no checks.
 * json_document writes the first keys of every document. app/text/schema/ describes the
 * documents. */
#ifndef IMGTOOL_APP_TEXT_JSON_H
#define IMGTOOL_APP_TEXT_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "kernels/core/image.h"

/* Version of the format of all documents. It increases if a key is removed or gets another meaning,
 * but not if a key is added. */
enum { JSON_SCHEMA = 1 };

/* Text of the file imgtool.schema.json, which describes all documents (app/text/schema/). */
extern const char json_schema[];

/* Creates an object that begins with the keys "imgtool", "schema", "command" and "type". It is a
 * document, or one line of a document in JSON lines. If memory is short, returns NULL and sets
 * *failed. */
cJSON *json_document(const char *command, const char *type, bool *failed);

/* These functions add a value under the key `name` to the object `parent`. If `parent` is an array,
 * `name` is NULL, and they append the value. json_object and json_array return the added value. If
 * memory is short or `parent` is NULL, they add nothing, return NULL and set *failed. */
cJSON *json_object(cJSON *parent, const char *name, bool *failed);
cJSON *json_array(cJSON *parent, const char *name, bool *failed);
void json_null(cJSON *parent, const char *name, bool *failed);
void json_bool(cJSON *parent, const char *name, bool value, bool *failed);

/* Adds a number with all digits that are necessary to read the same number again. A number that is
 * not finite becomes null. */
void json_number(cJSON *parent, const char *name, double number, bool *failed);
void json_count(cJSON *parent, const char *name, uint64_t count, bool *failed);

/* Adds a whole number of any size, from its decimal digits. A double would lose digits beyond
 * 2^53. */
void json_whole(cJSON *parent, const char *name, const char *digits, bool *failed);

/* Adds a string. A NULL pointer becomes null. Text that is not UTF-8 is converted from Latin-1. */
void json_string(cJSON *parent, const char *name, const char *text, bool *failed);

/* Adds a string. U+FFFD replaces each byte that is not part of valid UTF-8. */
void json_marked(cJSON *parent, const char *name, const char *text, bool *failed);

/* --- Keys about a file, with the same names in all documents ---------------------------------- */

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

/* Calls json_outcome with the error and the message of `err`, and the status "failed" if `err` is
 * an error, otherwise "done". */
void json_done_or_failed(cJSON *object, const ImgError *err, bool *failed);

/* Adds the keys "width", "height", "color" and "bits" of a picture. All are null if the width is
 * 0. */
void json_shape(cJSON *object, ImgShape shape, bool *failed);

/* --- Reading and printing --------------------------------------------------------------------- */

/* Returns true if objects and arrays are nested at most 64 deep, which is far more than in any
 * document of this program. Check it before parsing untrusted text. cJSON recurses up to 1,000
 * levels, for which a small stack does not suffice. */
bool json_is_shallow(const char *text, size_t length);

/* Prints the JSON tree `root` and frees it. If `failed` is set, only frees it and returns
 * IMG_E_MEMORY. */
ImgStatus json_print(FILE *out, cJSON *root, bool failed, ImgError *err);

/* Same as json_print, but prints the tree on one line. */
ImgStatus json_print_line(FILE *out, cJSON *root, bool failed, ImgError *err);

/* Returns the tree as one line without a newline, which the caller frees, and frees the tree.
 * Returns NULL if `failed` is set or memory is short. */
char *json_line_text(cJSON *root, bool failed);

#endif
