/* The timed passes over the files. A round that is not complete gives no sample. */
#include <math.h>
#include <stdio.h>

#include "app/bench/jobs/end_to_end_priv.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/select.h"

enum { ROUNDS_MIN = 3, COMMAND_FILES = 20, COMMAND_ROUNDS = 3 };

static const double DEFAULT_SECONDS = 2;

static double budget(const WholeJobs *jobs)
{
    return jobs->what->seconds > 0 ? jobs->what->seconds : DEFAULT_SECONDS;
}

/* False where it was stopped, or a file failed that went well before: a full disk, a device. */
static bool run_round(WholeJobs *jobs, Side *side, double start, double stages[STAGE_COUNT])
{
    for (size_t i = 0; i < jobs->good_count; i++) {
        ImgError failure = {IMG_OK, ""};
        JobReport report;
        double rounds = (double)side->counts[STAGE_JOB] + (double)i / (double)jobs->good_count;
        double share = fmin(rounds / ROUNDS_MIN, (img_clock() - start) / budget(jobs));
        if (!whole_jobs_go_on(jobs, img_backend_name(side->job.backend), share))
            return false;
        if (side_run(side, jobs->good[i], stages, &report, &failure) != IMG_OK) {
            side_fail(side, &failure);
            return false;
        }
        side_add_parts(side, &report.run);
    }
    return true;
}

void whole_jobs_time(WholeJobs *jobs, Side *side)
{
    double start = img_clock();
    if (side->ended || jobs->good_count == 0)
        return;
    while (side->counts[STAGE_JOB] < ROUNDS_MIN ||
           (side->counts[STAGE_JOB] < SIDE_ROUNDS && img_clock() - start < budget(jobs))) {
        double stages[STAGE_COUNT] = {0};
        if (!run_round(jobs, side, start, stages))
            return;
        side_add_round(side, stages);
    }
}

/* A signal from the terminal reaches the command too: that is not a failure of the command. */
static bool run_commands(WholeJobs *jobs, Side *side, size_t round, double *seconds)
{
    char phase[32];
    snprintf(phase, sizeof phase, "%s command", img_backend_name(side->job.backend));
    *seconds = 0;
    for (size_t i = 0; i < jobs->good_count; i++) {
        ImgError failure = {IMG_OK, ""};
        double rounds = (double)round + (double)i / (double)jobs->good_count, one;
        if (!whole_jobs_go_on(jobs, phase, rounds / COMMAND_ROUNDS))
            return false;
        if (side_run_command(side, jobs->what->program, jobs->what->pipeline, jobs->good[i], &one,
                             &failure) != IMG_OK) {
            if (whole_jobs_go_on(jobs, phase, rounds / COMMAND_ROUNDS))
                side_fail(side, &failure);
            return false;
        }
        *seconds += one;
    }
    return true;
}

void whole_jobs_time_command(WholeJobs *jobs, Side *side)
{
    double start = img_clock(), seconds;
    if (jobs->what->program == NULL || jobs->what->pipeline == NULL || side->ended ||
        jobs->good_count == 0 || jobs->good_count > COMMAND_FILES)
        return;
    for (size_t round = 0; round < COMMAND_ROUNDS; round++) {
        if (round > 0 && img_clock() - start > budget(jobs))
            return;
        if (!run_commands(jobs, side, round, &seconds))
            return;
        side_add_sample(side, STAGE_COMMAND, seconds);
    }
}
