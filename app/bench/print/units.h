/* Writes times, rates, shares and counts for tables: short texts with three significant digits. A
 * value that is not finite is written as "-". */
#ifndef IMGTOOL_APP_BENCH_PRINT_UNITS_H
#define IMGTOOL_APP_BENCH_PRINT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_UNIT = 24 };

/* Each function returns `text`. */

/* Writes a time such as "34.2 us", "1.23 ms" or "950 ns". */
const char *bench_time_text(double seconds, char text[BENCH_UNIT]);

/* Writes a rate in units of 10^9 per second, without the unit: "2105" or "3.42". */
const char *bench_rate_text(double per_second, char text[BENCH_UNIT]);

/* Writes a number of bytes such as "72.0 MB". The units are powers of 1000, so that rates are easy
 * to check. */
const char *bench_bytes_text(uint64_t bytes, char text[BENCH_UNIT]);

/* Writes a share such as "98.1 %". */
const char *bench_share_text(double share, char text[BENCH_UNIT]);

/* Writes a noise such as "±0.4 %". Without `utf8` it is "0.4 %". */
const char *bench_noise_text(double noise, bool utf8, char text[BENCH_UNIT]);

/* Writes a ratio, or another number without a unit, such as "3.42", "12.3" or "123". */
const char *bench_number_text(double number, char text[BENCH_UNIT]);

/* Writes a count such as "1,024". From a million on it has a unit: "1.234 M" or "12.34 G". */
const char *bench_count_text(uint64_t count, char text[BENCH_UNIT]);

enum { BENCH_CLEAN = 320 };

/* Makes untrusted text safe for a terminal: control characters and bytes that are not UTF-8 become
 * '?'. Truncates it to the size of `text`, which it returns. */
const char *bench_clean_text(const char *from, char text[BENCH_CLEAN]);

/* Returns the number of UTF-8 characters in the text. */
size_t bench_text_width(const char *text);

#endif
