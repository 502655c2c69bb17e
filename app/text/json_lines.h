/* Reads JSON lines that imgtool printed, to merge the reports of several processes. */
#ifndef IMGTOOL_APP_TEXT_JSON_LINES_H
#define IMGTOOL_APP_TEXT_JSON_LINES_H

#include <stddef.h>

#include "app/text/json.h"

/* Receives a line: as text without its newline, and as parsed JSON. `source` is the index of the
 * file that contains it, among the files that are read together. */
typedef ImgStatus JsonLineVisit(void *context, size_t source, const char *text, const cJSON *line,
                                ImgError *err);

/* Reads a file of lines that `imgtool COMMAND` printed; "-" is standard input. IMG_E_FORMAT, with
 * the path, for any other line. A last line without a newline is skipped, because the program may
 * have been killed while writing it. IMG_E_IO, IMG_E_MEMORY. If `visit` returns an error, reading
 * ends with that error. */
ImgStatus json_lines_read(const char *path, const char *command, size_t source,
                          JsonLineVisit *visit, void *context, ImgError *err);

/* Returns true if the line has the type `type`. */
bool json_line_is(const cJSON *line, const char *type);

/* Reads a whole number from 0 to 2^53: up to there JSON numbers represent every whole number.
 * Otherwise returns false and sets *count to 0. `item` may be NULL. */
bool json_count_of(const cJSON *item, uint64_t *count);

/* Return the value of a key; 0, false or NULL if the key is missing or has another type. Numbers
 * are finite and not negative, counts are as in json_count_of; other values give 0. */
double json_line_number(const cJSON *line, const char *name);
uint64_t json_line_count(const cJSON *line, const char *name);
bool json_line_bool(const cJSON *line, const char *name);
const char *json_line_string(const cJSON *line, const char *name);

/* Returns the bytes of the path in the key "file"; the caller frees them. Returns "" if the key is
 * null, and NULL if memory is short. */
char *json_line_path(const cJSON *line);

/* A stored line. It is safe for a terminal, even if another program wrote it. */
typedef struct JsonLine {
    char *path, *text; /* owned; results of json_line_path and text_escape_json */
    size_t source;
    int rank; /* rank for json_lines_sort, chosen by the caller */
} JsonLine;

/* Initialise with zeros; end with json_lines_free. */
typedef struct JsonLines {
    JsonLine *list;
    size_t count, capacity;
} JsonLines;

ImgStatus json_lines_keep(JsonLines *lines, size_t source, const char *text, const cJSON *line,
                          int rank, ImgError *err);

/* Sorts the lines by path; lines of one path by rank, highest first, then by source. Paths are in
 * the order of a directory walk: components are compared by their bytes, and the files of a
 * directory are together. */
void json_lines_sort(JsonLines *lines);

void json_lines_free(JsonLines *lines);

#endif
