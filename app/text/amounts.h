/* Parses and prints amounts in the form that users type and read, such as "500M", "1.5G", "2GiB" or
 * "1,000,000". io/size_text.h prints sizes for messages. */
#ifndef IMGTOOL_APP_TEXT_AMOUNTS_H
#define IMGTOOL_APP_TEXT_AMOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* Parses a count of at least 1. It is a number with an optional fraction, and an optional k, M, G
 * or T (powers of 1000) in upper or lower case. Fails with IMG_E_USAGE for any other text; the
 * message starts with "'TEXT'". */
ImgStatus img_amount_parse_count(const char *text, uint64_t *count, ImgError *err);

/* Parses a number of bytes by the rules of img_amount_parse_count, but with other units. K, M, G, T
 * and KiB to TiB are powers of 1024. KB to TB are powers of 1000. */
ImgStatus img_amount_parse_bytes(const char *text, uint64_t *bytes, ImgError *err);

/* Parses a duration of at least 1 second, and sets *seconds. It is a number of seconds, or a number
 * with s, m (minutes), h or d. */
ImgStatus img_amount_parse_seconds(const char *text, uint64_t *seconds, ImgError *err);

/* Parses a size in pixels, such as "256x128", or "256" for a square. Both sides must be at least 1.
 * Returns false for any other text, and then leaves *width and *height unchanged. */
bool img_amount_parse_pixels(const char *text, int32_t *width, int32_t *height);

enum { AMOUNT_TEXT = 32 };

/* Writes a count with commas, for example "1,234,567". Returns `text`. */
const char *img_amount_print_count(uint64_t count, char text[AMOUNT_TEXT]);

/* Writes the shortest text that is parsed as the same number, for example "0.1". The number must be
 * finite. Returns `text`. */
const char *img_amount_print_number(double number, char text[AMOUNT_TEXT]);

/* Writes 100 * `part` / `whole` with the given number of decimals, for example "12.346". `whole` is
 * at least 1. A part above 0 never becomes 0: with 3 decimals it is at least "<0.001". A part below
 * the whole never becomes 100: it is at most ">99.999". Returns `text`. */
const char *img_amount_print_percent(uint64_t part, uint64_t whole, int decimals,
                                     char text[AMOUNT_TEXT]);

/* Writes an amount of at least `bytes`, rounded up to a short text that img_amount_parse_bytes
 * accepts, for example "6G". Returns `text`. */
const char *img_amount_print_option(uint64_t bytes, char text[AMOUNT_TEXT]);

#endif
