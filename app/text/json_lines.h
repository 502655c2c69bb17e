/* What was printed as JSON in lines, read again: reports of several processes become one. */
#ifndef IMGTOOL_APP_TEXT_JSON_LINES_H
#define IMGTOOL_APP_TEXT_JSON_LINES_H

#include <stddef.h>

#include "app/text/json.h"

/* Gets each line, as text without its end and as what it holds. `source` is the number of the file
 * that it is from, of those that are read together. */
typedef ImgStatus JsonLineVisit(void *context, size_t source, const char *text, const cJSON *line,
                                ImgError *err);

/* Reads a file of lines of that command; "-" is standard input. IMG_E_FORMAT, with the path, for
 * what is none; but a last line that has no end is left out, as the program may have been killed
 * while it wrote. IMG_E_IO, IMG_E_MEMORY. What `visit` returns ends it too. */
ImgStatus json_lines_read(const char *path, const char *command, size_t source,
                          JsonLineVisit *visit, void *context, ImgError *err);

/* Is the line of that type? */
bool json_line_is(const cJSON *line, const char *type);

/* A whole number from 0 to 2^53, beyond which JSON's numbers have gaps: false, and 0, for anything
 * else. `item` may be NULL. */
bool json_count_of(const cJSON *item, uint64_t *count);

/* Keys of a line; 0, false and NULL where they are missing or of another kind. Numbers are finite
 * and not negative, counts as json_count_of has them, or they are 0. */
double json_line_number(const cJSON *line, const char *name);
uint64_t json_line_count(const cJSON *line, const char *name);
bool json_line_bool(const cJSON *line, const char *name);
const char *json_line_string(const cJSON *line, const char *name);

/* "file" as the bytes that the path is of, to be freed; "" where that is null. NULL: no memory. */
char *json_line_path(const cJSON *line);

/* A line that is kept, fit for a terminal whoever wrote it. */
typedef struct JsonLine {
    char *path, *text; /* owned; as json_line_path and text_escape_json give them */
    size_t source;
    int rank; /* the user's */
} JsonLine;

/* Starts as zeros, ends with json_lines_free. */
typedef struct JsonLines {
    JsonLine *list;
    size_t count, capacity;
} JsonLines;

ImgStatus json_lines_keep(JsonLines *lines, size_t source, const char *text, const cJSON *line,
                          int rank, ImgError *err);

/* Sorts by path, then by rank, the highest first, then by source. Paths are in the order in which a
 * directory is searched: by the bytes of each part, what is in a directory together. */
void json_lines_sort(JsonLines *lines);

void json_lines_free(JsonLines *lines);

#endif
