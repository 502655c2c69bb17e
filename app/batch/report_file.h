/* --report: a line of JSON a file, written as soon as the file is done. */
#ifndef IMGTOOL_APP_BATCH_REPORT_FILE_H
#define IMGTOOL_APP_BATCH_REPORT_FILE_H

#include "app/batch/result.h"

typedef struct ReportFile ReportFile;

/* `path` may be "-". IMG_E_IO. */
ImgStatus report_file_open(const char *path, ReportFile **file, ImgError *err);
ImgStatus report_file_add(ReportFile *file, const BatchResult *result, ImgError *err);

/* Everything has arrived; IMG_E_IO else. Sets *file to NULL. Harmless on NULL. */
ImgStatus report_file_close(ReportFile **file, ImgError *err);

#endif
