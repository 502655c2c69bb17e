/* Amounts as people type and read them: "500M", "1.5G", "2GiB"; "1,000,000". Bytes as people read
 * them are in io/size_text.h. */
#ifndef IMGTOOL_APP_TEXT_AMOUNTS_H
#define IMGTOOL_APP_TEXT_AMOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* A number with an optional fraction and an optional k, M, G or T (thousands, letter case ignored).
 * At least 1. IMG_E_USAGE for anything else; the message starts with "'TEXT'". */
ImgStatus amount_parse_count(const char *text, uint64_t *count, ImgError *err);

/* The same for bytes: K, M, G, T and KiB .. TiB are powers of 1024, KB .. TB powers of 1000. */
ImgStatus amount_parse_bytes(const char *text, uint64_t *bytes, ImgError *err);

/* A time: seconds, or a number with s, m (minutes), h or d. At least 1 second. */
ImgStatus amount_parse_seconds(const char *text, uint64_t *seconds, ImgError *err);

/* "256x128", or "256" for a square: pixels, both at least 1. False: it is neither, and nothing is
 * changed. */
bool amount_parse_pixels(const char *text, int32_t *width, int32_t *height);

enum { AMOUNT_TEXT = 32 };

/* "1,234,567" */
const char *amount_print_count(uint64_t count, char text[AMOUNT_TEXT]);

/* As few digits as give the same number again: "0.1". The number is finite. */
const char *amount_print_number(double number, char text[AMOUNT_TEXT]);

/* 100 * part / whole with so many decimals: "12.346". What is not nothing never reads "0.000" but
 * "<0.001", and what is not all never "100.000" but ">99.999". `whole` is at least 1. */
const char *amount_print_percent(uint64_t part, uint64_t whole, int decimals,
                                 char text[AMOUNT_TEXT]);

/* The smallest round amount of at least `bytes` that amount_parse_bytes understands: "6G". */
const char *amount_print_option(uint64_t bytes, char text[AMOUNT_TEXT]);

#endif
