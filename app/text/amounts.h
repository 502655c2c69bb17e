/* Amounts as users type and read them: "500M", "1.5G", "2GiB"; "1,000,000". io/size_text.h has
 * sizes in bytes for messages. */
#ifndef IMGTOOL_APP_TEXT_AMOUNTS_H
#define IMGTOOL_APP_TEXT_AMOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* Parses a number with an optional fraction and an optional k, M, G or T (powers of 1000,
 * case-insensitive). At least 1. IMG_E_USAGE for anything else; the message starts with
 * "'TEXT'". */
ImgStatus amount_parse_count(const char *text, uint64_t *count, ImgError *err);

/* The same for bytes: K, M, G, T and KiB to TiB are powers of 1024, KB to TB powers of 1000. */
ImgStatus amount_parse_bytes(const char *text, uint64_t *bytes, ImgError *err);

/* Parses a time: seconds, or a number with s, m (minutes), h or d. At least 1 second. */
ImgStatus amount_parse_seconds(const char *text, uint64_t *seconds, ImgError *err);

/* Parses "256x128", or "256" for a square: pixels, both at least 1. False for anything else; then
 * nothing changes. */
bool amount_parse_pixels(const char *text, int32_t *width, int32_t *height);

enum { AMOUNT_TEXT = 32 };

/* Writes "1,234,567". */
const char *amount_print_count(uint64_t count, char text[AMOUNT_TEXT]);

/* Writes as few digits as give the same number when parsed: "0.1". The number must be finite. */
const char *amount_print_number(double number, char text[AMOUNT_TEXT]);

/* Writes 100 * part / whole with that many decimals: "12.346". A part above 0 is never "0.000" but
 * "<0.001"; a part below the whole is never "100.000" but ">99.999". `whole` is at least 1. */
const char *amount_print_percent(uint64_t part, uint64_t whole, int decimals,
                                 char text[AMOUNT_TEXT]);

/* Writes the smallest round amount of at least `bytes` in the syntax of amount_parse_bytes:
 * "6G". */
const char *amount_print_option(uint64_t bytes, char text[AMOUNT_TEXT]);

#endif
