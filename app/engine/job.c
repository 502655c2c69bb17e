#include "app/engine/job.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/engine/job_priv.h"
#include "app/engine/plan.h"
#include "app/engine/share/optimize.h"
#include "app/engine/share/resources.h"
#include "app/text/streams.h"
#include "io/output/output_path.h"
#include "kernels/core/minmax.h"
#include "kernels/core/parallel/clock.h"

/* Returns true if the job need not write an output (Job.leaves_upright): the file says that the
 * picture is upright, and every step is an autorotate that does not turn it. Only autorotate has
 * ImgOpFacts.bind, because only autorotate reads the orientation of the file. A job that sets the
 * resolution (--dpi) always writes an output. */
static bool is_upright_already(const Job *job, const Plan *plan)
{
    if (!job->leaves_upright || job->count == 0 || plan->facts.orientation > 1 ||
        job->options->dpi > 0)
        return false;
    for (size_t i = 0; i < job->count; i++) {
        ImgEffect effect = img_op_effect(job->steps[i].op, plan->after, job->steps[i].params.bytes);
        if (job->steps[i].op->facts.bind == NULL || effect.turn != IMG_TURN_NONE)
            return false;
    }
    return true;
}

static ImgStatus refuse_animation(const Job *job, ImgError *err)
{
    return img_fail(
        err, IMG_E_UNSUPPORTED,
        "is animated, and the animation would be lost; use %s to keep the still picture",
        img_engine_has_options(job->options) ? "--force" : "accepts_losses");
}

static ImgStatus refuse_dropping(const Job *job, const char *chunks, ImgError *err)
{
    return img_fail(
        err, IMG_E_UNSUPPORTED,
        "a wrong CRC in %s, which would be lost; write to another file, or drop it with %s", chunks,
        img_engine_has_options(job->options) ? "--force" : "accepts_losses");
}

/* Fails if the job would lose data that its options do not allow it to lose (Job.refuses_...). */
static ImgStatus check_losses(const Job *job, const ImgSource *source, ImgError *err)
{
    const char *dropped = img_source_dropped_chunks(source);
    const bool copies = job->optimizes && !img_optimize_changes_metadata(job->options);
    if (job->refuses_animation && img_source_is_animated(source) && !copies)
        return refuse_animation(job, err);
    return job->refuses_dropping && *dropped != '\0' ? refuse_dropping(job, dropped, err) : IMG_OK;
}

bool img_job_replaces_input(const char *input, const char *output)
{
    struct stat from, to;
    return strcmp(output, "-") != 0 && img_streams_input_file(input, &from) &&
           stat(output, &to) == 0 && from.st_dev == to.st_dev && from.st_ino == to.st_ino;
}

/* Returns the number of threads that were admitted for the job, at most --threads. */
static int threads_of(const Job *job, const Load *load, const Share *share)
{
    const int most = job->options->threads;
    const int threads = most > 0 && most < share->threads ? most : share->threads;
    return load->threads > 0 && load->threads < threads ? load->threads : threads;
}

ImgStatus img_work_call(Work *work, JobFunction *function, ImgError *err)
{
    JobPicture *picture = &work->picture;
    picture->shape = work->report->after;
    picture->team = work->team;
    picture->threads = work->threads;
    picture->exec = work->exec;
    return function != NULL ? function(work->job->functions.context, picture, err) : IMG_OK;
}

static ImgStatus load_and_plan(Work *work, ImgError *err)
{
    const Job *job = work->job;
    Share share = {.threads = 0};
    Plan plan = {.peak_bytes = 0};
    ImgStatus status = img_plan_file(&work->load, job->steps, job->count, img_work_format(work),
                                     job->place, &share, &plan, err);
    if (status == IMG_OK && !is_upright_already(job, &plan))
        status = img_load_failure(&work->load, check_losses(job, work->load.source, err), err);
    work->threads = threads_of(job, &work->load, &share);
    work->team = share.team;
    work->exec = share.exec;
    work->report->before = work->load.raw;
    work->report->after = plan.after;
    work->report->peak_bytes = plan.peak_bytes + work->load.held;
    /* The files of steps were read one after another. While one was read, the files of earlier
     * steps were already in memory. */
    uint64_t before_it = work->load.held - work->load.kept - img_steps_held(job->steps, job->count);
    for (size_t i = 0; i < job->count; i++) {
        work->report->peak_bytes =
            img_max64(work->report->peak_bytes, before_it + job->steps[i].loading);
        before_it += job->steps[i].held;
    }
    work->report->unchanged = status == IMG_OK && is_upright_already(job, &plan);
    return status == IMG_OK ? img_work_call(work, job->functions.planned, err) : status;
}

