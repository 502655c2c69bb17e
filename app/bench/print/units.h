/* Writes times, rates, percentages and counts for tables, as short texts with three significant
 * digits. A value that is not finite becomes "-". */
#ifndef IMGTOOL_APP_BENCH_PRINT_UNITS_H
#define IMGTOOL_APP_BENCH_PRINT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_UNIT = 24 };

/* Each function writes to `text` and returns it. */

/* Writes a time such as "34.2 us", "1.23 ms" or "950 ns". */
const char *bench_time_text(double seconds, char text[BENCH_UNIT]);

/* Writes a rate in 10^9 per second, without the unit, for example "2105" or "3.42". */
const char *bench_rate_text(double per_second, char text[BENCH_UNIT]);

/* Writes a number of bytes such as "72.0 MB". The units are powers of 1000, so that a reader can
 * divide bytes by seconds easily. */
const char *bench_bytes_text(uint64_t bytes, char text[BENCH_UNIT]);

/* Writes a part of a whole as a percentage, such as "98.1 %". */
const char *bench_share_text(double share, char text[BENCH_UNIT]);

/* Writes a noise such as "±0.4 %", or "0.4 %" if `utf8` is false. */
const char *bench_noise_text(double noise, bool utf8, char text[BENCH_UNIT]);

/* Writes a ratio or another number without a unit, such as "3.42", "12.3" or "123". */
const char *bench_number_text(double number, char text[BENCH_UNIT]);

/* Writes a count such as "1,024". From a million on it has a unit: "1.234 M" or "12.34 G". */
const char *bench_count_text(uint64_t count, char text[BENCH_UNIT]);

enum { BENCH_CLEAN = 320 };

/* Makes untrusted text safe for a terminal: control characters, and bytes that are not UTF-8,
 * become '?'. The result is truncated to BENCH_CLEAN bytes. Returns `text`. */
const char *bench_clean_text(const char *from, char text[BENCH_CLEAN]);

/* Returns the number of UTF-8 characters in `text`. */
size_t bench_text_width(const char *text);

#endif
