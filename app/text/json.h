/* A thin layer over cJSON. It has one failure flag instead of a check per call, and writes the
 * first keys of every document. app/text/schema/ describes the documents. */
#ifndef IMGTOOL_APP_TEXT_JSON_H
#define IMGTOOL_APP_TEXT_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "kernels/core/status.h"

/* Version of the format of the documents. It increases when a key is removed or changes its
 * meaning; new keys do not change it. */
enum { JSON_SCHEMA = 1 };

/* The text of imgtool.schema.json, which describes the documents (app/text/schema/). */
extern const char json_schema[];

/* Creates a document, or one line of a document in JSON lines: an object that begins with
 * "imgtool", "schema", "command" and "type". If memory is short, returns NULL and sets *failed. */
cJSON *json_document(const char *command, const char *type, bool *failed);

/* Each adds `name` to `parent`, or appends to it if it is an array and `name` is NULL. If memory is
 * short or `parent` is NULL, it adds nothing, returns NULL if it returns a pointer, and sets
 * *failed. */
cJSON *json_object(cJSON *parent, const char *name, bool *failed);
cJSON *json_array(cJSON *parent, const char *name, bool *failed);
void json_null(cJSON *parent, const char *name, bool *failed);
void json_bool(cJSON *parent, const char *name, bool value, bool *failed);

/* Adds a number with as many digits as are needed to read the same number; null if it is not
 * finite. */
void json_number(cJSON *parent, const char *name, double number, bool *failed);
void json_count(cJSON *parent, const char *name, uint64_t count, bool *failed);

/* Adds a whole number of any size from its decimal digits. A double would lose digits beyond
 * 2^53. */
void json_whole(cJSON *parent, const char *name, const char *digits, bool *failed);

/* Adds a string. NULL becomes null; text that is not UTF-8 is converted from Latin-1. */
void json_string(cJSON *parent, const char *name, const char *text, bool *failed);

/* Adds a string in which U+FFFD replaces each byte that is not UTF-8. */
void json_marked(cJSON *parent, const char *name, const char *text, bool *failed);

/* Returns true if objects and arrays are nested at most 64 deep, far more than in documents of this
 * program. Check it before parsing: cJSON recurses up to 1,000 levels, which needs more than a
 * small stack. */
bool json_is_shallow(const char *text, size_t length);

/* Prints the tree and frees it. If `failed` is set, prints nothing and returns IMG_E_MEMORY. */
ImgStatus json_print(FILE *out, cJSON *root, bool failed, ImgError *err);

/* Same as json_print, but on one line. */
ImgStatus json_print_line(FILE *out, cJSON *root, bool failed, ImgError *err);

#endif
