/* A thin layer over cJSON: one failure flag instead of a check per call, and the envelope that
 * every document has. app/text/schema/ says what the documents are. */
#ifndef IMGTOOL_APP_TEXT_JSON_H
#define IMGTOOL_APP_TEXT_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "kernels/core/status.h"

/* The number of the format that app/text/schema/ describes. It grows when a key goes, or means
 * something else; new keys leave it. */
enum { JSON_SCHEMA = 1 };

/* A document, or one line of several: an object that begins with "imgtool", "schema", "command" and
 * "type". NULL without memory; *failed is set. */
cJSON *json_document(const char *command, const char *type, bool *failed);

/* Each adds `name` to `object`, or appends to an array where `name` is NULL. Out of memory, or
 * where `object` is NULL already, they return NULL or do nothing, and set *failed. */
cJSON *json_object(cJSON *parent, const char *name, bool *failed);
cJSON *json_array(cJSON *parent, const char *name, bool *failed);
void json_null(cJSON *parent, const char *name, bool *failed);
void json_bool(cJSON *parent, const char *name, bool value, bool *failed);

/* By as many digits as give the same number when they are read; null where it is not finite. */
void json_number(cJSON *parent, const char *name, double number, bool *failed);
void json_count(cJSON *parent, const char *name, uint64_t count, bool *failed);

/* A whole number of any size, by its digits: as a double it would lose those beyond 2^53. */
void json_whole(cJSON *parent, const char *name, const char *digits, bool *failed);

/* NULL becomes null; what is not UTF-8 is taken for Latin-1. */
void json_string(cJSON *parent, const char *name, const char *text, bool *failed);

/* U+FFFD stands for each byte that is not UTF-8. */
void json_marked(cJSON *parent, const char *name, const char *text, bool *failed);

/* True where objects and arrays nest no deeper than documents of this program by far. cJSON
 * recurses with each level, up to 1,000 of them, for which a small stack has no room: ask this
 * first. */
bool json_is_shallow(const char *text, size_t length);

/* Prints the tree, if nothing failed on the way, and frees it in any case: IMG_E_MEMORY where
 * something failed. */
ImgStatus json_print(FILE *out, cJSON *root, bool failed, ImgError *err);

/* The same, on one line. */
ImgStatus json_print_line(FILE *out, cJSON *root, bool failed, ImgError *err);

#endif
