/* Comma-separated values, quoted as in RFC 4180. Lines end with a newline only, as in all text that
 * this program prints. */
#ifndef IMGTOOL_APP_TEXT_CSV_H
#define IMGTOOL_APP_TEXT_CSV_H

#include <stdio.h>

/* Checks whether `out` is a terminal, and keeps the result for csv_text. Call it if csv_text cannot
 * check this itself: in a sandbox, or while other threads print. */
void csv_begin(FILE *out);

/* Writes one field. If `out` is a terminal, control characters are replaced, because they could
 * disturb the terminal. Otherwise the bytes are unchanged, so that programs can open the files that
 * fields name. */
void csv_text(FILE *out, const char *text);

#endif
