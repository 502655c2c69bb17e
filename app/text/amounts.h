/* Amounts in the form in which users type and read them: "500M", "1.5G", "2GiB"; "1,000,000". For
 * sizes in messages see io/size_text.h. */
#ifndef IMGTOOL_APP_TEXT_AMOUNTS_H
#define IMGTOOL_APP_TEXT_AMOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* Parses a count: a number with an optional fraction and an optional k, M, G or T (powers of 1000,
 * in upper or lower case). The count is at least 1. IMG_E_USAGE for any other text; the message
 * starts with "'TEXT'". */
ImgStatus amount_parse_count(const char *text, uint64_t *count, ImgError *err);

/* Parses a number of bytes by the same rules, but with other units: K, M, G, T and KiB to TiB are
 * powers of 1024, KB to TB powers of 1000. */
ImgStatus amount_parse_bytes(const char *text, uint64_t *bytes, ImgError *err);

/* Parses a duration: seconds, or a number with s, m (minutes), h or d. It is at least 1 second. */
ImgStatus amount_parse_seconds(const char *text, uint64_t *seconds, ImgError *err);

/* Parses a size in pixels: "256x128", or "256" for a square. Both sides are at least 1. Returns
 * false for any other text, and then leaves *width and *height unchanged. */
bool amount_parse_pixels(const char *text, int32_t *width, int32_t *height);

enum { AMOUNT_TEXT = 32 };

/* Writes the count with commas, for example "1,234,567". Returns `text`. */
const char *amount_print_count(uint64_t count, char text[AMOUNT_TEXT]);

/* Writes the shortest text that gives the same number when parsed, for example "0.1". The number
 * must be finite. Returns `text`. */
const char *amount_print_number(double number, char text[AMOUNT_TEXT]);

/* Writes 100 * part / whole with `decimals` decimals, for example "12.346". With 3 decimals, a part
 * above 0 is at least "<0.001", and a part below the whole is at most ">99.999". `whole` is at
 * least 1. Returns `text`. */
const char *amount_print_percent(uint64_t part, uint64_t whole, int decimals,
                                 char text[AMOUNT_TEXT]);

/* Writes the smallest round amount that is at least `bytes`, in the syntax of amount_parse_bytes,
 * for example "6G". Returns `text`. */
const char *amount_print_option(uint64_t bytes, char text[AMOUNT_TEXT]);

#endif
