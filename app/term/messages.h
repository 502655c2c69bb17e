/* Messages on stderr and the check of results on stdout. A message is one line, with two more lines
 * if it shows a mistake within a text. Lines of several threads stay whole and do not mix with the
 * status line (app/term/status_line.h). Output to stdout is checked at the end. */
#ifndef IMGTOOL_APP_TERM_MESSAGES_H
#define IMGTOOL_APP_TERM_MESSAGES_H

#include <stdio.h>

#include "app/cli/options.h"
#include "kernels/core/status.h"

/* Redirects the messages of the calling thread to `to`. A server does so, because the thread works
 * for another process. NULL: back to stderr. */
void messages_divert(FILE *to);

/* Returns the stream for the calling thread's messages, for output of several lines. */
FILE *messages_stream(void);

/* Prints the error as a message and returns the exit code for it. */
int report_failure(const ImgError *err);

/* Same as report_failure; also prints `mark` below the message. `mark` is the text of caret_print
 * (app/text/caret.h), which shows the position of a mistake, or "". */
int report_failure_at(const ImgError *err, const char *mark);

/* Prints a note: information that the user should have although the work continues. Prints nothing
 * with --quiet. */
void report_note(const Settings *settings, const char *format, ...) IMG_PRINTF(2, 3);

/* Prints a detail. Prints nothing without --verbose. */
void report_detail(const Settings *settings, const char *format, ...) IMG_PRINTF(2, 3);

/* Surround output to stdout or stderr that does not use the functions above, if other threads may
 * print messages or a status line is shown. In between the status line is hidden, and other threads
 * wait before they print. report_end flushes stdout. The calls nest. */
void report_begin(void);
void report_end(void);

#endif
