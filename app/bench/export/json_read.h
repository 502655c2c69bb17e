/* Values out of a JSON tree that nobody vouches for: what is missing or null is empty or 0, what is
 * of the wrong kind is a failure that names its place. Only the first failure is kept. */
#ifndef IMGTOOL_APP_BENCH_EXPORT_JSON_READ_H
#define IMGTOOL_APP_BENCH_EXPORT_JSON_READ_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "app/bench/report.h"
#include "kernels/core/status.h"

enum { READ_PLACE = 128 };

/* Where in the tree reading is, for messages. */
typedef struct Reader {
    ImgError *err;
    bool failed;
    char place[READ_PLACE]; /* "groups[3].rows[2]"; "" at the top */
} Reader;

/* From here on values are those of `object`, in this place; a failure if it is not an object. */
void read_enter(Reader *reader, const cJSON *object, const char *format, ...) IMG_PRINTF(3, 4);

/* The place of a member, inside the present one. */
void read_inside(const Reader *reader, const char *key, char place[READ_PLACE]);

/* Cut to the size, between characters. */
void read_text(Reader *reader, const cJSON *object, const char *key, char *text, size_t size);

/* The same, but it has to be there. */
void read_name(Reader *reader, const cJSON *object, const char *key, char *text, size_t size);

/* Finite, and not negative. */
double read_number(Reader *reader, const cJSON *object, const char *key);

/* Whole and at most `most`, for which READ_ANY_COUNT is all that an uint64_t holds. */
#define READ_ANY_COUNT 18446744073709551616.0
uint64_t read_count(Reader *reader, const cJSON *object, const char *key, double most);

bool read_bool(Reader *reader, const cJSON *object, const char *key);

/* The number, first <= n < end, whose name it is; it has to be there. */
typedef const char *ReadNameFunction(int value);
int read_choice(Reader *reader, const cJSON *object, const char *key, ReadNameFunction *name_of,
                int first, int end);

/* NULL where it is missing. */
const cJSON *read_object(Reader *reader, const cJSON *object, const char *key);

/* It has to be there. */
const cJSON *read_list(Reader *reader, const cJSON *object, const char *key);

/* The whole report, into one that is empty; the caller frees it, after a failure too. */
void bench_read_report(Reader *reader, const cJSON *root, BenchReport *report);

#endif
