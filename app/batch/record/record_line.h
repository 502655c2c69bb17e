/* A line of the record, as text:
 *
 *   CHECK STEPS SIZE TIME SIZE TIME OUTPUT INPUT [INODE]
 *
 * CHECK, 8 hexadecimal digits, is a hash of the rest of the line, so that a line that reached the
 * disk only in part is ignored. STEPS, 16 hexadecimal digits, is a hash of the steps. SIZE and TIME
 * (seconds, a point, nine digits) are those of the input before it was read, then those of the
 * output. Names are percent-encoded. INPUT is "=" if the output replaced it.
 *
 * INODE is present if the replaced file had the same size and time as the output, which happens
 * with --preserve. A file with this inode is therefore the old file, which the steps have not
 * processed.
 *
 * STEPS of zeros mean "not done": a new run must process the file in this state, even if another
 * record calls it finished. INODE is then that of the file itself. INPUT is "=" followed by the
 * STEPS of the new run. Earlier versions wrote only "=", which stands for a run with any steps.
 *
 * While a run starts in several directories, its records contain a line with "=" and STEPS as
 * OUTPUT, and zeros in most other fields. When the start is complete, the same line follows, but
 * with zeros in the field STEPS, too.
 *
 * Earlier versions of imgtool ignore lines with INODE, and read all others correctly, with one
 * exception. For them, "not done" has no effect on the lines of other records.
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
    const char *output, *input; /* percent-encoded, borrowed, not terminated by a zero byte */
    size_t output_size, input_size;
    uint64_t inode; /* the INODE of the line; 0: the line has none */
} RecordLine;

/* the STEPS of a line that means "not done" */
enum { RECORD_BEGUN = 0 };

/* The INPUT of a line whose output replaced its input. */
extern const char record_same_file[];

uint64_t record_hash(const char *text, size_t size);

enum { RECORD_STEPS_DIGITS = 16, RECORD_BEGUN_INPUT_SIZE = 1 + RECORD_STEPS_DIGITS };

/* Writes the INPUT of a line that means "not done" for a run with these steps. */
void record_begun_input(uint64_t steps, char name[RECORD_BEGUN_INPUT_SIZE + 1]);

/* Returns true if `line`, which must mean "not done", applies to a run with these steps. */
bool record_line_begins(const RecordLine *line, uint64_t steps);

/* Returns whether the output that the line describes replaced its input. */
bool record_line_is_in_place(const RecordLine *line);

/* Returns the text of the line with a newline at the end. Returns NULL if there is no memory. The
 * caller frees it. */
char *record_line_write(const RecordLine *line);

/* Parses the text of a line without its newline. Returns false if record_line_write cannot have
 * written it. The names in *line point into `text`. */
bool record_line_read(const char *text, size_t size, RecordLine *line);

/* Returns whether the line describes the output in this state. Size and time must be equal. The
 * INODE of a "not done" line, if it has one, must equal the inode of the output. The INODE of any
 * other line must differ from the inode of the output. */
bool record_line_fits(const RecordLine *line, const FileState *output);

/* Returns the name of a path in records, percent-encoded. A path that starts with `directory` gets
 * a name relative to it; spellings with "./" and "//" count as equal. `directory` may be NULL.
 * Returns NULL if there is no memory. The caller frees the name. */
char *record_name_of(const char *directory, const char *path);

/* Returns the path that a name in a record of `directory` stands for. Returns NULL if there is no
 * memory, or the name is invalid. The caller frees the path. */
char *record_path_of(const char *directory, const char *name, size_t size);

#endif
