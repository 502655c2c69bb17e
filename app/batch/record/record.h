/* The record of a batch: a file in the output directory that lists finished outputs, so that a
 * later run can continue. Each line is appended by one write, when the output is complete and
 * before it is renamed to its name. The line holds size and time of the output, which the rename
 * keeps. A file under its final name is therefore finished exactly if a line has its size and time.
 * This holds whenever the program is killed, even if input and output are the same file.
 *
 * The record is locked while a batch writes to the directory, which keeps other batches out.
 * app/batch/record/record_line.h describes the lines. */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_H

#include <stdbool.h>

#include "app/batch/record/file_state.h"
#include "app/batch/shard/shard.h"
#include "kernels/core/status.h"

typedef struct Record Record;

/* Opens or creates the record of an existing directory, and locks it. `steps` identifies what is
 * done to every file (steps_text.h). IMG_E_TEMPORARY if another batch holds the lock, or the lock
 * of a record with another number of parts; the message names the directory. IMG_E_IO if the file
 * cannot be written or is not a record. Of a damaged record, the readable lines count. If the file
 * system has no locks, nothing is kept out. */
ImgStatus record_open(const char *directory, const char *steps, Record **record, ImgError *err);

/* Other records of the directory whose lines count too, whatever parts they are of. */
typedef enum RecordScope {
    RECORD_ALONE,           /* none */
    RECORD_WITH_OTHERS,     /* all that can be read; files of the others may run again */
    RECORD_WITH_ALL_OTHERS, /* all; one that cannot be read is a failure, since with --in-place no
                             * file may be processed twice */
} RecordScope;

/* Opens the record of one part of a batch (app/batch/shard/shard.h). */
ImgStatus record_open_shard(const char *directory, const Shard *shard, RecordScope scope,
                            const char *steps, Record **record, ImgError *err);

/* Keeps the times of outputs, which --preserve copied from their inputs. Call it before
 * record_forget and record_add. */
void record_keep_times(Record *record);

/* --- Starting a new run in place ---------------------------------------------------------------
 *
 * A run without --resume processes all files again, and a later --resume must know that: lines of
 * earlier runs must not count for files that this run did not reach. So record_forget is called for
 * all outputs, and then record_begin, before the first output is replaced. Several directories
 * cannot start in one step. So one record notes that the start is in progress until all have
 * started. If the program is killed meanwhile, a later --resume finds the note and starts again. */

/* Marks an output as not finished, which takes effect in record_begin. Lines of these steps in any
 * record of the directory then no longer count. The result of other steps becomes the state that
 * this run starts from. The record must be opened with RECORD_WITH_ALL_OTHERS. `record` may be
 * NULL. IMG_E_MEMORY, IMG_E_IO, IMG_E_TEMPORARY. */
ImgStatus record_forget(Record *record, const char *output, ImgError *err);

/* Returns whether there is anything to forget. `record` may be NULL. */
bool record_has_to_begin(const Record *record);

/* Starts the run for all forgotten outputs at once: if the program is killed, the run has started
 * with all of them or with none. With `of_several`, the start is in progress until
 * record_note_begun. IMG_E_MEMORY, IMG_E_IO, IMG_E_TEMPORARY. */
ImgStatus record_begin(Record *record, bool of_several, ImgError *err);
ImgStatus record_note_begun(Record *record, ImgError *err);

/* Returns whether a start with the same steps is in progress: of this run, or of one that was
 * killed. `record` may be NULL. */
bool record_is_half_begun(const Record *record);

/* Ignores the other records from here on. `record` may be NULL. */
void record_drop_others(Record *record);

/* --- Use -------------------------------------------------------------------------------------- */

/* Reads the other records again, since their processes continue. Safe beside record_is_finished. */
void record_read_others(Record *record);

/* Opens all records of the directory for reading, without creating, locking or changing anything.
 * *record is NULL if there is none. */
ImgStatus record_open_to_read(const char *directory, RecordScope scope, const char *steps,
                              Record **record, ImgError *err);

/* Sets *finished if an earlier run with the same steps made `output` from `input`, and both are
 * unchanged. If they are one file: if it is as that run left it. Paths are those of the plan; paths
 * below the directory stay valid when the directory moves. `record` may be NULL. Thread-safe.
 * IMG_E_IO, IMG_E_MEMORY or IMG_E_TEMPORARY if this cannot be determined, as a finished file must
 * not be taken for unfinished. The message names the file. */
ImgStatus record_is_finished(Record *record, const char *input, const char *output, bool *has,
                             ImgError *err);

/* Sets *other if a run in place with other steps left the file in its current state, and no run
 * with these steps has started from it. Continuing with these steps would process the file twice.
 * Otherwise as record_is_finished. */
ImgStatus record_is_of_other_steps(Record *record, const char *output, bool *other, ImgError *err);

/* Adds a line for a finished output. Call it when the complete output is closed at `temporary`
 * (img_output_finish), and before the rename to `output`. If it fails, do not rename. `before` is
 * the state of `input` before it was read. If a coarse clock makes the new file look like the one
 * that it replaces, the new file gets a later time, unless times are kept. Thread-safe. IMG_E_IO,
 * IMG_E_MEMORY. */
ImgStatus record_add(Record *record, const char *input, const FileState *before,
                     const char *temporary, const char *output, ImgError *err);

/* Writes all lines so far to disk, so that they survive a power failure. `record` may be NULL.
 * IMG_E_IO, IMG_E_TEMPORARY. */
ImgStatus record_sync(Record *record, ImgError *err);

/* Closes the record; NULL is allowed. Some file systems report lost lines only now; their files may
 * be processed again: IMG_E_IO, IMG_E_TEMPORARY. */
ImgStatus record_close(Record *record, ImgError *err);

#endif
