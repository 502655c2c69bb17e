/* Tiny pictures and a text in the private directory (scratch.h), for commands to work on: "a.png"
 * has colours and EXIF that turns it, "b.png" gray of 16 bits, "p.png" a palette with transparency,
 * "e.png" and "f.png" the same size in different formats, to be compared, "d" is a directory with
 * "c.png", and "s" is a text of the caller's. They are in a directory of it, with one more picture
 * beside that directory which no command is given. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_PICTURES_H
#define IMGTOOL_TESTS_FUZZ_TEXT_PICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Puts in what is not there any more as it was, and the text; the directory with them is the
 * working directory then, until scratch_leave. */
void pictures_put(const char *text, size_t size);

/* Removes everything, unless all is as it was put in. */
void pictures_clean(void);

/* All as it was put in, and nothing else? */
bool pictures_unchanged(void);

/* Is what is beside their directory as it was put in, and nothing else there? */
bool pictures_beside_unchanged(void);

/* Is there a file by a name that imgtool gives what it has not finished? */
bool pictures_have_temporary(void);

/* Can it be decoded, or is it something else than a PNG? */
bool pictures_readable(const char *name);

/* Is it a file, and no directory or standard output? */
bool pictures_is_file(const char *name);

/* Do two files have the same bytes? */
bool pictures_equal(const char *a, const char *b);

/* A number for all files that are there, by name, size and time, but for records of batches. */
uint64_t pictures_state(void);

/* Standard input and output are /dev/null between the two. */
void pictures_close_streams(void);
void pictures_open_streams(void);

#endif
