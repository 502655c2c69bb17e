/* Runs pipelines from file to file, with the engine of the command line (app/engine). */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/engine/job.h"
#include "app/engine/share/resources.h"
#include "app/library/codec/write_request.h"
#include "app/library/context.h"
#include "app/library/operations/pipeline.h"

typedef struct FileRun {
    imgtool_context *context;
    imgtool_file_run own; /* the caller's struct, with defaults filled in */
    imgtool_encoding encoding;
    ImgFileFormat format;
    const char *from, *to; /* paths, in which "-" does not stand for a standard stream */
    char *scratch;         /* directory for temporary files; owned */
    ImgStep *steps;        /* copy of the steps, which the job binds to the picture; owned */
    pthread_mutex_t lock;  /* held during a call of the caller's `note` */
} FileRun;

static void note(void *context, const char *text)
{
    FileRun *run = context;
    pthread_mutex_lock(&run->lock);
    run->own.note(run->own.user, text);
    pthread_mutex_unlock(&run->lock);
}

static imgtool_status read_run(FileRun *run, const imgtool_file_run *given, imgtool_error *error)
{
    run->own = (imgtool_file_run)IMGTOOL_FILE_RUN_INIT;
    if (given != NULL) {
        const imgtool_status status =
            img_lib_check_size(given->size, sizeof run->own, "imgtool_file_run", error);
        if (status != IMGTOOL_OK)
            return status;
        img_lib_copy_struct(&run->own, sizeof run->own, given, given->size);
    }
    const imgtool_status status = img_lib_read_encoding(run->own.encoding, &run->encoding, error);
    run->format = img_lib_file_format(run->encoding.format);
    return status;
}

static const char *path_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "./-" : path;
}

/* Checks that the directory for temporary files exists. Only pictures that do not fit in max_memory
 * need it, so without this check a mistake would go unnoticed for a long time. */
static ImgStatus check_temporary(const char *path, ImgError *err)
{
    struct stat info;
    if (path == NULL)
        return IMG_OK;
    const int error = stat(path, &info) != 0 ? errno : S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
    if (error == 0)
        return IMG_OK;
    return img_fail(err, IMG_E_IO, "%s: cannot hold temporary files: %s", path, strerror(error));
}

static ImgStatus prepare(FileRun *run, const imgtool_pipeline *pipeline, ImgError *err)
{
    const size_t count = pipeline != NULL ? pipeline->count : 0;
    const ImgStatus status = check_temporary(run->own.temporary, err);
    if (status != IMG_OK)
        return status;
    run->steps = malloc((count + 1) * sizeof *run->steps);
    run->scratch = run->own.temporary != NULL ? strdup(run->own.temporary)
                                              : img_resources_directory_of(run->to);
    if (run->steps == NULL || run->scratch == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the steps");
    if (count > 0)
        memcpy(run->steps, pipeline->steps, count * sizeof *run->steps);
    return IMG_OK;
}

static EngineOptions options_of(const FileRun *run, const EngineProgram *program)
{
    const imgtool_config *config = &run->context->config;
    static const ImgBackend backends[] = {IMG_BACKEND_AUTO, IMG_BACKEND_CPU, IMG_BACKEND_CUDA};
    return (EngineOptions){
        .backend = backends[config->backend],
        .device = config->device,
        .threads = config->threads,
        .max_pixels = config->max_pixels,
        .max_memory = config->max_memory,
        .level = run->encoding.level,
        .quality = run->encoding.quality,
        .strip = IMG_KEEP_EVERYTHING,
        .no_index = !run->encoding.index,
        .given = (run->context->pixels_are_limited ? ENGINE_GIVEN_MAX_PIXELS : 0) |
                 (run->encoding.level != IMG_DEFAULT_LEVEL ? ENGINE_GIVEN_LEVEL : 0),
        .program = program,
    };
}

/* Returns the format of the result; NULL: the extension of the output determines it. */
static const ImgFileFormat *format_of(const FileRun *run, bool replaces)
{
    static const ImgFileFormat png = IMG_FILE_PNG;
    if (run->own.encoding != NULL)
        return &run->format;
    return replaces ? &png : NULL; /* the input is PNG, whatever its name says */
}

static ImgStatus run_job(FileRun *run, size_t count, ImgError *err)
{
    const ImgProgress progress = img_lib_codec_progress(run->context);
    const EngineProgram program = {.show = run->own.note != NULL ? note : NULL,
                                   .context = run,
                                   .progress = &progress,
                                   .interrupt = img_lib_interrupt(run->context)};
    const EngineOptions options = options_of(run, &program);
    const bool replaces = img_job_replaces_input(run->from, run->to);
    JobReport report;
    JobExec kept = {.team = run->context->team};
    ImgStatus status = img_lib_exec(run->context, &kept.exec, err);
    if (status != IMG_OK)
        return status;
    const Job job = {.input = run->from,
                     .output = run->to,
                     .steps = run->steps,
                     .count = count,
                     .scratch = {.directory = run->scratch},
                     .options = &options,
                     .format = format_of(run, replaces),
                     .kept = &kept,
                     .replaces_input = replaces,
                     .refuses_animation = !run->own.accepts_losses,
                     .refuses_dropping = replaces && !run->own.accepts_losses};
    status = img_job_run(&job, &report, err);
    img_exec_set_threads(kept.exec, run->context->team, run->context->config.threads);
    return status;
}

imgtool_status imgtool_run_file(imgtool_context *context, const imgtool_pipeline *pipeline,
                                const char *from, const char *to, const imgtool_file_run *run,
                                imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgError failure = {IMG_OK, ""};
    FileRun own = {.context = context, .lock = PTHREAD_MUTEX_INITIALIZER};
    imgtool_status begun = img_lib_begin(context, error);
    if (begun == IMGTOOL_OK && (from == NULL || to == NULL))
        begun = img_lib_fail(error, IMGTOOL_E_USAGE, "%s is NULL", from == NULL ? "from" : "to");
    if (begun == IMGTOOL_OK)
        begun = read_run(&own, run, error);
    if (begun != IMGTOOL_OK)
        return begun;
    own.from = path_of(from);
    own.to = path_of(to);
    ImgStatus status = prepare(&own, pipeline, &failure);
    if (status == IMG_OK)
        status = run_job(&own, pipeline != NULL ? pipeline->count : 0, &failure);
    free(own.steps);
    free(own.scratch);
    return img_lib_end(context, status, &failure, error);
}
