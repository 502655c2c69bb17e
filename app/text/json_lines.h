/* Reads JSON lines that imgtool printed, so that reports of several processes can be merged. */
#ifndef IMGTOOL_APP_TEXT_JSON_LINES_H
#define IMGTOOL_APP_TEXT_JSON_LINES_H

#include <stddef.h>

#include "app/text/json.h"

/* Receives each line, as text without its newline and as parsed JSON. `source` is the index of its
 * file among the files that are read together. */
typedef ImgStatus JsonLineVisit(void *context, size_t source, const char *text, const cJSON *line,
                                ImgError *err);

/* Reads a file of lines of that command; "-" is standard input. IMG_E_FORMAT, with the path, for
 * any other line. A last line without a newline is skipped, because the program may have been
 * killed while writing it. IMG_E_IO, IMG_E_MEMORY. An error of `visit` ends the reading and is
 * returned. */
ImgStatus json_lines_read(const char *path, const char *command, size_t source,
                          JsonLineVisit *visit, void *context, ImgError *err);

/* True if the line has that type. */
bool json_line_is(const cJSON *line, const char *type);

/* Reads a whole number from 0 to 2^53, the range without gaps in JSON numbers. Otherwise false, and
 * *count is 0. `item` may be NULL. */
bool json_count_of(const cJSON *item, uint64_t *count);

/* Return the value of a key; 0, false or NULL if it is missing or of another type. Numbers are
 * finite and not negative, counts as in json_count_of; otherwise 0. */
double json_line_number(const cJSON *line, const char *name);
uint64_t json_line_count(const cJSON *line, const char *name);
bool json_line_bool(const cJSON *line, const char *name);
const char *json_line_string(const cJSON *line, const char *name);

/* Returns the bytes of the path in "file"; the caller frees them. "" if it is null. NULL if memory
 * is short. */
char *json_line_path(const cJSON *line);

/* A stored line, safe for a terminal whatever its origin. */
typedef struct JsonLine {
    char *path, *text; /* owned; results of json_line_path and text_escape_json */
    size_t source;
    int rank; /* chosen by the caller */
} JsonLine;

/* Initialise with zeros; end with json_lines_free. */
typedef struct JsonLines {
    JsonLine *list;
    size_t count, capacity;
} JsonLines;

ImgStatus json_lines_keep(JsonLines *lines, size_t source, const char *text, const cJSON *line,
                          int rank, ImgError *err);

/* Sorts by path, then by rank, highest first, then by source. Paths are in the order of a directory
 * walk: compared by the bytes of each component, with the files of a directory together. */
void json_lines_sort(JsonLines *lines);

void json_lines_free(JsonLines *lines);

#endif
