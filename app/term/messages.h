/* What the program says: talk on stderr, one line a message, and two more where a mistake is shown
 * in its text; results on stdout, checked at the end. Messages of several threads stay whole lines,
 * and never mix with the status line (app/term/status_line.h). */
#ifndef IMGTOOL_APP_TERM_MESSAGES_H
#define IMGTOOL_APP_TERM_MESSAGES_H

#include <stdio.h>

#include "app/cli/options.h"
#include "kernels/core/status.h"

/* From now on what the calling thread says goes to `to`, which is its own, instead of stderr: it
 * works for another process. NULL: to stderr again. */
void messages_divert(FILE *to);

/* Where the calling thread's messages go; for what is more than a line. */
FILE *messages_stream(void);

/* Prints the error and returns its exit code. */
int report_failure(const ImgError *err);

/* The same, and below it the lines that show where the mistake is: what caret_print has written
 * (app/text/caret.h), or nothing where `mark` is empty. */
int report_failure_at(const ImgError *err, const char *mark);

/* Something the user should know although the work continues; not with --quiet. */
void report_note(const Settings *settings, const char *format, ...) IMG_PRINTF(2, 3);

/* Only with --verbose. */
void report_detail(const Settings *settings, const char *format, ...) IMG_PRINTF(2, 3);

/* Around what is printed at once to stdout, or to stderr by other ways than the above, while other
 * threads may talk or a status line may stand: the line gives way, other threads wait. The end
 * flushes stdout. They nest. */
void report_begin(void);
void report_end(void);

#endif
