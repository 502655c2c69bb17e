/* Reads JSON lines that imgtool has printed, to merge the reports of several processes. */
#ifndef IMGTOOL_APP_TEXT_JSON_LINES_H
#define IMGTOOL_APP_TEXT_JSON_LINES_H

#include <stddef.h>

#include "app/text/json.h"

/* Receives one line, as text without its newline and as parsed JSON. `source` is the index of the
 * file that contains the line. */
typedef ImgStatus JsonLineVisit(void *context, size_t source, const char *text, const cJSON *line,
                                ImgError *err);

/* Reads a file of lines that `imgtool COMMAND` has printed, and calls `visit` for each line. The
 * path "-" is standard input. Fails with IMG_E_FORMAT if a line is of any other form; the message
 * names the file. A last line without a newline is skipped if it is incomplete, because the program
 * may have been killed while writing it. If `visit` returns an error, reading ends with that error.
 * Also fails with IMG_E_IO or IMG_E_MEMORY. */
ImgStatus json_lines_read(const char *path, const char *command, size_t source,
                          JsonLineVisit *visit, void *context, ImgError *err);

/* Returns true if the key "type" of the line has the value `type`. */
bool json_line_is(const cJSON *line, const char *type);

/* Reads a whole number from 0 to 2^53. Beyond 2^53, a JSON number may have lost digits. For any
 * other value returns false and sets *count to 0. `item` may be NULL. */
bool json_count_of(const cJSON *item, uint64_t *count);

/* Return the value of the key `name`. They return 0, false or NULL if the key is missing or has
 * another type. Numbers that are not finite or are negative, and counts that json_count_of rejects,
 * become 0. */
double json_line_number(const cJSON *line, const char *name);
uint64_t json_line_count(const cJSON *line, const char *name);
bool json_line_bool(const cJSON *line, const char *name);
const char *json_line_string(const cJSON *line, const char *name);

/* A line that json_lines_keep has stored. Its text is safe for a terminal, even if another program
 * wrote the line. */
typedef struct JsonLine {
    char *path, *text; /* results of json_line_path and text_escape_json; owned */
    size_t source;
    int rank; /* rank for json_lines_sort, which the caller chooses */
} JsonLine;

/* A growing list of stored lines. Initialise with zeros; end with json_lines_free. */
typedef struct JsonLines {
    JsonLine *list;
    size_t count;
} JsonLines;

ImgStatus json_lines_keep(JsonLines *lines, size_t source, const char *text, const cJSON *line,
                          int rank, ImgError *err);

/* Sorts the lines by path. Lines with the same path are sorted by rank, highest first, and then by
 * source. Paths are compared component by component, by their bytes, so that all files of a
 * directory stand together. */
void json_lines_sort(JsonLines *lines);

void json_lines_free(JsonLines *lines);

#endif
