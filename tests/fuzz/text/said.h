/* What the program prints, in memory. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_SAID_H
#define IMGTOOL_TESTS_FUZZ_TEXT_SAID_H

#include <stddef.h>
#include <stdio.h>

typedef struct Said {
    char *out, *err; /* end with a zero */
    size_t out_size, err_size;
    FILE *out_file, *err_file, *real_out, *real_err;
} Said;

/* From here on stdout and stderr go to memory. Between the two nothing must jump out. */
void said_begin(Said *said);
void said_end(Said *said);
void said_free(Said *said);

/* Before the program ends between the two, so that its last words are heard. */
void said_stop(void);

/* Ends the program where a byte could steer a terminal: a control, but newlines and tabs. */
void said_check_clean(const char *text, size_t size);

#endif
