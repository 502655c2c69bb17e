/* Runs the jobs of one backend, which is one side of the comparison, and collects the times of
 * their stages. */
#ifndef IMGTOOL_APP_BENCH_JOBS_SIDE_H
#define IMGTOOL_APP_BENCH_JOBS_SIDE_H

#include "app/bench/report.h"
#include "app/cli/options.h"
#include "app/engine/job.h"

enum { SIDE_ROUNDS = 101 }; /* maximum number of timed rounds per backend */

/* A part of decoding or encoding on a GPU, such as one kernel. Parts are timed only in runs without
 * steps. */
typedef struct SidePart {
    const char *name; /* name of the part; a constant of the program */
    bool of_sink;
    size_t count;
    double round; /* sum of the part's times over all files of the current round, in seconds */
    double samples[SIDE_ROUNDS];
} SidePart;

typedef struct Steps {
    ImgStep at[IMG_STEPS_MAX];
    size_t count;
} Steps;

typedef struct Side {
    BenchJob job;
    Settings settings; /* settings of the jobs on this backend, without messages */
    const Steps *steps;
    JobExec kept;       /* executor and threads of the jobs on this backend; owned */
    const char *output; /* path of the output, borrowed from the Scratch */
    bool ended;         /* true if this backend can run no more files */
    size_t failures;    /* number of failures; `job` contains the message of the first failure */
    double samples[STAGE_COUNT][SIDE_ROUNDS];
    size_t counts[STAGE_COUNT];
    SidePart parts[IMG_RUN_PARTS];
    size_t part_count;
} Side;

/* Prepares the backend, but does not open its device. Fails with IMG_E_UNAVAILABLE if a step has
 * no implementation for the backend. */
ImgStatus side_open(Side *side, const Settings *settings, ImgBackend backend, const Steps *steps,
                    ImgError *err);

/* Runs a picture of one pixel, which opens the device. Adds the time of opening it to *seconds. */
ImgStatus side_open_device(Side *side, double *seconds, ImgError *err);

/* Runs the steps on one file and leaves the output file in place. Adds the seconds of each stage to
 * `stages`. */
ImgStatus side_run(Side *side, const char *input, double stages[STAGE_COUNT], JobReport *report,
                   ImgError *err);

/* Runs `imgtool run` on one file, in its own process. Adds the time to *seconds. */
ImgStatus side_run_command(const Side *side, const char *program, const char *pipeline,
                           const char *input, double *seconds, ImgError *err);

/* Adds the pixels and file bytes of a finished picture to the sums in the job, and counts the
 * picture. */
void side_add_picture(Side *side, const JobReport *report);

/* Ends a round: side_add_round adds one sample per stage, the sum over all files. side_add_sample
 * adds one sample of a single stage. */
void side_add_round(Side *side, const double stages[STAGE_COUNT]);
void side_add_sample(Side *side, BenchStage stage, double seconds);

/* Records the failure of a file. The job becomes BENCH_FAILED. If the GPU itself failed, the
 * backend runs no more files. */
void side_fail(Side *side, const ImgError *err);

/* Marks the job as BENCH_SKIPPED, because the backend cannot run it. The backend runs no files. */
void side_skip(Side *side, const ImgError *err);

/* Collect the times of the parts of decoding and encoding (SidePart). side_add_parts adds the times
 * of one run to the current round. side_end_parts ends the round. side_report_parts appends two
 * groups to the report: the parts of decoding and those of encoding. */
void side_add_parts(Side *side, const ImgRunReport *run);
void side_end_parts(Side *side);
ImgStatus side_report_parts(Side *side, BenchReport *report, ImgError *err);

/* Computes the statistics of the job, and appends the job to the report. Then appends the groups of
 * its parts. */
ImgStatus side_finish(Side *side, BenchReport *report, ImgError *err);

/* Frees the executor and the threads. Does nothing for a zeroed struct. */
void side_close(Side *side);

/* --- A whole command in its own process ------------------------------------------------------- */

/* Runs `imgtool run PIPELINE INPUT OUTPUT`, and sets *seconds to the time that it takes. The
 * command gets the backend, device, threads, level, --strip and limits of `settings`. `program` is
 * the path of imgtool. The output of the command is discarded. Fails with IMG_E_IO if the command
 * cannot be started or its exit code is not 0. */
ImgStatus bench_spawn(const char *program, const Settings *settings, const char *pipeline,
                      const char *input, const char *output, double *seconds, ImgError *err);

#endif
