/* --report: one line of JSON per input that gave no file, then one per file, written as soon as the
 * file is done, in the order in which they are, and a summary as the last line. A run that is
 * killed leaves whole lines, without the summary. app/text/schema/ says what is in them. */
#ifndef IMGTOOL_APP_BATCH_REPORT_REPORT_FILE_H
#define IMGTOOL_APP_BATCH_REPORT_REPORT_FILE_H

#include "app/batch/report/report_json.h"
#include "app/cli/options.h"
#include "kernels/core/op.h"

typedef struct ReportFile ReportFile;

/* IMG_E_USAGE where the report would take the place of a file of the plan, whatever that is called:
 * of an input, of an output that is there or will be, or of an output's backup, whose name ends in
 * `backup` (NULL: none is kept). Touches nothing; call before opening. */
ImgStatus report_file_check(const char *path, const BatchPlan *plan, const char *backup,
                            ImgError *err);

/* The same of files of other shares, as long as the plan has them. And of what the batch reads
 * beside its pictures: the list of names, the file of steps, files of steps. */
ImgStatus report_file_check_others(const char *path, const BatchPlan *plan, ImgError *err);
ImgStatus report_file_check_read(const char *path, const Settings *settings, const ImgStep *steps,
                                 size_t step_count, ImgError *err);

/* IMG_E_USAGE where it would take the place of another part's, of as many, that came to its end.
 * Touches nothing. */
ImgStatus report_file_check_part(const char *path, const Shard *shard, ImgError *err);

/* `path` may be "-", which is standard output, or mean a descriptor (/dev/fd/N); a file that is
 * there is replaced, but IMG_E_TEMPORARY where another process has it open as its report. The path
 * is borrowed until the report is closed. IMG_E_IO. */
ImgStatus report_file_open(const char *path, ReportFile **file, ImgError *err);

/* Safe from several threads. After a failure all calls fail with its message, and nothing more is
 * written; where it can be, the line that did not fit is taken back. */
ImgStatus report_file_add(ReportFile *file, const BatchResult *result, ImgError *err);

/* The inputs of the plan that gave no file, before the first file. */
ImgStatus report_file_add_errors(ReportFile *file, const BatchPlan *plan, ImgError *err);

/* The summary, after the last file. */
ImgStatus report_file_end(ReportFile *file, const ReportEnd *end, ImgError *err);

/* What was reported so far is where a machine that loses its power cannot take it away. IMG_E_IO,
 * IMG_E_TEMPORARY. */
ImgStatus report_file_sync(ReportFile *file, ImgError *err);

/* Everything has arrived; IMG_E_IO else. Sets *file to NULL. Harmless on NULL. */
ImgStatus report_file_close(ReportFile **file, ImgError *err);

/* The whole report of a plan without any file: why, and a summary. */
ImgStatus report_file_write_empty(const char *path, const BatchPlan *plan, ImgError *err);

#endif
