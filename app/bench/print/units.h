/* Times, rates, shares and counts as a benchmark's tables show them: short, three digits that mean
 * something, whatever the size. What is not a number is "-". */
#ifndef IMGTOOL_APP_BENCH_PRINT_UNITS_H
#define IMGTOOL_APP_BENCH_PRINT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_UNIT = 24 };

/* Each returns `text`. */

/* "34.2 us", "1.23 ms", "950 ns" */
const char *bench_time_text(double seconds, char text[BENCH_UNIT]);

/* Thousand millions a second, without the unit: "2105", "3.42" */
const char *bench_rate_text(double per_second, char text[BENCH_UNIT]);

/* Thousands of thousands, so that rates can be checked by head: "72.0 MB" */
const char *bench_bytes_text(uint64_t bytes, char text[BENCH_UNIT]);

/* "98.1 %" */
const char *bench_share_text(double share, char text[BENCH_UNIT]);

/* "±0.4 %", where the terminal has no such sign "0.4 %" */
const char *bench_noise_text(double noise, bool utf8, char text[BENCH_UNIT]);

/* "3.42", "12.3", "123": a ratio, and any other number that needs no unit */
const char *bench_number_text(double number, char text[BENCH_UNIT]);

/* "1,024"; from a million on "1.234 M", "12.34 G" */
const char *bench_count_text(uint64_t count, char text[BENCH_UNIT]);

enum { BENCH_CLEAN = 320 };

/* Text of unknown origin, fit for a terminal: one character for each that can be shown, '?' for
 * each control character, and for bytes of what is not UTF-8; cut to the size. */
const char *bench_clean_text(const char *from, char text[BENCH_CLEAN]);

/* Characters of UTF-8 */
size_t bench_text_width(const char *text);

#endif
