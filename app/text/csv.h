/* Comma-separated values, quoted as RFC 4180 says; lines end with a newline alone, as every other
 * text of this program. */
#ifndef IMGTOOL_APP_TEXT_CSV_H
#define IMGTOOL_APP_TEXT_CSV_H

#include <stdio.h>

/* Asks once whether `out` is a terminal, in place of csv_text, which may not be able to later:
 * before a sandbox, and not while other threads print. */
void csv_begin(FILE *out);

/* One field. The bytes of names stay as they are, so that programs find the files, save where `out`
 * is a terminal, which control characters could upset. */
void csv_text(FILE *out, const char *text);

#endif
