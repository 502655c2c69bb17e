/* What a batch has finished, kept in a file of the folder that it writes to, so that a later run
 * can go on. A line is added after the output was put in its place, in one write: whenever the
 * program is killed, each line that is whole tells the truth, and what is not told is done again.
 *
 * The file is locked as long as a batch writes to the folder, which also keeps a second one out. */
#ifndef IMGTOOL_APP_BATCH_RECORD_H
#define IMGTOOL_APP_BATCH_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* ".imgtool-batch", in the folder that is written to. */
extern const char record_name[];

/* A file as it is at a moment: what changes when somebody writes to it. */
typedef struct FileState {
    uint64_t size;
    int64_t seconds, nanoseconds; /* of its last change */
} FileState;

/* False where there is no such file. */
bool file_state(const char *path, FileState *state);

typedef struct Record Record;

/* Opens or creates the record of a folder that exists, and locks it. `steps` says what is done to
 * every file, options of the encoder and of what is kept included: two runs with the same `steps`
 * give the same bytes. IMG_E_IO where another batch holds the lock (the message names the folder),
 * or where the file cannot be written. A record that is damaged counts for what can be read of it.
 */
ImgStatus record_open(const char *folder, const char *steps, Record **record, ImgError *err);

/* Was `output` made from `input` as both are now, by the same steps? Paths as in the plan. Safe
 * from several threads. */
bool record_has(const Record *record, const char *input, const char *output);

/* `before` is what `input` was before it was read; the output is in its place. Safe from several
 * threads. */
ImgStatus record_add(Record *record, const char *input, const FileState *before, const char *output,
                     ImgError *err);

/* Harmless on NULL. */
void record_close(Record *record);

#endif
