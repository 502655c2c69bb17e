/* Reads values from an untrusted JSON tree. A missing value or null is empty or 0; a value of a
 * wrong type is an error that names its position. Only the first error is kept. */
#ifndef IMGTOOL_APP_BENCH_EXPORT_JSON_READ_H
#define IMGTOOL_APP_BENCH_EXPORT_JSON_READ_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "app/bench/report.h"
#include "kernels/core/status.h"

enum { READ_PLACE = 128 };

/* Current position in the tree, for messages. */
typedef struct Reader {
    ImgError *err;
    bool failed;
    char place[READ_PLACE]; /* "groups[3].rows[2]"; "" at the top */
} Reader;

/* Sets the position to `object`, described by `format`. An error if it is not an object. */
void read_enter(Reader *reader, const cJSON *object, const char *format, ...) IMG_PRINTF(3, 4);

/* Writes the position of a member of the current object. */
void read_inside(const Reader *reader, const char *key, char place[READ_PLACE]);

/* Truncates the text to `size` between characters. */
void read_text(Reader *reader, const cJSON *object, const char *key, char *text, size_t size);

/* The same, but the key is required. */
void read_name(Reader *reader, const cJSON *object, const char *key, char *text, size_t size);

/* Reads a finite number that is not negative. */
double read_number(Reader *reader, const cJSON *object, const char *key);

/* Reads a whole number of at most `most`; READ_ANY_COUNT allows every uint64_t. */
#define READ_ANY_COUNT 18446744073709551616.0
uint64_t read_count(Reader *reader, const cJSON *object, const char *key, double most);

bool read_bool(Reader *reader, const cJSON *object, const char *key);

/* Returns the name of a value in JSON. */
typedef const char *ReadNameFunction(int value);

/* Returns the value from `first` to `end - 1` that the tree names. The key is required. */
int read_choice(Reader *reader, const cJSON *object, const char *key, ReadNameFunction *name_of,
                int first, int end);

/* Returns NULL if the key is missing. */
const cJSON *read_object(Reader *reader, const cJSON *object, const char *key);

/* The key is required. */
const cJSON *read_list(Reader *reader, const cJSON *object, const char *key);

/* Reads the whole report into an empty one. The caller frees it, also after an error. */
void bench_read_report(Reader *reader, const cJSON *root, BenchReport *report);

#endif
