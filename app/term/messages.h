/* Messages on stderr, one line each, with two more lines if a mistake is shown in its text; and
 * results on stdout, which is checked at the end. Messages of several threads stay whole lines and
 * do not mix with the status line (app/term/status_line.h). */
#ifndef IMGTOOL_APP_TERM_MESSAGES_H
#define IMGTOOL_APP_TERM_MESSAGES_H

#include <stdio.h>

#include "app/cli/options.h"
#include "kernels/core/status.h"

/* Redirects the messages of the calling thread to `to`, because it works for another process. NULL:
 * back to stderr. */
void messages_divert(FILE *to);

/* Returns the stream of the calling thread's messages, for output of several lines. */
FILE *messages_stream(void);

/* Prints the error and returns its exit code. */
int report_failure(const ImgError *err);

/* The same, followed by the lines that show where the mistake is: the text of caret_print
 * (app/text/caret.h). `mark` may be empty. */
int report_failure_at(const ImgError *err, const char *mark);

/* Prints something that the user should know although the work continues. Silent with --quiet. */
void report_note(const Settings *settings, const char *format, ...) IMG_PRINTF(2, 3);

/* Prints only with --verbose. */
void report_detail(const Settings *settings, const char *format, ...) IMG_PRINTF(2, 3);

/* Surround other output to stdout or stderr while other threads may print messages or a status line
 * is shown. The status line is hidden, and other threads wait. report_end flushes stdout. The calls
 * nest. */
void report_begin(void);
void report_end(void);

#endif
