/* Functions for the targets that fuzz texts: arguments, command lines, records and metadata. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_TEXT_H
#define IMGTOOL_TESTS_FUZZ_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/args.h"
#include "io/metadata/metadata.h"
#include "tests/fuzz/bytes.h"

/* --- Splitting an input into several texts at form feeds -------------------------------------- */

typedef struct Part {
    const char *text; /* the text, borrowed; not zero-terminated */
    size_t size;
} Part;

/* Splits the input at form feeds into at most `most` parts, and returns their number, at least 1.
 * The last part is the rest of the input, and may contain form feeds. */
static inline size_t parts_cut(const uint8_t *data, size_t size, Part *parts, size_t most)
{
    const char *at = (const char *)data, *end = at + size;
    size_t count = 0;
    for (; count + 1 < most; count++) {
        const char *cut = memchr(at, '\f', (size_t)(end - at));
        if (cut == NULL)
            break;
        parts[count] = (Part){at, (size_t)(cut - at)};
        at = cut + 1;
    }
    parts[count] = (Part){at, (size_t)(end - at)};
    return count + 1;
}

/* --- Running parts of the program: scratch.c -------------------------------------------------- */

/* Files in memory, a private directory, and captured output. The directory is in /dev/shm (or
 * /tmp), and is removed at exit. Targets write nowhere else. */

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

/* Writes `size` bytes of `data` to the memory file `number`, 0 to SCRATCH_FILES - 1. Returns the
 * path of the file, which is always the same for a number. */
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

/* --- Files for commands to work on: pictures.c ------------------------------------------------ */

/* Puts tiny pictures and a text into the private directory, for commands to work on:
 *     a.png         colours, and EXIF that rotates it
 *     b.png         16-bit gray
 *     p.png         a palette with transparency
 *     e.png, f.png  the same size in different formats, for comparisons
 *     d/c.png       a picture in a directory
 *     s             a text from the input
 * They are in a subdirectory. Beside it is one more picture, which commands must not change. */

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

/* Returns true if a command can have written the file `name`: a PNG that can be decoded, or a file
 * in another format, which is only required not to be empty. Also returns true for "-", for a
 * directory, and for a missing file whose name has no dot. */
bool pictures_readable(const char *name);

/* Returns true if `name` is a regular file; false for "-". */
bool pictures_is_file(const char *name);

/* Returns true if the files `a` and `b` have the same bytes. */
bool pictures_equal(const char *a, const char *b);

/* Returns a hash of the names, sizes and times of all files, except records of batches. */
uint64_t pictures_state(void);

/* pictures_close_streams replaces standard input and output by /dev/null. pictures_open_streams
 * restores them. */
void pictures_close_streams(void);
void pictures_open_streams(void);

/* --- Metadata from an input: chunks.c --------------------------------------------------------- */

/* Makes metadata from a fuzzer's input, which is a sequence of chunks. Each chunk has one byte for
 * its type, one byte with flags (FUZZ_CHUNK_...), two bytes for the length (the low byte first),
 * and the data. */

/* Flags of a text or a profile. Bits 2 to 4 of the same byte choose the keyword. */
enum {
    /* puts the keyword before the data, and in zTXt and iCCP deflates the data; without this flag
     * the chunk has only the data of the input */
    FUZZ_CHUNK_MADE = 1,
    FUZZ_CHUNK_PACKED = 2, /* deflates the data in iTXt */
};

/* Reads at most 12 chunks from the input. Returns false if there are none. Free `metadata` with
 * img_metadata_free. */
bool fuzz_chunks_read(const uint8_t *data, size_t size, ImgMetadata *metadata);

/* Returns a PNG of 3 x 2 pixels. The chunks of `metadata` stand before the pixels, in the same
 * order. The caller frees `data`. */
FuzzBytes fuzz_chunks_file(const ImgMetadata *metadata);

/* --- Parsing a command line again: reparse.c -------------------------------------------------- */

/* Checks that a parsed command line keeps its meaning when it is written and parsed again. */

/* Writes the parsed arguments as a command line and parses it again. Aborts if the results differ.
 * args_parse must have accepted `args`, without --help and --version. */
void check_reparsed(const Args *args);

#endif
