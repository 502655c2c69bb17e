/* The file of --report. It has one line of JSON per input that gave no file, then one per file,
 * written when the file is finished, and a summary as the last line. A killed run leaves complete
 * lines without the summary. app/text/schema/ describes the lines. */
#ifndef IMGTOOL_APP_BATCH_REPORT_REPORT_FILE_H
#define IMGTOOL_APP_BATCH_REPORT_REPORT_FILE_H

#include "app/batch/report/report_json.h"
#include "app/cli/options.h"
#include "kernels/core/op.h"

typedef struct ReportFile ReportFile;

/* IMG_E_USAGE if the report would replace a file of the plan under any name: an input, an existing
 * or future output, or a backup of an output, whose name ends in `backup` (NULL: no backups).
 * Changes nothing; call it before report_file_open. */
ImgStatus report_file_check(const char *path, const BatchPlan *plan, const char *backup,
                            ImgError *err);

/* The same for files of other parts, while they are in the plan, and for other files that the batch
 * reads: the list of names, the file of steps, and files that steps name. */
ImgStatus report_file_check_others(const char *path, const BatchPlan *plan, ImgError *err);
ImgStatus report_file_check_read(const char *path, const Settings *settings, const ImgStep *steps,
                                 size_t step_count, ImgError *err);

/* IMG_E_USAGE if the report would replace the complete report of another part of the same batch.
 * Changes nothing. */
ImgStatus report_file_check_part(const char *path, const Shard *shard, ImgError *err);

/* Opens the report. `path` may be "-" for standard output, or name a descriptor (/dev/fd/N). An
 * existing file is replaced, but IMG_E_TEMPORARY if another process has it open as its report. The
 * path is borrowed until the report is closed. IMG_E_IO. */
ImgStatus report_file_open(const char *path, ReportFile **file, ImgError *err);

/* Adds the result of a file. Thread-safe. After a failure all calls fail with the same message, and
 * nothing more is written; a partial line is removed if possible. */
ImgStatus report_file_add(ReportFile *file, const BatchResult *result, ImgError *err);

/* Adds the inputs of the plan that gave no file. Call it before the first file. */
ImgStatus report_file_add_errors(ReportFile *file, const BatchPlan *plan, ImgError *err);

/* Adds the summary, after the last file. */
ImgStatus report_file_end(ReportFile *file, const ReportEnd *end, ImgError *err);

/* Writes all lines so far to disk, so that they survive a power failure. IMG_E_IO, IMG_E_TEMPORARY.
 */
ImgStatus report_file_sync(ReportFile *file, ImgError *err);

/* Closes the report and sets *file to NULL; NULL is allowed. IMG_E_IO if some lines were lost. */
ImgStatus report_file_close(ReportFile **file, ImgError *err);

/* Writes the complete report of a plan without files: the failed inputs and a summary. */
ImgStatus report_file_write_empty(const char *path, const BatchPlan *plan, ImgError *err);

#endif
