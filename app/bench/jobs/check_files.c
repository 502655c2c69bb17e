/* The first pass over the files: what cannot be run, or comes out differently, is not timed. */
#include <stdio.h>
#include <string.h>

#include "app/bench/jobs/end_to_end_priv.h"

enum { BLOCK = 1 << 13 }; /* two of them are on the stack */

static ImgStatus compare_streams(FILE *a, FILE *b, ImgError *err)
{
    uint8_t first[BLOCK], other[BLOCK];
    size_t count;
    do {
        count = fread(first, 1, sizeof first, a);
        if (fread(other, 1, sizeof other, b) != count || memcmp(first, other, count) != 0)
            return img_fail(err, IMG_E_MISMATCH, "the backends wrote different files");
    } while (count > 0);
    return ferror(a) || ferror(b) ? img_fail(err, IMG_E_IO, "the result cannot be read") : IMG_OK;
}

/* Nothing to compare where only one side is at work. */
static ImgStatus compare_outputs(const WholeJobs *jobs, const char *input, ImgError *err)
{
    if (jobs->side_count < 2 || jobs->sides[0].ended || jobs->sides[1].ended)
        return IMG_OK;
    FILE *a = fopen(jobs->sides[0].output, "rbe"), *b = fopen(jobs->sides[1].output, "rbe");
    ImgStatus status = a != NULL && b != NULL
                           ? compare_streams(a, b, err)
                           : img_fail(err, IMG_E_IO, "the result no longer exists");
    if (a != NULL)
        (void)fclose(a);
    if (b != NULL)
        (void)fclose(b);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", input);
    return status;
}

static ImgStatus run_first(const Side *side, const char *input, JobReport *report, ImgError *err)
{
    double stages[STAGE_COUNT] = {0};
    if (strcmp(input, "-") == 0)
        return img_fail(err, IMG_E_USAGE,
                        "standard input can be read only once; name files to measure");
    return side_run(side, input, stages, report, err);
}

/* IMG_OK unless a backend that was asked for is unavailable: then no file can be run. */
static ImgStatus take_failure(const WholeJobs *jobs, Side *side, const ImgError *failure,
                              ImgError *err)
{
    if (failure->status != IMG_E_UNAVAILABLE)
        side_fail(side, failure);
    else if (jobs->what->settings->backend == IMG_BACKEND_AUTO)
        side_skip(side, failure);
    else
        return img_fail(err, failure->status, "%s", failure->message);
    return IMG_OK;
}

static ImgStatus check_file(WholeJobs *jobs, const char *input, ImgError *err)
{
    JobReport reports[2];
    bool good = true;
    for (size_t s = 0; s < jobs->side_count; s++) {
        Side *side = &jobs->sides[s];
        ImgError failure = {IMG_OK, ""};
        if (side->ended || run_first(side, input, &reports[s], &failure) == IMG_OK)
            continue;
        if (take_failure(jobs, side, &failure, err) != IMG_OK)
            return err->status;
        good &= side->ended; /* that was not the file's fault */
    }
    ImgError difference = {IMG_OK, ""};
    if (good && compare_outputs(jobs, input, &difference) != IMG_OK) {
        side_fail(&jobs->sides[1], &difference);
        if (difference.status == IMG_E_MISMATCH)
            (void)img_fail(&jobs->difference, difference.status, "%s", difference.message);
        good = false;
    }
    if (!good)
        return IMG_OK;
    jobs->good[jobs->good_count++] = input;
    for (size_t s = 0; s < jobs->side_count; s++)
        if (!jobs->sides[s].ended)
            side_add_picture(&jobs->sides[s], &reports[s]);
    return IMG_OK;
}

ImgStatus whole_jobs_check(WholeJobs *jobs, ImgError *err)
{
    size_t count = jobs->what->count;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < count; i++) {
        if (!whole_jobs_go_on(jobs, "check", (double)i / (double)count))
            break;
        status = check_file(jobs, jobs->what->files[i], err);
    }
    return status;
}
