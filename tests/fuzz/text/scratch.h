/* Helpers for targets that run parts of the program: files in memory, a private directory in
 * /dev/shm (or /tmp) that is removed at exit, and captured output. Targets write nowhere else. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_SCRATCH_H
#define IMGTOOL_TESTS_FUZZ_TEXT_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Prints the message, removes the private directory and aborts. */
_Noreturn void scratch_fail(const char *what);

/* Calls scratch_fail unless `ok`. */
static inline void scratch_check(bool ok, const char *what)
{
    if (!ok)
        scratch_fail(what);
}

/* --- Files in memory -------------------------------------------------------------------------- */

enum { SCRATCH_FILES = 4 };

/* Writes the content to the file in memory with this number, 0 to SCRATCH_FILES - 1. Returns its
 * path, which is the same each time. */
const char *scratch_file(int number, const void *data, size_t size);

/* --- The private directory -------------------------------------------------------------------- */

/* Makes the private directory the working directory until scratch_leave. The first call creates it,
 * inside the directory IMGTOOL_FUZZ_SCRATCH (an absolute path) if that variable is set. */
void scratch_enter(void);
void scratch_leave(void);

/* Writes a file in the working directory, with a fixed modification time. */
void scratch_put(const char *name, const void *data, size_t size);

/* Returns the number of entries of a directory, without "." and "..". 0 if it does not exist. */
size_t scratch_count(const char *name);

/* Removes everything in the private directory. */
void scratch_empty(void);

/* --- Captured output -------------------------------------------------------------------------- */

typedef struct Capture {
    char *out, *err; /* captured text, zero-terminated, valid after capture_end */
    size_t out_size, err_size;
    FILE *out_file, *err_file, *real_out, *real_err; /* internal */
} Capture;

/* Between begin and end, stdout and stderr go to memory. Code between them must not longjmp out. */
void capture_begin(Capture *output);
void capture_end(Capture *output);
void capture_free(Capture *output);

/* Aborts if the text has control characters except newline and tab, which a terminal would obey. */
void check_printable(const char *text, size_t size);

#endif
