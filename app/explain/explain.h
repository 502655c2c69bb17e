/* Reports what ran where, why, and how long it took: for -v and --explain, on stderr. */
#ifndef IMGTOOL_APP_EXPLAIN_EXPLAIN_H
#define IMGTOOL_APP_EXPLAIN_EXPLAIN_H

#include "app/cli/options.h"
#include "app/engine/job.h"

/* Prints a report of one line, as -v requests. */
void explain_line(const Job *job, const JobReport *report);

/* Prints the report that the options select (-v, --explain) to the stream of messages. Without an
 * output, it covers only reading and measuring. */
void explain(const Settings *settings, const Job *job, const JobReport *report);

#endif
