/* The report of a batch (--report): its lines, its file, and merging the reports of parts. */
#ifndef IMGTOOL_APP_BATCH_REPORT_REPORT_FILE_H
#define IMGTOOL_APP_BATCH_REPORT_REPORT_FILE_H

#include "app/batch/report/batch_result.h"
#include "app/cli/options.h"
#include "kernels/core/op.h"

/* --- Lines ------------------------------------------------------------------------------------ */

/* Each of these functions returns one line of a report with its newline: report_json_file for a
 * finished file, report_json_error for an input that failed, and report_json_summary for the end.
 * Each returns NULL if there is no memory. The caller frees the line. */
char *report_json_file(const BatchResult *result);
char *report_json_error(const FailedInput *input);
char *report_json_summary(const BatchEnd *end);

/* --- File ----------------------------------------------------------------------------------------
 *
 * The file of --report. It starts with one line of JSON for each input that led to no file. Then
 * each file has a line, which is written when the file is finished. The last line is a summary. If
 * the run is killed, all lines so far are complete, and only the summary is missing.
 * app/text/schema/ describes the lines. */

typedef struct ReportFile ReportFile;

/* Fails with IMG_E_USAGE if the report would overwrite a file of the plan, under this or another
 * name. Such files are inputs, outputs that exist or will exist, and backups of outputs. Names of
 * backups end in `backup` (NULL: no backups). Changes nothing. Call it before report_file_open. */
ImgStatus report_file_check(const char *path, const BatchPlan *plan, const char *backup,
                            ImgError *err);

/* These two functions fail with IMG_E_USAGE if the report would overwrite another file.
 * report_file_check_others checks files of other parts; call it while the plan still contains them.
 * report_file_check_read checks other files that the batch reads: the list of inputs, the file of
 * steps, and files that steps read. */
ImgStatus report_file_check_others(const char *path, const BatchPlan *plan, ImgError *err);
ImgStatus report_file_check_read(const char *path, const Settings *settings, const ImgStep *steps,
                                 size_t step_count, ImgError *err);

/* Fails with IMG_E_USAGE if the report would overwrite the complete report of another part of the
 * same batch. Changes nothing. */
ImgStatus report_file_check_part(const char *path, const Shard *shard, ImgError *err);

/* Opens the report. `path` may be "-" for standard output, or a descriptor (/dev/fd/N). The string
 * must stay valid until the report is closed. Replaces an existing file, but fails with
 * IMG_E_TEMPORARY if another process writes its report there. Fails with IMG_E_IO if the file
 * cannot be opened. */
ImgStatus report_file_open(const char *path, ReportFile **file, ImgError *err);

/* Writes the line of a finished file. Thread-safe. After a failed write, all calls fail with the
 * same message and write nothing more; a partly written line is removed if possible. */
ImgStatus report_file_add(ReportFile *file, const BatchResult *result, ImgError *err);

/* Writes a line for each input that failed while the plan was made (plan->failed). Call it before
 * the first file is finished. */
ImgStatus report_file_add_errors(ReportFile *file, const BatchPlan *plan, ImgError *err);

/* Writes the summary. Call it after the last file. */
ImgStatus report_file_end(ReportFile *file, const BatchEnd *end, ImgError *err);

/* Writes all lines so far to the disk, so that they survive a power failure. Fails with IMG_E_IO or
 * IMG_E_TEMPORARY. */
ImgStatus report_file_sync(ReportFile *file, ImgError *err);

/* Closes the report and sets *file to NULL. *file may be NULL. Fails with IMG_E_IO if lines were
 * lost. */
ImgStatus report_file_close(ReportFile **file, ImgError *err);

/* Writes the complete report of a plan without files: the inputs that failed, and a summary. */
ImgStatus report_file_write_empty(const char *path, const BatchPlan *plan, ImgError *err);

/* --- Merging ---------------------------------------------------------------------------------- */

/* Prints the failed inputs on standard output, then every file once, sorted by path, and a summary.
 * A file can be in several reports, because another part took it over or a part ran again; its best
 * result then counts. Prints a note for each incomplete report. Returns the exit code of the whole
 * batch, which is also CLI_SOME_FAILED if a part is incomplete. */
int merge_reports(const char *const *paths, size_t count, const Settings *settings);

#endif
