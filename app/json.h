/* A thin layer over cJSON: one failure flag instead of a check a call. */
#ifndef IMGTOOL_APP_JSON_H
#define IMGTOOL_APP_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "kernels/core/status.h"

/* Each adds `name` to `object`, or appends to an array where `name` is NULL. Out of memory, or
 * where `object` is NULL already, they return NULL or do nothing, and set *failed. */
cJSON *json_object(cJSON *parent, const char *name, bool *failed);
cJSON *json_array(cJSON *parent, const char *name, bool *failed);
void json_number(cJSON *parent, const char *name, double number, bool *failed);
void json_bool(cJSON *parent, const char *name, bool value, bool *failed);

/* NULL becomes null; what is no UTF-8 is taken for Latin-1. */
void json_string(cJSON *parent, const char *name, const char *text, bool *failed);

/* A whole number of any size, by its digits: as a double it would lose those beyond 2^53. */
void json_whole(cJSON *parent, const char *name, const char *digits, bool *failed);

/* U+FFFD stands for each byte that is no UTF-8. */
void json_marked(cJSON *parent, const char *name, const char *text, bool *failed);

/* A path. JSON is UTF-8, names of files are bytes: where they are no UTF-8,
 * `bytes_name` has them all in hexadecimal, so that a program can still find the file. */
void json_path(cJSON *object, const char *name, const char *bytes_name, const char *path,
               bool *failed);

/* "file" and "path_bytes": the name of an input. */
void json_file_name(cJSON *object, const char *path, bool *failed);

/* Prints the tree, if nothing failed on the way, and frees it in any case. */
ImgStatus json_print(FILE *out, cJSON *root, bool failed, ImgError *err);

#endif
