/* Private to end_to_end.c and the two parts of its work, check_files.c and rounds.c. */
#ifndef IMGTOOL_APP_BENCH_JOBS_END_TO_END_PRIV_H
#define IMGTOOL_APP_BENCH_JOBS_END_TO_END_PRIV_H

#include "app/bench/jobs/end_to_end.h"
#include "app/bench/jobs/scratch.h"
#include "app/bench/jobs/side.h"
#include "io/step_files.h"

typedef struct WholeJobs {
    const EndToEnd *what;
    Steps steps;
    ImgStepFiles files; /* of the steps */
    Scratch scratch;
    Side sides[2];
    size_t side_count;
    const char **good; /* the files that are timed: those that all sides can run, to one result */
    size_t good_count;
    bool stopped;
    ImgError difference; /* the first between the sides' files */
} WholeJobs;

/* Before each file: reports how far the phase is, and asks whether to stop. */
bool whole_jobs_go_on(WholeJobs *jobs, const char *phase, double share);

/* Each file once on each side: finds the good ones, and warms up. Fails where a backend that was
 * asked for is unavailable. */
ImgStatus whole_jobs_check(WholeJobs *jobs, ImgError *err);

/* The samples of one side's rounds, and of its command. */
void whole_jobs_time(WholeJobs *jobs, Side *side);
void whole_jobs_time_command(WholeJobs *jobs, Side *side);

#endif
