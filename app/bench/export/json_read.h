/* Reads values from the parsed JSON of an untrusted file. A value that is missing or null is read
 * as "" or 0. A value of the wrong type is an error, and the message contains its position. Only
 * the first error is kept. */
#ifndef IMGTOOL_APP_BENCH_EXPORT_JSON_READ_H
#define IMGTOOL_APP_BENCH_EXPORT_JSON_READ_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "app/bench/report.h"
#include "kernels/core/status.h"

enum { READ_PLACE = 128 };

/* State of reading a JSON document: the current position in it, and the first error. */
typedef struct Reader {
    ImgError *err;
    bool failed;
    /* position of the current object, such as "groups[3].rows[2]"; "" for the document itself */
    char place[READ_PLACE];
} Reader;

/* Makes `object` the current object, and sets its position to the text of `format`, such as
 * "rows[2]". Records an error if `object` is not a JSON object. */
void read_enter(Reader *reader, const cJSON *object, const char *format, ...) IMG_PRINTF(3, 4);

/* Writes to `place` the position of member `key` of the current object, for messages. */
void read_inside(const Reader *reader, const char *key, char place[READ_PLACE]);

/* Reads the text under `key`. A long text is truncated to `size` bytes, including the zero byte,
 * but never within a character. */
void read_text(Reader *reader, const cJSON *object, const char *key, char *text, size_t size);

/* Same as read_text, but records an error if the key is missing. */
void read_name(Reader *reader, const cJSON *object, const char *key, char *text, size_t size);

/* Reads the number under `key`, which must be finite and at least 0. */
double read_number(Reader *reader, const cJSON *object, const char *key);

/* Reads a whole number from 0 to `most`. READ_ANY_COUNT as `most` accepts every uint64_t. */
#define READ_ANY_COUNT 18446744073709551616.0
uint64_t read_count(Reader *reader, const cJSON *object, const char *key, double most);

bool read_bool(Reader *reader, const cJSON *object, const char *key);

/* Returns the name that an enumeration value has in JSON. */
typedef const char *ReadNameFunction(int value);

/* Reads the name of an enumeration value under `key`, and returns the value. The names of the
 * values from `first` to `end - 1` are accepted. Records an error if the key is missing. */
int read_choice(Reader *reader, const cJSON *object, const char *key, ReadNameFunction *name_of,
                int first, int end);

/* Returns the JSON object under `key`; NULL if the key is missing. */
const cJSON *read_object(Reader *reader, const cJSON *object, const char *key);

/* Returns the JSON array under `key`. Records an error if the key is missing. */
const cJSON *read_list(Reader *reader, const cJSON *object, const char *key);

/* Reads the whole document `root` into *report, which must be empty. The caller frees *report even
 * after an error. */
void bench_read_report(Reader *reader, const cJSON *root, BenchReport *report);

#endif
