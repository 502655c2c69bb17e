/* What ran where, why, and where the time went: for -v and --explain, on stderr. */
#ifndef IMGTOOL_APP_JOB_EXPLAIN_H
#define IMGTOOL_APP_JOB_EXPLAIN_H

#include <stdio.h>

#include "app/job/job.h"

/* One line. */
void explain_line(const Job *job, const JobReport *report);

/* All of it. Without an output, what was read and measured only. */
void explain_print(FILE *out, const Job *job, const JobReport *report);

/* What the settings ask for of both, where messages go. */
void explain(const Job *job, const JobReport *report);

#endif
