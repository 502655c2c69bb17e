/* Times, rates, shares and counts for tables: short, with three significant digits. A value that is
 * not finite is "-". */
#ifndef IMGTOOL_APP_BENCH_PRINT_UNITS_H
#define IMGTOOL_APP_BENCH_PRINT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_UNIT = 24 };

/* Each function returns `text`. */

/* Writes "34.2 us", "1.23 ms", "950 ns". */
const char *bench_time_text(double seconds, char text[BENCH_UNIT]);

/* Writes 10^9 per second without the unit: "2105", "3.42". */
const char *bench_rate_text(double per_second, char text[BENCH_UNIT]);

/* Writes bytes in powers of 1000, so that rates are easy to check: "72.0 MB". */
const char *bench_bytes_text(uint64_t bytes, char text[BENCH_UNIT]);

/* Writes "98.1 %". */
const char *bench_share_text(double share, char text[BENCH_UNIT]);

/* Writes "±0.4 %", or "0.4 %" without UTF-8. */
const char *bench_noise_text(double noise, bool utf8, char text[BENCH_UNIT]);

/* Writes "3.42", "12.3" or "123": a ratio or another number without a unit. */
const char *bench_number_text(double number, char text[BENCH_UNIT]);

/* Writes "1,024"; from a million on "1.234 M", "12.34 G". */
const char *bench_count_text(uint64_t count, char text[BENCH_UNIT]);

enum { BENCH_CLEAN = 320 };

/* Writes untrusted text for a terminal, truncated to the size. Control characters and bytes that
 * are not UTF-8 become '?'. */
const char *bench_clean_text(const char *from, char text[BENCH_CLEAN]);

/* Returns the number of UTF-8 characters. */
size_t bench_text_width(const char *text);

#endif
