/* Comma-separated values, quoted according to RFC 4180. Lines end with a newline only, like all
 * text of this program. */
#ifndef IMGTOOL_APP_TEXT_CSV_H
#define IMGTOOL_APP_TEXT_CSV_H

#include <stdio.h>

/* Checks once whether `out` is a terminal, for later calls of csv_text. Use it if csv_text cannot
 * check: in a sandbox, or while other threads print. */
void csv_begin(FILE *out);

/* Writes one field. Bytes of file names are not changed, so that programs find the files, unless
 * `out` is a terminal: control characters could disturb that. */
void csv_text(FILE *out, const char *text);

#endif
