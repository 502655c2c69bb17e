/* Optimizes files, with the engine of the command line (app/engine). */
#include <pthread.h>
#include <string.h>

#include "app/engine/job.h"
#include "app/library/codec/write_request.h"
#include "app/library/context.h"

typedef struct OptimizeRun {
    imgtool_context *context;
    imgtool_optimization own; /* the caller's struct, with defaults filled in */
    const char *from, *to;    /* paths, in which "-" does not stand for a standard stream */
    pthread_mutex_t lock;     /* held during a call of the caller's `note` */
} OptimizeRun;

static void note(void *context, const char *text)
{
    OptimizeRun *run = context;
    pthread_mutex_lock(&run->lock);
    run->own.note(run->own.user, text);
    pthread_mutex_unlock(&run->lock);
}

static imgtool_status read_settings(OptimizeRun *run, const imgtool_optimization *given,
                                    imgtool_error *error)
{
    run->own = (imgtool_optimization)IMGTOOL_OPTIMIZATION_INIT;
    if (given != NULL) {
        const imgtool_status status =
            img_lib_check_size(given->size, sizeof run->own, "imgtool_optimization", error);
        if (status != IMGTOOL_OK)
            return status;
        img_lib_copy_struct(&run->own, sizeof run->own, given, given->size);
    }
    if (run->own.effort >= IMG_OPTIMIZE_LEAST && run->own.effort <= IMG_OPTIMIZE_MOST)
        return IMGTOOL_OK;
    return img_lib_fail(error, IMGTOOL_E_USAGE, "effort %d is not between %d and %d",
                        run->own.effort, IMG_OPTIMIZE_LEAST, IMG_OPTIMIZE_MOST);
}

static EngineOptions options_of(const OptimizeRun *run, const EngineProgram *program)
{
    const imgtool_config *config = &run->context->config;
    const imgtool_optimization *own = &run->own;
    return (EngineOptions){
        .backend = IMG_BACKEND_CPU,
        .threads = config->threads,
        .max_pixels = config->max_pixels,
        .max_memory = config->max_memory,
        .level = IMG_DEFAULT_LEVEL,
        .quality = IMG_DEFAULT_QUALITY,
        .strip = IMG_KEEP_EVERYTHING,
        .optimize = {own->effort, own->clear_alpha, own->keep_type, own->keep_alpha,
                     own->keep_color},
        .given = run->context->pixels_are_limited ? ENGINE_GIVEN_MAX_PIXELS : 0,
        .program = program,
    };
}

static ImgStatus run_job(OptimizeRun *run, JobReport *report, ImgError *err)
{
    static const ImgFileFormat png = IMG_FILE_PNG;
    const ImgProgress progress = img_lib_codec_progress(run->context);
    const EngineProgram program = {.show = run->own.note != NULL ? note : NULL,
                                   .context = run,
                                   .progress = &progress,
                                   .interrupt = img_lib_interrupt(run->context)};
    const EngineOptions options = options_of(run, &program);
    const bool replaces = img_job_replaces_input(run->from, run->to);
    JobExec kept = {.team = run->context->team};
    ImgStatus status = img_lib_exec(run->context, &kept.exec, err);
    if (status != IMG_OK)
        return status;
    const Job job = {.input = run->from,
                     .output = run->to,
                     .options = &options,
                     .format = &png,
                     .kept = &kept,
                     .optimizes = true,
                     .replaces_input = replaces,
                     .refuses_animation = !run->own.accepts_losses,
                     .refuses_dropping = replaces && !run->own.accepts_losses};
    status = img_job_run(&job, report, err);
    img_exec_set_threads(kept.exec, run->context->team, run->context->config.threads);
    return status;
}

imgtool_status imgtool_optimize(imgtool_context *context, const char *from, const char *to,
                                const imgtool_optimization *optimization, uint64_t *saved,
                                imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgError failure = {IMG_OK, ""};
    JobReport report;
    OptimizeRun run = {.context = context, .lock = PTHREAD_MUTEX_INITIALIZER};
    imgtool_status begun = img_lib_begin(context, error);
    if (begun == IMGTOOL_OK && (from == NULL || to == NULL))
        begun = img_lib_fail(error, IMGTOOL_E_USAGE, "%s is NULL", from == NULL ? "from" : "to");
    if (begun == IMGTOOL_OK)
        begun = read_settings(&run, optimization, error);
    if (begun != IMGTOOL_OK)
        return begun;
    run.from = strcmp(from, "-") == 0 ? "./-" : from;
    run.to = strcmp(to, "-") == 0 ? "./-" : to;
    const ImgStatus status = run_job(&run, &report, &failure);
    const ImgOptimizeReport *done = &report.optimized;
    if (status == IMG_OK && saved != NULL)
        *saved =
            done->bytes_before > done->bytes_after ? done->bytes_before - done->bytes_after : 0;
    return img_lib_end(context, status, &failure, error);
}
