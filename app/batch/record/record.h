/* What a batch has finished, kept in a file of the directory that it writes to, so that a later run
 * can continue. A line is added, in one write, when an output is whole and before it gets its name;
 * it holds the size and the time that the file has by then, which a rename keeps. So a file under
 * its own name is finished exactly if a line has its size and time, whenever the program is killed,
 * also where input and output are one file.
 *
 * The file is locked as long as a batch writes to the directory, which also keeps a second one out.
 * app/batch/record_line.h says what a line looks like. */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_H

#include <stdbool.h>

#include "app/batch/record/file_state.h"
#include "app/batch/shard/shard.h"
#include "kernels/core/status.h"

typedef struct Record Record;

/* Opens or creates the record of a directory that exists, and locks it. `steps` says what is done
 * to every file (steps_text.h). IMG_E_TEMPORARY where another batch holds the lock, or that of
 * another record of the directory which is not of the same number of parts (the message names the
 * directory); IMG_E_IO where the file cannot be written, or is not a record of ours. A
 * record that is damaged counts for what can be read of it. A file system that knows no locks keeps
 * nobody out. */
ImgStatus record_open(const char *directory, const char *steps, Record **record, ImgError *err);

/* What else counts: lines of the other records in the directory, whatever parts they are of. What
 * is replaced by its result must not be done twice, and there a record that cannot be read is a
 * failure; elsewhere it counts for nothing, as its files can be done again. */
typedef enum RecordScope {
    RECORD_ALONE,
    RECORD_WITH_OTHERS,
    RECORD_WITH_ALL_OTHERS,
} RecordScope;

/* The same of the part that `shard` says (app/batch/shard/shard.h). */
ImgStatus record_open_shard(const char *directory, const Shard *shard, RecordScope scope,
                            const char *steps, Record **record, ImgError *err);

/* Outputs have the times of their inputs (--preserve): record_add gives them no others. To be
 * called before record_forget and record_add. */
void record_keep_times(Record *record);

/* --- A run that continues none, in place ------------------------------------------------------
 *
 * What earlier runs finished is done again, and this is to be known when it is continued: lines of
 * before must not count for files that it had not come to. So all outputs are named to
 * record_forget; then the run begins by record_begin, before the first output is replaced. Several
 * directories cannot change in one step: one record tells of the beginning until all have begun,
 * and whoever continues and finds such a record, as the program was killed there, begins anew. */

/* By record_begin all that was noted of this output by the same steps, in whatever record of the
 * directory, counts for nothing, and what other steps made of it is what this run begins with. The
 * record was opened with all others. `record` may be NULL. IMG_E_MEMORY, IMG_E_IO, IMG_E_TEMPORARY.
 */
ImgStatus record_forget(Record *record, const char *output, ImgError *err);

/* Is there something to be forgotten? `record` may be NULL. */
bool record_has_to_begin(const Record *record);

/* Where it has to, for all outputs at once: whenever the program is killed, the run has begun with
 * all of them or with none. `of_several`: it is half begun until record_note_begun.
 * IMG_E_MEMORY, IMG_E_IO, IMG_E_TEMPORARY. */
ImgStatus record_begin(Record *record, bool of_several, ImgError *err);
ImgStatus record_note_begun(Record *record, ImgError *err);

/* Has a run by the same steps begun by halves: this one, or one that was killed there? `record` may
 * be NULL. */
bool record_is_half_begun(const Record *record);

/* After that the other records count for nothing. `record` may be NULL. */
void record_drop_others(Record *record);

/* ---------------------------------------------------------------------------------------------- */

/* Reads the others' records again, as they go on. Safe beside record_has. */
void record_read_others(Record *record);

/* For looking only, at all records of the directory: nothing is created, locked or changed. *record
 * is NULL where there is none. */
ImgStatus record_open_to_read(const char *directory, RecordScope scope, const char *steps,
                              Record **record, ImgError *err);

/* *has: was `output` made from `input` as both are now, by the same steps, in an earlier run? Where
 * they are one file: is it now as that run left it? Paths as in the plan: those below the directory
 * may be elsewhere the next time, if the directory is. `record` may be NULL. Safe from several
 * threads. Fails where it cannot be told, as what was done must not be taken for undone: IMG_E_IO,
 * IMG_E_MEMORY, IMG_E_TEMPORARY. The message names the file. */
ImgStatus record_has(Record *record, const char *input, const char *output, bool *has,
                     ImgError *err);

/* *other: is the file as a run in place by other steps left it, with which none by these has begun?
 * Whoever continues by these would do it twice. Else as record_has. */
ImgStatus record_has_other(Record *record, const char *output, bool *other, ImgError *err);

/* To be called when the whole output lies at `temporary` and closed (img_output_finish), and before
 * it is renamed to `output`; if it fails, it must not be. `before` is what `input` was before it
 * was read. Where clocks are so coarse that the new file looks like the one that it replaces, it is
 * given a later time, unless times are kept. Safe from several threads. IMG_E_IO, IMG_E_MEMORY. */
ImgStatus record_add(Record *record, const char *input, const FileState *before,
                     const char *temporary, const char *output, ImgError *err);

/* What was added so far is where a machine that loses its power cannot take it away. `record` may
 * be NULL. IMG_E_IO, IMG_E_TEMPORARY. */
ImgStatus record_sync(Record *record, ImgError *err);

/* Harmless on NULL. Some file systems say only now that lines are lost, which then may be done
 * again: IMG_E_IO, IMG_E_TEMPORARY. */
ImgStatus record_close(Record *record, ImgError *err);

#endif
