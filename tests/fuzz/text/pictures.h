/* Puts tiny pictures and a text into the private directory (scratch.h), for commands to work on:
 *     a.png         colours, and EXIF that rotates it
 *     b.png         16-bit gray
 *     p.png         a palette with transparency
 *     e.png, f.png  the same size in different formats, for comparisons
 *     d/c.png       a picture in a directory
 *     s             a text from the input
 * They are in a subdirectory. Beside it is one more picture, which commands must not change. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_PICTURES_H
#define IMGTOOL_TESTS_FUZZ_TEXT_PICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the text to `s`, and all pictures that are missing or have changed. Makes their directory
 * the working directory until scratch_leave. */
void pictures_put(const char *text, size_t size);

/* Removes all files if one has changed or is new. */
void pictures_clean(void);

/* Returns true if no file has changed and none is new. */
bool pictures_unchanged(void);

/* Returns true if no file beside the subdirectory has changed and none is new. */
bool pictures_beside_unchanged(void);

/* Returns true if a file has a name that imgtool gives to unfinished outputs. */
bool pictures_have_temporary(void);

/* Returns false for an empty file, for a PNG that cannot be decoded, and for a missing file whose
 * name has a dot. Files in other formats are not decoded. */
bool pictures_readable(const char *name);

/* Returns true if `name` is a regular file; false for "-". */
bool pictures_is_file(const char *name);

/* Returns true if the files `a` and `b` have the same bytes. */
bool pictures_equal(const char *a, const char *b);

/* Returns a hash of the names, sizes and times of all files, except records of batches. */
uint64_t pictures_state(void);

/* pictures_close_streams makes /dev/null standard input and output. pictures_open_streams restores
 * them. */
void pictures_close_streams(void);
void pictures_open_streams(void);

#endif
