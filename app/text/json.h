/* A thin layer over cJSON. One flag records all failures, so that calls need no checks.
 * json_document writes the first keys of every document. app/text/schema/ describes the
 * documents. */
#ifndef IMGTOOL_APP_TEXT_JSON_H
#define IMGTOOL_APP_TEXT_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "kernels/core/status.h"

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
