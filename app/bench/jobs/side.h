/* The jobs of one backend: runs files and collects the times of their stages. */
#ifndef IMGTOOL_APP_BENCH_JOBS_SIDE_H
#define IMGTOOL_APP_BENCH_JOBS_SIDE_H

#include "app/bench/report.h"
#include "app/job/job.h"

enum { SIDE_ROUNDS = 101 }; /* maximum number of rounds */

/* A part of decoding or encoding on a GPU, for runs without steps. */
typedef struct SidePart {
    const char *name; /* static */
    bool of_sink;
    size_t count;
    double round; /* seconds of the current round, all files together */
    double samples[SIDE_ROUNDS];
} SidePart;

typedef struct Steps {
    ImgStep at[IMG_STEPS_MAX];
    size_t count;
} Steps;

typedef struct Side {
    BenchJob job;
    Settings settings; /* settings for this backend, without messages */
    const Steps *steps;
    ImgExec *exec;
    ImgTeam *team;      /* threads of its jobs */
    const char *output; /* output path; borrowed */
    bool ended;         /* nothing more can run */
    size_t failures;    /* number of failures; the job's message is the first */
    double samples[STAGE_COUNT][SIDE_ROUNDS];
    size_t counts[STAGE_COUNT];
    SidePart parts[IMG_RUN_PARTS];
    size_t part_count;
} Side;

/* Prepares a backend without touching a device. IMG_E_UNAVAILABLE if a step has no implementation
 * for the backend. */
ImgStatus side_open(Side *side, const Settings *settings, ImgBackend backend, const Steps *steps,
                    ImgError *err);

/* Runs a small picture, which opens the device. Adds the seconds to *seconds. */
ImgStatus side_open_device(Side *side, double *seconds, ImgError *err);

/* Runs one file and leaves its output in place. Adds the seconds of its stages. */
ImgStatus side_run(const Side *side, const char *input, double stages[STAGE_COUNT],
                   JobReport *report, ImgError *err);

/* Does the same by `imgtool run` in its own process. */
ImgStatus side_run_command(const Side *side, const char *program, const char *pipeline,
                           const char *input, double *seconds, ImgError *err);

/* Adds a picture to the counts of the job. */
void side_add_picture(Side *side, const JobReport *report);

/* Adds one sample to each stage of a round. */
void side_add_round(Side *side, const double stages[STAGE_COUNT]);
void side_add_sample(Side *side, BenchStage stage, double seconds);

/* Marks the job as BENCH_FAILED; ends the backend if its device failed. */
void side_fail(Side *side, const ImgError *err);

/* Marks the job as BENCH_SKIPPED and ends the backend, which cannot run it. */
void side_skip(Side *side, const ImgError *err);

/* side_parts.c: add the parts of a run to the current round; end the round; append the times of the
 * parts as one group for decoding and one for encoding. */
void side_add_parts(Side *side, const ImgRunReport *run);
void side_end_parts(Side *side);
ImgStatus side_report_parts(Side *side, BenchReport *report, ImgError *err);

/* Summarises and appends the job. */
ImgStatus side_finish(Side *side, BenchReport *report, ImgError *err);

/* Frees everything. Does nothing for a zeroed struct. */
void side_close(Side *side);

#endif
