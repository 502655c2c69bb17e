/* `imgtool batch merge-report`: merges the reports of the parts of a batch into one report. */
#ifndef IMGTOOL_APP_BATCH_MERGE_MERGE_REPORT_H
#define IMGTOOL_APP_BATCH_MERGE_MERGE_REPORT_H

#include "app/cli/options.h"

/* Prints the failed inputs on standard output, then every file once, sorted by path, and a summary.
 * A file can be in several reports, because another part took it over or a part ran again; its best
 * result then counts. Prints a note for each incomplete report. Returns the exit code of the whole
 * batch, which is also CLI_SOME_FAILED if a part is incomplete. */
int merge_reports(const char *const *paths, size_t count, const Settings *settings);

#endif
