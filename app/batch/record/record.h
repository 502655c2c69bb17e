/* The record of a batch: a file in the output directory that lists finished outputs, so that a
 * later run can skip them (--resume). Each line is appended by a single write, after the output is
 * complete and before it is renamed to its final name. The line contains size and time of the
 * output, which the rename does not change. An output under its final name is therefore finished
 * exactly if a line has its size and time. This holds at whatever moment the program is killed,
 * even if input and output are the same file.
 *
 * The record is locked while a batch writes to the directory, so that no other batch writes
 * there. A directory can hold several records: one for each part of a batch (--shard).
 * app/batch/record/record_line.h describes the lines. */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/batch/record/file_state.h"
#include "app/batch/shard/shard.h"
#include "kernels/core/status.h"

typedef struct Record Record;

/* Selects the records of the same directory that are read in addition to the opened one. */
typedef enum RecordScope {
    RECORD_ALONE, /* no other record is read */
    /* All readable records are read. Files that are listed only in unreadable records may be
     * processed again. */
    RECORD_WITH_OTHERS,
    /* All records are read. Opening fails if one cannot be read, since with --in-place no file may
     * be processed twice. */
    RECORD_WITH_ALL_OTHERS,
} RecordScope;

/* Opens or creates the record of one part of a batch (app/batch/shard/shard.h) in an existing
 * directory, and locks it. `steps` is a text that identifies the steps of the batch (steps_text in
 * app/batch/batch.h). Fails with IMG_E_TEMPORARY if another batch holds the lock of this record, or
 * of a record for another number of parts; the message names the directory. Fails with IMG_E_IO if
 * the file cannot be written or is not a record. If the record is damaged, the readable lines
 * count. On a file system without locks, other batches are not kept out. */
ImgStatus record_open_shard(const char *directory, const Shard *shard, RecordScope scope,
                            const char *steps, Record **record, ImgError *err);

/* Declares that outputs get the times of their inputs (--preserve), so that record_add does not
 * change these times. Call it before record_forget and record_add. */
void record_keep_times(Record *record);

/* --- Starting a new run in place ---------------------------------------------------------------
 *
 * A run without --resume processes all files again. Lines of earlier runs must then no longer
 * count, even for files that this run does not reach. Otherwise a later --resume would skip these
 * files. The run therefore calls record_forget for each output and then record_begin, all before it
 * replaces the first output. The records of several directories cannot all change in one step. One
 * record therefore notes that a start is in progress, until all records have changed. If the
 * program is killed in between, a later --resume finds the note and repeats the start. */

/* Marks `output` as unfinished. The mark takes effect in record_begin. From then on, no record of
 * the directory counts the output as finished by the steps of this run. If a run with other steps
 * left the file in its present state, this run takes the file in that state as its input. The
 * record must have been opened with RECORD_WITH_ALL_OTHERS. `record` may be NULL. Fails with
 * IMG_E_MEMORY, IMG_E_IO or IMG_E_TEMPORARY. */
ImgStatus record_forget(Record *record, const char *output, ImgError *err);

/* Returns whether an output is marked as unfinished, so that record_begin must be called. `record`
 * may be NULL. */
bool record_has_to_begin(const Record *record);

/* Starts the run for all outputs that were marked as unfinished. If the program is killed during
 * the call, either all marks are in effect or none. With `of_several`, the run starts in several
 * directories. The record then also notes that the start is in progress. Once all records have
 * started, call record_note_begun for each, which notes that the start is complete. Fails with
 * IMG_E_MEMORY, IMG_E_IO or IMG_E_TEMPORARY. */
ImgStatus record_begin(Record *record, bool of_several, ImgError *err);
ImgStatus record_note_begun(Record *record, ImgError *err);

/* Returns whether the record notes that a start with the same steps is in progress, by this run or
 * by one that was killed. `record` may be NULL. */
bool record_is_half_begun(const Record *record);

/* Makes all later calls ignore the other records of the directory. `record` may be NULL. */
void record_drop_others(Record *record);

/* --- Use -------------------------------------------------------------------------------------- */

/* Reads all records of the directory again, since this and other processes may have added lines.
 * May be called while other threads call record_is_finished. */
void record_read_others(Record *record);

/* Opens the record and the other records of the directory for reading. Creates, locks and changes
 * nothing. *record is NULL if the directory has no record. */
ImgStatus record_open_to_read(const char *directory, RecordScope scope, const char *steps,
                              Record **record, ImgError *err);

/* Sets *has to true if an earlier run with the same steps made `output` from `input`, and neither
 * file has changed since. With --in-place both are the same path, and the file there must not have
 * changed since that run replaced it. The paths are those of the plan. Lines stay valid if the
 * output directory is moved, since they contain paths relative to it. `record` may be NULL.
 * Thread-safe. If this cannot be determined, fails with IMG_E_IO, IMG_E_MEMORY or IMG_E_TEMPORARY:
 * setting *has to false could make the run process a finished file again. The message names the
 * file. */
ImgStatus record_is_finished(Record *record, const char *input, const char *output, bool *has,
                             ImgError *err);

/* Sets *other to true if a run with other steps left the file in its present state (--in-place).
 * Continuing would then apply two lists of steps to one file. *other is false if a run with these
 * steps has started from that state. Fails like record_is_finished. Thread-safe. */
ImgStatus record_is_of_other_steps(Record *record, const char *output, bool *other, ImgError *err);

/* Adds the line of a finished output. Call it when the complete output is closed under the name
 * `temporary` (img_output_finish), and before it is renamed to `output`. If this fails, the caller
 * must not rename. `before` is the state of `input` before it was read. With a coarse clock, the
 * new file could have the same state as the file that it replaces. It then gets a later time,
 * unless times are kept. Thread-safe. Fails with IMG_E_IO or IMG_E_MEMORY. */
ImgStatus record_add(Record *record, const char *input, const FileState *before,
                     const char *temporary, const char *output, ImgError *err);

/* Forces all lines that were added to the record to the disk, so that they survive a power failure.
 * `record` may be NULL. Fails with IMG_E_IO or IMG_E_TEMPORARY. */
ImgStatus record_sync(Record *record, ImgError *err);

/* Closes the record. `record` may be NULL. Some file systems report only now that lines were lost.
 * The call then fails with IMG_E_IO or IMG_E_TEMPORARY, and a later run may process the files of
 * these lines again. */
ImgStatus record_close(Record *record, ImgError *err);

/* --- Names of records ------------------------------------------------------------------------- */

/* ".imgtool-batch": the name of a record, which is in the output directory. If a batch is split,
 * each part has its own record, such as ".imgtool-batch.3-of-8". */
extern const char record_name[];

/* Returns the number of parts in the name of a record (8 in "3-of-8"), or 0 if the record is of a
 * whole batch. */
uint64_t record_name_parts(const char *name);

/* Returns whether a file with this name is a record. `name` has no directory. */
bool record_is_name(const char *name);

/* A list of paths of records. Initialise it with zeros, and free it with record_list_free. */
typedef struct RecordList {
    char **paths;
    size_t count;
    int failure; /* errno if the list may be incomplete; otherwise 0 */
} RecordList;

/* Adds to *list all files in the directory that have the name of a record, except `own` (NULL: no
 * exception). Fails with IMG_E_MEMORY. */
ImgStatus record_list_read(const char *directory, const char *own, RecordList *list, ImgError *err);

void record_list_free(RecordList *list);

#endif
