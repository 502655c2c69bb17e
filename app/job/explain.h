/* Reports what ran where, why, and how long it took: for -v and --explain, on stderr. */
#ifndef IMGTOOL_APP_JOB_EXPLAIN_H
#define IMGTOOL_APP_JOB_EXPLAIN_H

#include <stdio.h>

#include "app/job/job.h"

/* Prints one line. */
void explain_line(const Job *job, const JobReport *report);

/* Prints everything; without an output, only what was read and measured. */
void explain_print(FILE *out, const Job *job, const JobReport *report);

/* Prints what the settings request, to where messages go. */
void explain(const Job *job, const JobReport *report);

#endif
