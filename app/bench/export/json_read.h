/* Reads values from an untrusted JSON tree. A missing value or null is read as empty or 0. A value
 * of a wrong type is an error whose message names its position. Only the first error is kept. */
#ifndef IMGTOOL_APP_BENCH_EXPORT_JSON_READ_H
#define IMGTOOL_APP_BENCH_EXPORT_JSON_READ_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "app/bench/report.h"
#include "kernels/core/status.h"

enum { READ_PLACE = 128 };

/* Reader of a tree, with the current position for messages. */
typedef struct Reader {
    ImgError *err;
    bool failed;
    char place[READ_PLACE]; /* position, such as "groups[3].rows[2]"; "" at the top */
} Reader;

/* Makes `object` the current object, whose position `format` and its arguments give. An error if it
 * is not an object. */
void read_enter(Reader *reader, const cJSON *object, const char *format, ...) IMG_PRINTF(3, 4);

/* Writes the position of the member `key` of the current object to `place`. */
void read_inside(const Reader *reader, const char *key, char place[READ_PLACE]);

/* Reads a text, truncated to `size` bytes with the zero byte, never within a character. */
void read_text(Reader *reader, const cJSON *object, const char *key, char *text, size_t size);

/* Same as read_text, but the key is required. */
void read_name(Reader *reader, const cJSON *object, const char *key, char *text, size_t size);

/* Reads a finite number that is not negative. */
double read_number(Reader *reader, const cJSON *object, const char *key);

/* Reads a whole number of at most `most`. READ_ANY_COUNT allows every uint64_t. */
#define READ_ANY_COUNT 18446744073709551616.0
uint64_t read_count(Reader *reader, const cJSON *object, const char *key, double most);

bool read_bool(Reader *reader, const cJSON *object, const char *key);

/* Returns the name that an enumeration value has in JSON. */
typedef const char *ReadNameFunction(int value);

/* Reads the name of an enumeration value and returns the value, which is from `first` to `end - 1`.
 * The key is required. */
int read_choice(Reader *reader, const cJSON *object, const char *key, ReadNameFunction *name_of,
                int first, int end);

/* Returns the object under the key; NULL if the key is missing. */
const cJSON *read_object(Reader *reader, const cJSON *object, const char *key);

/* Returns the array under the key, which is required. */
const cJSON *read_list(Reader *reader, const cJSON *object, const char *key);

/* Reads the whole report into *report, which must be empty. The caller frees it, also after an
 * error. */
void bench_read_report(Reader *reader, const cJSON *root, BenchReport *report);

#endif
