/* The jobs of one backend (a side of the comparison): runs files and collects the times of their
 * stages. */
#ifndef IMGTOOL_APP_BENCH_JOBS_SIDE_H
#define IMGTOOL_APP_BENCH_JOBS_SIDE_H

#include "app/bench/report.h"
#include "app/job/job.h"

enum { SIDE_ROUNDS = 101 }; /* maximum number of rounds */

/* A part of decoding or encoding on a GPU. Parts are timed in runs without steps. */
typedef struct SidePart {
    const char *name; /* static */
    bool of_sink;
    size_t count;
    double round; /* sum of the seconds of all files in the current round */
    double samples[SIDE_ROUNDS];
} SidePart;

typedef struct Steps {
    ImgStep at[IMG_STEPS_MAX];
    size_t count;
} Steps;

typedef struct Side {
    BenchJob job;
    Settings settings; /* settings for this backend; messages are off */
    const Steps *steps;
    ImgExec *exec;
    ImgTeam *team;      /* threads for the jobs of this backend */
    const char *output; /* output path; borrowed */
    bool ended;         /* true if no more files can run on this backend */
    size_t failures;    /* number of failures; the job has the message of the first one */
    double samples[STAGE_COUNT][SIDE_ROUNDS];
    size_t counts[STAGE_COUNT];
    SidePart parts[IMG_RUN_PARTS];
    size_t part_count;
} Side;

/* Prepares a backend without opening a device. IMG_E_UNAVAILABLE if a step has no implementation
 * for the backend. */
ImgStatus side_open(Side *side, const Settings *settings, ImgBackend backend, const Steps *steps,
                    ImgError *err);

/* Runs a small picture, which opens the device. Adds the time to *seconds. */
ImgStatus side_open_device(Side *side, double *seconds, ImgError *err);

/* Runs one file and leaves its output in place. Adds the seconds of its stages to `stages`. */
ImgStatus side_run(const Side *side, const char *input, double stages[STAGE_COUNT],
                   JobReport *report, ImgError *err);

/* Same as side_run, but `imgtool run` does the work in its own process. Adds the time to
 * *seconds. */
ImgStatus side_run_command(const Side *side, const char *program, const char *pipeline,
                           const char *input, double *seconds, ImgError *err);

/* Adds a finished picture to the sums of the job: pixels, bytes and number of pictures. */
void side_add_picture(Side *side, const JobReport *report);

/* Adds the times of one round as one sample per stage. */
void side_add_round(Side *side, const double stages[STAGE_COUNT]);
void side_add_sample(Side *side, BenchStage stage, double seconds);

/* Records a failure: the job becomes BENCH_FAILED, and the backend ends if its device failed. */
void side_fail(Side *side, const ImgError *err);

/* Marks the job as BENCH_SKIPPED and ends the backend, because it cannot run the job. */
void side_skip(Side *side, const ImgError *err);

/* side_parts.c. side_add_parts adds the times of the parts of a run to the current round.
 * side_end_parts ends the round. side_report_parts appends the times to the report, as one group
 * for decoding and one for encoding. */
void side_add_parts(Side *side, const ImgRunReport *run);
void side_end_parts(Side *side);
ImgStatus side_report_parts(Side *side, BenchReport *report, ImgError *err);

/* Computes the statistics of the job and appends it to the report. */
ImgStatus side_finish(Side *side, BenchReport *report, ImgError *err);

/* Frees everything. Does nothing for a zeroed struct. */
void side_close(Side *side);

#endif
