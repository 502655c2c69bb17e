/* --report: a line of JSON a file, written as soon as the file is done, in the order in which they
 * are. A run that is killed leaves whole lines. An object a line, with these fields:
 *
 *   "input", "output"             paths. JSON is UTF-8, names of files are bytes: where a name is
 *                                 no UTF-8, U+FFFD stands for what is not, and all its bytes are
 *                                 in hexadecimal in
 *   "input_path_bytes",           ... of "input"; only then
 *   "output_path_bytes"           ... of "output"; only then
 *   "status"                      "done", "failed" or "skipped"
 *   "message"                     why it failed or was skipped; null where there is nothing to say
 *   "error"                       kind of a failure: "usage", "io", "format", "limit", "memory",
 *                                 "unsupported", "unavailable", "device" or "mismatch"; else null
 *   "width", "height"             of the input in pixels; null where it was not read so far
 *   "output_width", "output_height"   likewise; null also where nothing was written
 *   "bytes_read", "bytes_written"
 *   "seconds"                     object: "read", "decode", "run" (the steps, with moving pixels to
 *                                 a GPU and back), "encode", "write", "total"
 *   "backend", "device"           "cpu" or "cuda", and what that is; null where no step ran
 *   "peak_bytes"                  memory that was planned for the file, at most */
#ifndef IMGTOOL_APP_BATCH_REPORT_FILE_H
#define IMGTOOL_APP_BATCH_REPORT_FILE_H

#include "app/batch/result.h"

typedef struct ReportFile ReportFile;

/* IMG_E_USAGE where the report would take the place of a file of the plan, whatever that is called:
 * of an input, or of an output that is there or will be. Touches nothing; call before opening. */
ImgStatus report_file_check(const char *path, const BatchPlan *plan, ImgError *err);

/* `path` may be "-", which is standard output, or mean a descriptor (/dev/fd/N); a file that is
 * there is replaced. The path is borrowed until the report is closed. IMG_E_IO. */
ImgStatus report_file_open(const char *path, ReportFile **file, ImgError *err);

/* Safe from several threads. After a failure all calls fail with its message, and nothing more is
 * written; where it can be, the line that did not fit is taken back. */
ImgStatus report_file_add(ReportFile *file, const BatchResult *result, ImgError *err);

/* Everything has arrived; IMG_E_IO else. Sets *file to NULL. Harmless on NULL. */
ImgStatus report_file_close(ReportFile **file, ImgError *err);

#endif
