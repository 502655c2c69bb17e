/* Results of the files of a batch, and their totals. */
#ifndef IMGTOOL_APP_BATCH_REPORT_BATCH_RESULT_H
#define IMGTOOL_APP_BATCH_REPORT_BATCH_RESULT_H

#include "app/batch/plan/batch_plan.h"
#include "app/cli/options.h"
#include "app/engine/job.h"

typedef enum BatchOutcome { BATCH_DONE, BATCH_FAILED, BATCH_SKIPPED, BATCH_UPRIGHT } BatchOutcome;

typedef struct BatchResult {
    const BatchFile *file;
    BatchOutcome outcome;
    /* If failed: the error, starting with the name of the file; if skipped: the reason; otherwise
     * "". */
    const char *message;
    /* Notes about what was lost or ignored, one per line; NULL: there are none. */
    const char *notes;
    ImgStatus status; /* the error, if the file failed */
    JobReport report; /* times and backend; all zeros if the file was skipped */
} BatchResult;

typedef struct BatchTotals {
    size_t files; /* number of files of the plan */
    /* Number of files with each outcome. `upright`: already upright, and therefore unchanged. */
    size_t done, failed, skipped, upright;
    size_t under_way; /* files that are started and not yet counted above */
    uint64_t bytes_read, bytes_written;
    /* Seconds of each stage, summed over all threads. */
    double read, decode, expand, run, encode, write;
    size_t on_gpu; /* number of files whose steps ran on a GPU */
} BatchTotals;

/* Returns the number of files that are done, failed, skipped or already upright. */
size_t batch_totals_settled(const BatchTotals *totals);

/* Returns whether the steps ran. If they did not, backend and device of the report have no
 * meaning. */
bool batch_result_ran(const BatchResult *result);

/* Returns the seconds of the steps, including transfers to and from the GPU. */
double batch_result_run_seconds(const BatchResult *result);

/* Adds a result to the totals. For a failed file, the bytes read and the times are added, but not
 * the bytes written. */
void batch_totals_add(BatchTotals *totals, const BatchResult *result);

/* --- Notes ---------------------------------------------------------------------------------------
 *
 * Notes about finished files, such as "16 bits reduced to 8". A large batch counts the files of
 * each note, and prints the note once. Not thread-safe. */

enum { NOTES_MAX = 32 };

typedef struct NoteCount {
    char *text; /* text of the note; owned */
    char *path; /* path of the first file with this note; owned */
    size_t files;
} NoteCount;

/* The notes of a batch, and the number of files with each note. Initialise it with NOTES_NONE, and
 * free it with notes_free. */
typedef struct Notes {
    NoteCount counts[NOTES_MAX];
    size_t count;
} Notes;

#define NOTES_NONE ((Notes){.count = 0})

/* Counts the note for one more file. Returns false if the note is new and there is no memory for
 * it; the caller then prints it. */
bool notes_add(Notes *notes, const char *path, const char *text);

/* Prints each note on a line, with the name of the file or, if several files have it, their
 * number. */
void notes_print(const Notes *notes, const Settings *settings);

void notes_free(Notes *notes);

#endif
