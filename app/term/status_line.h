/* A line on the terminal of stderr that is rewritten in place, and gives way to whatever else is
 * printed. All functions may be called from any thread. Messages of report.h take care of it. */
#ifndef IMGTOOL_APP_TERM_STATUS_LINE_H
#define IMGTOOL_APP_TERM_STATUS_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Is stderr a terminal that can take a line back? Else the functions below show nothing. */
bool status_line_possible(void);

/* Columns that a text may have so as not to be cut. */
size_t status_line_columns(void);

/* Draws the text in place of what stood there; it is copied, and made fit (text_cut). */
void status_line_show(const char *text);

/* Takes the line away for good. */
void status_line_clear(void);

/* Between these two the line is not there and other threads wait, so that what the caller prints
 * stays in one piece. They nest; the last one draws the line again. stdout has to be flushed before
 * it does: report_begin and report_end do all of that. */
void status_line_pause(void);
void status_line_resume(void);

/* For a signal handler that ends the program: what is printed next starts a line of its own. */
void status_line_leave(void);

#endif
