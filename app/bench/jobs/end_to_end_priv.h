/* State of the measurement of whole jobs, from file to file. Private to end_to_end.c and its
 * tests. */
#ifndef IMGTOOL_APP_BENCH_JOBS_END_TO_END_PRIV_H
#define IMGTOOL_APP_BENCH_JOBS_END_TO_END_PRIV_H

#include "app/bench/jobs/end_to_end.h"
#include "app/bench/jobs/scratch.h"
#include "app/bench/jobs/side.h"
#include "io/step_files.h"

typedef struct WholeJobs {
    const EndToEnd *what;
    Steps steps;
    ImgStepFiles files; /* files that are parameters of steps */
    Scratch scratch;
    Side sides[2];
    size_t side_count;
    /* files to time, because they succeed on all backends with equal results; owned array of
     * borrowed names */
    const char **good;
    size_t good_count;
    bool stopped;
    /* first difference between the outputs of the two backends; IMG_OK: none was found */
    ImgError difference;
} WholeJobs;

/* Runs each file once per backend, to select the files to time and to warm up. Fails if the user
 * requested a backend that is unavailable. */
ImgStatus whole_jobs_check(WholeJobs *jobs, ImgError *err);

#endif
