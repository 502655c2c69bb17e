/* A line of the record, as text:
 *
 *   CHECK STEPS SIZE TIME SIZE TIME OUTPUT INPUT [INODE]
 *
 * CHECK, 8 hexadecimal digits, is a hash of all that follows it: a line of which only a part
 * reached the disk counts for nothing. STEPS, 16 of them, is a hash of what was done. SIZE and
 * TIME (seconds, a point, nine digits) are those of the input before it was read, then those of the
 * output. Names are percent-encoded; INPUT is "=" where the output took its place.
 *
 * INODE is there where the file that is replaced has the size and the time of the output, which
 * --preserve gives it: that of the file that is replaced, which the line is not about.
 *
 * STEPS are zeros where nothing was done: a run that starts again must do a file in that state,
 * even where another record says that it is done. INODE is the file's own then. INPUT is "=" and
 * the STEPS of that run; "=" alone, of earlier versions, means any run.
 *
 * OUTPUT is "=" and STEPS, and the rest is zeros, where a run by these steps begins in several
 * directories; and a second time with STEPS of zeros in front, once it has begun.
 *
 * Earlier versions take no line with INODE, and others as they are meant, but for zeros in another
 * record than that which tells that the file is finished.
 *
 * Hash: FNV-1a, 64 bits (Fowler, Noll, Vo). */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_LINE_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/batch/record/file_state.h"

typedef struct RecordLine {
    uint64_t steps;
    FileState before, after;
    const char *output, *input; /* encoded and borrowed, not terminated */
    size_t output_size, input_size;
    uint64_t inode; /* 0: none */
} RecordLine;

/* STEPS of a file that is to be done. */
enum { RECORD_BEGUN = 0 };

/* INPUT of a line about a file that was replaced by its result. */
extern const char record_same_file[];

uint64_t record_hash(const char *text, size_t size);

enum { RECORD_STEPS_DIGITS = 16, RECORD_BEGUN_INPUT_SIZE = 1 + RECORD_STEPS_DIGITS };

/* INPUT of a line about a file that a run by `steps` begins with. */
void record_begun_input(uint64_t steps, char name[RECORD_BEGUN_INPUT_SIZE + 1]);

/* Does this line, about a file that is still to be done, belong to a run of these steps? */
bool record_line_begins(const RecordLine *line, uint64_t steps);

/* Is it about a file that was replaced by its result? */
bool record_line_is_in_place(const RecordLine *line);

/* With a newline at the end. NULL: no memory. The caller frees it. */
char *record_line_write(const RecordLine *line);

/* `text` is without the newline. False for what record_line_write does not write. The names of
 * *line lie within `text`. */
bool record_line_read(const char *text, size_t size, RecordLine *line);

/* Is it about its output in this state? */
bool record_line_fits(const RecordLine *line, const FileState *output);

/* The name by which a line calls a path: encoded, relative to `directory` where it lies below it by
 * its spelling, where "./" and "//" do not matter. `directory` may be NULL. NULL: no memory. */
char *record_name_of(const char *directory, const char *path);

/* The path that a name stands for, seen from `directory`. NULL: no memory, or no such name. */
char *record_path_of(const char *directory, const char *name, size_t size);

#endif
