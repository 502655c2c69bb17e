/* A status line on the terminal of stderr. It is redrawn in place, and hidden while other output is
 * printed. All functions are thread-safe. The functions of messages.h hide and redraw it
 * themselves. */
#ifndef IMGTOOL_APP_TERM_STATUS_LINE_H
#define IMGTOOL_APP_TERM_STATUS_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if stderr is a terminal that can erase a line. Otherwise the functions below show
 * nothing. */
bool status_line_possible(void);

/* Returns the number of columns that a text can have without being cut. */
size_t status_line_columns(void);

/* Draws the text in place of the previous one. Copies the text, and shortens it by text_cut. */
void status_line_show(const char *text);

/* Removes the status line from the terminal. */
void status_line_clear(void);

/* Hide and redraw the line. In between other threads wait, so that the output of the caller stays
 * in one piece. The calls nest; the last status_line_resume redraws the line. Flush stdout before
 * that call. report_begin and report_end do all of this. */
void status_line_pause(void);
void status_line_resume(void);

/* Starts a new line on the terminal if the status line is visible. For a signal handler that ends
 * the program. */
void status_line_leave(void);

#endif
