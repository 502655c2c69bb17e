/* One backend's side of whole jobs: runs files, and keeps what their stages took. */
#ifndef IMGTOOL_APP_BENCH_JOBS_SIDE_H
#define IMGTOOL_APP_BENCH_JOBS_SIDE_H

#include "app/bench/report.h"
#include "app/job/job.h"

enum { SIDE_ROUNDS = 101 }; /* at most */

/* Of decoding or encoding on a GPU, where that is all that is measured. */
typedef struct SidePart {
    const char *name; /* static */
    bool of_sink;
    size_t count;
    double round; /* seconds of the one under way, of all files */
    double samples[SIDE_ROUNDS];
} SidePart;

typedef struct Steps {
    ImgStep at[IMG_STEPS_MAX];
    size_t count;
} Steps;

typedef struct Side {
    BenchJob job;
    Settings settings; /* of this backend, and silent */
    const Steps *steps;
    ImgExec *exec;
    ImgTeam *team;      /* of its jobs */
    const char *output; /* the file that it writes; borrowed */
    bool ended;         /* nothing more can be run */
    size_t failures;    /* of which the first is the job's message */
    double samples[STAGE_COUNT][SIDE_ROUNDS];
    size_t counts[STAGE_COUNT];
    SidePart parts[IMG_RUN_PARTS];
    size_t part_count;
} Side;

/* Nothing runs yet, and no device is touched. IMG_E_UNAVAILABLE where a step has no implementation
 * for the backend. */
ImgStatus side_open(Side *side, const Settings *settings, ImgBackend backend, const Steps *steps,
                    ImgError *err);

/* One small picture, so that a device is open. Adds to *seconds what that took. */
ImgStatus side_open_device(Side *side, double *seconds, ImgError *err);

/* One file, whose result is there afterwards. Adds the seconds of its stages. */
ImgStatus side_run(const Side *side, const char *input, double stages[STAGE_COUNT],
                   JobReport *report, ImgError *err);

/* The same by `imgtool run` as a process of its own. */
ImgStatus side_run_command(const Side *side, const char *program, const char *pipeline,
                           const char *input, double *seconds, ImgError *err);

/* Counts a picture into the job. */
void side_add_picture(Side *side, const JobReport *report);

/* One sample more of all stages that a round has. */
void side_add_round(Side *side, const double stages[STAGE_COUNT]);
void side_add_sample(Side *side, BenchStage stage, double seconds);

/* The job FAILED; where the device did, it has ended. */
void side_fail(Side *side, const ImgError *err);

/* The job SKIPPED, and ended: the backend cannot do it. */
void side_skip(Side *side, const ImgError *err);

/* side_parts.c: adds the parts of a run to the round under way; ends that round; and appends what
 * they took, as a group each of decoding and encoding. */
void side_add_parts(Side *side, const ImgRunReport *run);
void side_end_parts(Side *side);
ImgStatus side_report_parts(Side *side, BenchReport *report, ImgError *err);

/* Sums up, and appends the job. */
ImgStatus side_finish(Side *side, BenchReport *report, ImgError *err);

/* Harmless on a side of zeros. */
void side_close(Side *side);

#endif
