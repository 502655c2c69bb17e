/* Helpers for targets that run parts of the program: files in memory, a private directory, and
 * captured output. The directory is in /dev/shm (or /tmp), and is removed at exit. Targets write
 * nowhere else. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_SCRATCH_H
#define IMGTOOL_TESTS_FUZZ_TEXT_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Prints the message, removes the private directory and aborts. */
_Noreturn void scratch_fail(const char *what);

/* Calls scratch_fail with `what` if `ok` is false. */
static inline void scratch_check(bool ok, const char *what)
{
    if (!ok)
        scratch_fail(what);
}

/* --- Files in memory -------------------------------------------------------------------------- */

enum { SCRATCH_FILES = 4 };

/* Writes the content to the memory file `number`, 0 to SCRATCH_FILES - 1. Returns its path, which
 * is always the same for a number. */
const char *scratch_file(int number, const void *data, size_t size);

/* --- The private directory -------------------------------------------------------------------- */

/* Makes the private directory the working directory until scratch_leave. The first call creates the
 * directory. If the environment variable IMGTOOL_FUZZ_SCRATCH is set to an absolute path, the
 * directory is created there. */
void scratch_enter(void);
void scratch_leave(void);

/* Writes a file in the working directory. Its modification time is always the same. */
void scratch_put(const char *name, const void *data, size_t size);

/* Returns the number of entries of a directory, apart from "." and "..". Returns 0 if it does not
 * exist. */
size_t scratch_count(const char *name);

/* Removes everything in the private directory. */
void scratch_empty(void);

/* --- Captured output -------------------------------------------------------------------------- */

typedef struct Capture {
    char *out, *err; /* captured text, zero-terminated; valid after capture_end */
    size_t out_size, err_size;
    FILE *out_file, *err_file, *real_out, *real_err; /* for capture_begin and capture_end only */
} Capture;

/* capture_begin sends stdout and stderr to memory until capture_end. The code between them must not
 * leave by longjmp. */
void capture_begin(Capture *output);
void capture_end(Capture *output);
void capture_free(Capture *output);

/* Aborts if the text has a control character other than newline and tab. A terminal would obey such
 * a character. */
void check_printable(const char *text, size_t size);

#endif
