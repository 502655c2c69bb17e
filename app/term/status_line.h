/* A status line on stderr, if that is a terminal. It is redrawn in place, and hidden while other
 * output is printed. All functions are thread-safe. The functions in messages.h hide and redraw the
 * line themselves. */
#ifndef IMGTOOL_APP_TERM_STATUS_LINE_H
#define IMGTOOL_APP_TERM_STATUS_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if stderr is a terminal that can erase a line. Otherwise the functions below show no
 * status line. */
bool status_line_possible(void);

/* Returns the maximum number of columns of the status line. A longer text is cut. */
size_t status_line_columns(void);

/* Draws `text` in place of the previous status line. The text is copied, and shortened by text_cut
 * if it is too long. */
void status_line_show(const char *text);

/* Removes the status line from the terminal, until the next status_line_show. */
void status_line_clear(void);

/* Hide and redraw the status line. Between the calls other threads wait, so that the output of the
 * caller stays in one piece. The calls nest, and the last status_line_resume redraws the line.
 * stdout must be flushed before that call. report_begin and report_end do all of this. */
void status_line_pause(void);
void status_line_resume(void);

/* Ends the line on the terminal if the status line is visible. Called by a signal handler that ends
 * the program. */
void status_line_leave(void);

#endif
