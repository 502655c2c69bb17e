/* Makes the lines of --report. app/text/schema/ describes them. */
#ifndef IMGTOOL_APP_BATCH_REPORT_REPORT_JSON_H
#define IMGTOOL_APP_BATCH_REPORT_REPORT_JSON_H

#include "app/batch/report/batch_result.h"
#include "app/text/batch_parts.h"

/* Values of the summary. */
typedef struct ReportEnd {
    const BatchTotals *totals;
    size_t inputs_failed; /* number of operands (directories and patterns) that led to no file */
    bool interrupted;
    BatchPart part;
    bool steals; /* with --steal; other parts took over files that one part left */
    double seconds;
    /* Bytes for all files in progress together: the limit, and the largest planned amount. */
    uint64_t memory_limit, memory_most;
} ReportEnd;

/* These functions return one line with its newline. The caller frees it; NULL: no memory. */
char *report_json_file(const BatchResult *result);
char *report_json_error(const FailedInput *input);
char *report_json_summary(const ReportEnd *end);

#endif
