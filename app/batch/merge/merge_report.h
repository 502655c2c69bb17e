/* `imgtool batch merge-report`: merges the reports of the parts of a batch into one report. */
#ifndef IMGTOOL_APP_BATCH_MERGE_MERGE_REPORT_H
#define IMGTOOL_APP_BATCH_MERGE_MERGE_REPORT_H

#include "app/cli/options.h"

/* Prints on standard output the failed inputs, every file once, sorted by path, and a summary. If
 * several reports contain a file, because it was taken over or a part ran again, its best result
 * counts. Notes incomplete reports. Returns the exit code of the whole batch: CLI_SOME_FAILED also
 * if a part is incomplete. */
int merge_reports(const char *const *paths, size_t count, const Settings *settings);

#endif
