/* `imgtool batch merge-report`: the reports of the parts of a batch as the report of the whole. */
#ifndef IMGTOOL_APP_BATCH_MERGE_MERGE_REPORT_H
#define IMGTOOL_APP_BATCH_MERGE_MERGE_REPORT_H

#include "app/cli/options.h"

/* Prints it on standard output: the inputs that gave no file, every file once, in the order of
 * their paths, and a summary. Of a file that several reports tell of, what went best counts: it was
 * taken over, or a part was begun anew. Notes reports of parts that did not come to their end.
 * Returns the exit code of the whole: of one that lacks a part's end, that some files failed. */
int merge_reports(const char *const *paths, size_t count, const Settings *settings);

#endif
