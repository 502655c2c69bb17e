/* Captures standard output and standard error in memory. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_CAPTURE_H
#define IMGTOOL_TESTS_FUZZ_TEXT_CAPTURE_H

#include <stddef.h>
#include <stdio.h>

typedef struct Capture {
    char *out, *err; /* captured text, zero-terminated, valid after capture_end */
    size_t out_size, err_size;
    FILE *out_file, *err_file, *real_out, *real_err; /* internal */
} Capture;

/* Between begin and end, stdout and stderr go to memory. Code between them must not longjmp out. */
void capture_begin(Capture *output);
void capture_end(Capture *output);
void capture_free(Capture *output);

/* Restores stdout and stderr before an abort, so that the last message is printed. */
void capture_abort(void);

/* Aborts if the text has a control character other than newline and tab: a terminal would obey it.
 */
void check_printable(const char *text, size_t size);

#endif
