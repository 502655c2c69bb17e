/* Comma-separated values, quoted according to RFC 4180. Lines end with a newline only, like all
 * text of this program. */
#ifndef IMGTOOL_APP_TEXT_CSV_H
#define IMGTOOL_APP_TEXT_CSV_H

#include <stdio.h>

/* Checks whether `out` is a terminal, and keeps the result for later calls of csv_text. Use it if
 * csv_text cannot check by itself: in a sandbox, or while other threads print. */
void csv_begin(FILE *out);

/* Writes one field. If `out` is a terminal, control characters are replaced, because they could
 * disturb it. Otherwise the bytes are unchanged, so that programs find the files that the fields
 * name. */
void csv_text(FILE *out, const char *text);

#endif