static ImgStatus run(Work *work, ImgError *err)
{
    static ImgStatus (*const stations[])(Work *, ImgError *) = {
        img_work_choose_format, load_and_plan,      img_work_open_output,
        img_work_open_exec,     img_work_run_steps, img_work_write,
    };
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < sizeof stations / sizeof *stations; i++)
        if (status == IMG_OK && !work->report->unchanged)
            status = stations[i](work, err);
    return status;
}

/* Returns the CPU seconds of work that a GPU could have done. Returns 0 if a GPU was used, or the
 * job failed. */
static double cpu_seconds(const JobReport *report, ImgStatus status)
{
    if (status != IMG_OK || report->run.backend != IMG_BACKEND_CPU)
        return 0;
    return report->load.decode + report->run.kernel + report->encode;
}

/* Returns whether the file was last changed in the present clock tick. Times of up to a second in
 * the future also count, since the clocks of file servers differ. Later times were set by a user.
 */
static bool is_of_this_tick(const struct timespec *saved)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME_COARSE, &now) != 0 || saved->tv_sec - now.tv_sec > 1)
        return false;
    return saved->tv_sec > now.tv_sec ||
           (saved->tv_sec == now.tv_sec && saved->tv_nsec >= now.tv_nsec);
}

/* Stores the state of the input, by which a later change is detected. If another program writes the
 * file again in the same clock tick, its time does not change. A file that was just saved is
 * therefore examined again after the tick, 1 to 10 ms later. */
static void look_at_input(Work *work)
{
    enum { TRIES = 20 };
    static const struct timespec pause = {.tv_nsec = 1000000};
    const Job *job = work->job;
    if (job->options->preserve == 0 && !job->replaces_input)
        return;
    work->has_old = img_streams_input_file(job->input, &work->old);
    for (int i = 0;
         i < TRIES && work->has_old && job->replaces_input && is_of_this_tick(&work->old.st_mtim);
         i++) {
        nanosleep(&pause, NULL);
        work->has_old = img_streams_input_file(job->input, &work->old);
    }
}

/* Returns the mode of the file that has the name of the output; 0 if there is none. A name that is
 * looked up once saves time: lookups of names that do not exist wait for the lock of the directory,
 * which the writers of other pictures need too. */
static mode_t output_mode(const Job *job)
{
    struct stat file;
    const bool has_name = job->output != NULL && strcmp(job->output, "-") != 0;
    return has_name && stat(job->output, &file) == 0 ? file.st_mode : 0;
}

/* Returns whether the output can be emptied and written again: true for a regular file. Needed if
 * the input seems to be damaged after the first bands were written. */
static bool may_stream(const Work *work)
{
    const Job *job = work->job;
    int descriptor;
    if (job->output == NULL || strcmp(job->output, "-") == 0)
        return false;
    /* An output that is a descriptor of the input would be written in place while the input is
     * still read, so its result must not be streamed. */
    if (img_output_is_descriptor(job->output, &descriptor) &&
        img_job_replaces_input(job->input, job->output))
        return false;
    if (job->result != NULL && job->result->output != NULL)
        return !img_output_is_in_place(job->result->output);
    return work->output_mode == 0 || S_ISREG(work->output_mode);
}

/* Makes one attempt to run the job. An earlier attempt has shown that at least `least` bytes are
 * needed; 0: this is the first one. If the job fails, sets *lacking to Load.lacking. */
