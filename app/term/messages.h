/* Prints messages on stderr. A message is one line. If it shows a mistake in a text, two more lines
 * follow. The lines of several threads stay whole, and do not mix with the status line
 * (app/term/status_line.h). Before each message, results on stdout are flushed. */
#ifndef IMGTOOL_APP_TERM_MESSAGES_H
#define IMGTOOL_APP_TERM_MESSAGES_H

#include <stdio.h>

#include "app/cli/options.h"
#include "kernels/core/status.h"

/* Redirects the messages of the calling thread to the stream `to`; NULL: back to stderr. A server
 * redirects them, because its threads work for other processes. */
void messages_divert(FILE *to);

/* Returns the stream for the messages of the calling thread. The caller prints messages of several
 * lines to it. */
FILE *messages_stream(void);

/* Prints the error as a message, and returns the exit code of the program for it. */
int report_failure(const ImgError *err);

/* Same as report_failure, but also prints `mark` below the message. `mark` is the result of
 * caret_print (app/text/caret.h), which shows the position of a mistake, or "". */
int report_failure_at(const ImgError *err, const char *mark);

/* Returns the functions that the command line provides for the engine: messages of the engine are
 * printed as notes, and a signal removes its temporary files (app/term/interrupt.h). */
const EngineProgram *report_program(void);

/* Call these functions before and after printing to stdout or stderr by functions other than those
 * above. They are needed if other threads may print messages or a status line is shown. Between the
 * calls the status line is hidden, and other threads wait before they print. report_end flushes
 * stdout. The calls nest. */
void report_begin(void);
void report_end(void);

#endif
