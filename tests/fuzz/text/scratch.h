/* For targets that give the program files and look at what it leaves behind. Nothing of it is kept
 * in the file system but for a private directory, in /dev/shm where there is one. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_SCRATCH_H
#define IMGTOOL_TESTS_FUZZ_TEXT_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Ends the program with that message. */
_Noreturn void scratch_fail(const char *what);

/* The same where it is false. */
static inline void scratch_check(bool ok, const char *what)
{
    if (!ok)
        scratch_fail(what);
}

/* --- Files in memory -------------------------------------------------------------------------- */

enum { SCRATCH_FILES = 4 };

/* A file without a name and with this content; its path, which is the same each time. */
const char *scratch_file(int number, const void *data, size_t size);

/* --- A directory of one's own ----------------------------------------------------------------- */

/* Makes it the working directory, until scratch_leave; made by the first call, in the directory
 * whose path from the root IMGTOOL_FUZZ_SCRATCH is, where that is set, and removed at exit. */
void scratch_enter(void);
void scratch_leave(void);

/* Makes a file there, with a time that is the same each time. */
void scratch_put(const char *name, const void *data, size_t size);

/* How many entries a directory in it has; "." for itself. 0 where there is none. */
size_t scratch_count(const char *name);

/* Removes what is in it. */
void scratch_empty(void);

#endif
