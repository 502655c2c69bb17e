/* What the program says: talk on stderr, one line a message; results on stdout, checked at the end.
 * Messages of several threads stay whole lines, and never mix with the status line
 * (app/status_line.h). */
#ifndef IMGTOOL_APP_REPORT_H
#define IMGTOOL_APP_REPORT_H

#include "app/options.h"
#include "kernels/core/status.h"

/* Prints the error and returns its exit code. */
int report_failure(const ImgError *err);

/* Something the user should know although the work goes on; not with --quiet. */
void report_note(const Settings *settings, const char *format, ...) IMG_PRINTF(2, 3);

/* Only with --verbose. */
void report_detail(const Settings *settings, const char *format, ...) IMG_PRINTF(2, 3);

/* Around what is printed at once to stdout, or to stderr by other ways than the above, while other
 * threads may talk or a status line may stand: the line gives way, other threads wait. The end
 * flushes stdout. They nest. */
void report_begin(void);
void report_end(void);

/* Gives the descriptors 0 to 2 something to stand for where the caller closed them, so that no
 * picture is ever opened as one of them and mixed with messages. Call first. */
void report_guard_streams(void);

/* Call after printing much at once: stdio may drop it on failure, and forgets the reason. */
void report_flush_stdout(void);

/* Everything written to stdout has arrived. IMG_E_IO otherwise: a full disk, a closed pipe. */
ImgStatus report_finish_stdout(ImgError *err);

/* "standard input" for "-" */
const char *report_input_name(const char *path);
const char *report_output_name(const char *path);

#endif
