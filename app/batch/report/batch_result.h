/* Results of the files of a batch, and their totals. */
#ifndef IMGTOOL_APP_BATCH_REPORT_BATCH_RESULT_H
#define IMGTOOL_APP_BATCH_REPORT_BATCH_RESULT_H

#include "app/batch/plan/batch_plan.h"
#include "app/cli/options.h"
#include "app/engine/job.h"
#include "app/text/batch_parts.h"

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

/* Stages of the work on a file. BATCH_RUN, the steps, includes transfers to and from the GPU. */
typedef enum BatchStage {
    BATCH_READ,
    BATCH_DECODE,
    BATCH_EXPAND,
    BATCH_RUN,
    BATCH_ENCODE,
    BATCH_WRITE,
    BATCH_STAGES
} BatchStage;

/* Names of the stages in reports. */
extern const char *const batch_stage_names[BATCH_STAGES];

typedef struct BatchTotals {
    size_t files; /* number of files of the plan */
    /* Number of files with each outcome. `upright`: already upright, and therefore unchanged. */
    size_t done, failed, skipped, upright;
    size_t under_way; /* number of started files that are not yet done, failed or skipped */
    uint64_t bytes_read, bytes_written;
    /* Bytes of the files before and after `batch optimize`; 0 for other steps. */
    uint64_t before_optimizing, optimized;
    double seconds[BATCH_STAGES]; /* seconds of each stage, summed over all threads */
    size_t on_gpu;                /* number of files whose steps ran on a GPU */
} BatchTotals;

/* Returns the number of files that are done, failed, skipped or already upright. */
size_t batch_totals_settled(const BatchTotals *totals);

/* Returns whether the steps ran. If they did not, backend and device of the report have no
 * meaning. */
bool batch_result_ran(const BatchResult *result);

/* Sets `seconds` to the time of each stage. */
void batch_result_seconds(const BatchResult *result, double seconds[BATCH_STAGES]);

/* Adds a result to the totals. For a failed file, the bytes read and the times are added, but not
 * the bytes written. */
void batch_totals_add(BatchTotals *totals, const BatchResult *result);

/* The end of a batch, for the summary and for the last line of the report. */
typedef struct BatchEnd {
    const BatchTotals *totals;
    size_t inputs_failed; /* number of operands (directories and patterns) that led to no file */
    bool interrupted;
    double seconds; /* duration of the whole batch */
    /* Bytes for all files in progress together: the limit, and the largest planned amount. */
    uint64_t memory_limit, memory_most;
    BatchPart part; /* only for the report */
    bool steals;    /* only for the report: the parts take over files of each other (--steal) */
    /* Only for the summary: this run wrote a record, so --resume can be suggested; and the number
     * of entries that were left out: subdirectories, and pictures of other formats. */
    bool recorded;
    size_t unsearched, other_pictures;
} BatchEnd;

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
