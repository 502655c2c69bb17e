/* A status line on the terminal of stderr. It is redrawn in place and hidden while other output is
 * printed. All functions are thread-safe. The functions of messages.h handle it themselves. */
#ifndef IMGTOOL_APP_TERM_STATUS_LINE_H
#define IMGTOOL_APP_TERM_STATUS_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* True if stderr is a terminal that can erase a line. Otherwise the functions below show
 * nothing. */
bool status_line_possible(void);

/* Returns the columns that a text may have without being cut. */
size_t status_line_columns(void);

/* Draws the text in place of the previous one. The text is copied, and cut by text_cut. */
void status_line_show(const char *text);

/* Removes the line. */
void status_line_clear(void);

/* Hide the line and block other threads, so that the output of the caller stays in one piece. The
 * calls nest; the last one redraws the line. Flush stdout before it; report_begin and report_end do
 * all of that. */
void status_line_pause(void);
void status_line_resume(void);

/* For a signal handler that ends the program: starts a new line for later output. */
void status_line_leave(void);

#endif
