/* The lines of --report: app/text/schema/ says what is in them. */
#ifndef IMGTOOL_APP_BATCH_REPORT_REPORT_JSON_H
#define IMGTOOL_APP_BATCH_REPORT_REPORT_JSON_H

#include "app/batch/report/result.h"
#include "app/text/batch_parts.h"

/* What became of all files. */
typedef struct ReportEnd {
    const BatchTotals *totals;
    size_t inputs_failed; /* directories and patterns that gave no file */
    bool interrupted;
    BatchPart part;
    bool steals; /* --steal: what parts that died left was done too */
    double seconds;
    uint64_t memory_limit, memory_most; /* of all files under way, by plan */
} ReportEnd;

/* A line with its end, to be freed; NULL without memory. */
char *report_json_file(const BatchResult *result);
char *report_json_error(const FailedInput *input);
char *report_json_summary(const ReportEnd *end);

#endif