static ImgStatus run_once(const Job *job, uint64_t least, JobReport *report, uint64_t *lacking,
                          ImgError *err)
{
    *report = (JobReport){.total = 0};
    Work work = {
        .job = job,
        .report = report,
        .load = img_load_begin(job->input, job->options, false),
        .output_mode = output_mode(job),
    };
    work.picture = (JobPicture){.index = job->index, .load = &work.load, .steps = job->steps};
    work.load.optimizes = job->optimizes;
    work.load.takes_rows = !job->plans_only && !job->takes_whole && !job->optimizes;
    work.load.takes_any_size = job->takes_any_size && work.load.takes_rows;
    work.load.most_row_threads = job->most_row_threads;
    work.load.begins_anew = true;
    work.load.again = job->again;
    work.load.held = job->held;
    work.load.may_stream = !job->optimizes && may_stream(&work);
    work.load.takes_tail = job->output != NULL && !job->optimizes;
    if (!job->optimizes)
        work.load.scratch = job->scratch;
    if (work.load.scratch.directory != NULL && !job->takes_any_size &&
        (job->options->given & ENGINE_GIVEN_MAX_PIXELS) == 0)
        work.load.limits.max_pixels = IMG_PIXELS_MAX;
    work.load.least = least;
    look_at_input(&work);
    ImgStatus status = run(&work, err);
    report->peak_bytes = img_max64(report->peak_bytes, work.load.room + work.load.held);
    *lacking = status != IMG_OK ? work.load.lacking : 0;
    if (status == IMG_OK && !report->unchanged)
        img_work_print_notes(&work);
    if (job->functions.end != NULL)
        job->functions.end(job->functions.context, &work.picture);
    report->load = work.load.report;
    report->stored_bytes = work.load.store != NULL ? img_store_bytes(work.load.store) : 0;
    if (work.left_to_cpu)
        img_exec_note_cpu(work.exec, cpu_seconds(report, status));
    img_result_free(&work.result);
    img_work_leave_device(&work);
    img_load_end(&work.load);
    if (job->place != NULL && work.exec != NULL)
        img_exec_trim(work.exec, img_pool_share(job->place->pool));
    if (job->kept != NULL && job->kept->exec != NULL)
        img_exec_set_store(job->kept->exec, NULL);
    if (work.exec_is_own) {
        report->threads_refused = img_team_refused(work.team);
        img_exec_destroy(work.exec);
        img_team_free(work.team);
    }
    return status;
}

/* Loads the files that steps name. Their memory is estimated from sizes and headers. If the
 * estimate is too low, sets *lacking. The next attempt (`alone`) then loads them while no other job
 * runs, and may use all memory of the job. */
static ImgStatus load_files(const Job *job, bool alone, Place *place, uint64_t *lacking,
                            ImgError *err)
{
    ImgLimits limits = img_resources_limits(job->options);
    uint64_t bytes = 0;
    ImgStatus status = img_step_files_estimate(job->steps, job->count, &limits, &bytes, err);
    if (status != IMG_OK || bytes == 0)
        return status;
    img_place_hold(place, alone ? UINT64_MAX : bytes + img_resources_codec_bytes(job->options, 1));
    const bool is_bounded = !alone && bytes < limits.max_memory;
    if (is_bounded)
        limits.max_memory = bytes;
    job->files->warnings = (ImgStepWarnings){img_job_note_damage, (void *)job};
    status = img_step_files_load(job->files, job->steps, job->count, &limits, err);
    place->held = img_steps_held(job->steps, job->count);
    *lacking = is_bounded && status == IMG_E_LIMIT ? 1 : 0;
    return status;
}

typedef struct Attempt {
    const Job *job;
    JobReport *report;
} Attempt;

/* Runs a job that itself loads the files of its steps. Before a restart these files are released,
 * since the restart may wait for memory, and a waiting job must hold none. */
static ImgStatus run_with_files(const Job *job, uint64_t least, JobReport *report,
                                uint64_t *lacking, ImgError *err)
{
    Place place = *job->place;
    Job own = *job;
    own.place = &place;
    *lacking = 0;
    *report = (JobReport){.total = 0};
    ImgStatus status = load_files(job, least > 0, &place, lacking, err);
    if (status == IMG_OK)
        status = run_once(&own, least, report, lacking, err);
    if (*lacking > least)
        img_step_files_unload(job->files, job->steps, job->count);
    return status;
}

static ImgStatus attempt(void *context, uint64_t least, uint64_t *lacking, ImgError *err)
{
    const Attempt *own = context;
    return own->job->files == NULL ? run_once(own->job, least, own->report, lacking, err)
                                   : run_with_files(own->job, least, own->report, lacking, err);
}

void img_job_exec_free(JobExec *kept)
{
    img_exec_destroy(kept->exec);
    img_team_free(kept->team);
    *kept = (JobExec){NULL, NULL};
}

ImgStatus img_job_run(const Job *job, JobReport *report, ImgError *err)
{
    const double start = img_clock();
    Attempt own = {job, report};
    const ImgStatus status = img_place_attempts(job->place, attempt, &own, err);
    report->total = img_clock() - start;
    return status;
}
