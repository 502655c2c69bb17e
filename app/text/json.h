/* A thin layer over cJSON: one failure flag instead of a check per call, and the head of every
 * document. app/text/schema/ describes the documents. */
#ifndef IMGTOOL_APP_TEXT_JSON_H
#define IMGTOOL_APP_TEXT_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "kernels/core/status.h"

/* Version of the format that app/text/schema/ describes. It increases when a key is removed or
 * changes its meaning; new keys do not change it. */
enum { JSON_SCHEMA = 1 };

/* The text of imgtool.schema.json (app/text/schema/), which describes the documents. */
extern const char json_schema[];

/* Creates a document, or one line of several: an object that begins with "imgtool", "schema",
 * "command" and "type". If memory is short, returns NULL and sets *failed. */
cJSON *json_document(const char *command, const char *type, bool *failed);

/* Each adds `name` to `parent`, or appends to an array if `name` is NULL. If memory is short or
 * `parent` is NULL, it adds nothing, returns NULL if it returns a pointer, and sets *failed. */
cJSON *json_object(cJSON *parent, const char *name, bool *failed);
cJSON *json_array(cJSON *parent, const char *name, bool *failed);
void json_null(cJSON *parent, const char *name, bool *failed);
void json_bool(cJSON *parent, const char *name, bool value, bool *failed);

/* Writes as many digits as are needed to read the same number; null if it is not finite. */
void json_number(cJSON *parent, const char *name, double number, bool *failed);
void json_count(cJSON *parent, const char *name, uint64_t count, bool *failed);

/* Writes a whole number of any size from its digits: a double would lose digits beyond 2^53. */
void json_whole(cJSON *parent, const char *name, const char *digits, bool *failed);

/* NULL becomes null; text that is not UTF-8 is converted from Latin-1. */
void json_string(cJSON *parent, const char *name, const char *text, bool *failed);

/* Replaces each byte that is not UTF-8 by U+FFFD. */
void json_marked(cJSON *parent, const char *name, const char *text, bool *failed);

/* True if objects and arrays are nested at most 64 deep, far more than documents of this program.
 * Check it before parsing: cJSON recurses up to 1,000 levels, for which a small stack is too
 * small. */
bool json_is_shallow(const char *text, size_t length);

/* Prints and frees the tree. IMG_E_MEMORY, and prints nothing, if anything failed before. */
ImgStatus json_print(FILE *out, cJSON *root, bool failed, ImgError *err);

/* The same, on one line. */
ImgStatus json_print_line(FILE *out, cJSON *root, bool failed, ImgError *err);

#endif
