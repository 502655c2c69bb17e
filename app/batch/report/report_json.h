/* Makes the lines of --report. app/text/schema/ describes them. */
#ifndef IMGTOOL_APP_BATCH_REPORT_REPORT_JSON_H
#define IMGTOOL_APP_BATCH_REPORT_REPORT_JSON_H

#include "app/batch/report/batch_result.h"
#include "app/text/batch_parts.h"

/* Figures of the summary. */
typedef struct ReportEnd {
    const BatchTotals *totals;
    size_t inputs_failed; /* directories and patterns that gave no file */
    bool interrupted;
    BatchPart part;
    bool steals; /* --steal was used, so other parts took over what a part left */
    double seconds;
    uint64_t memory_limit, memory_most; /* of all files in progress together, as planned */
} ReportEnd;

/* Return a line with its newline. The caller frees it; NULL: no memory. */
char *report_json_file(const BatchResult *result);
char *report_json_error(const FailedInput *input);
char *report_json_summary(const ReportEnd *end);

#endif
