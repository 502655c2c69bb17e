/* Runs `imgtool OP INPUT OUTPUT`, `imgtool convert|thumbnail|optimize INPUT OUTPUT` and `imgtool
 * run STEPS INPUT OUTPUT`. */
#include "app/commands/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/cli/args.h"
#include "app/cli/pipeline.h"
#include "app/engine/job.h"
#include "app/engine/result.h"
#include "app/engine/share/resources.h"
#include "app/explain/explain.h"
#include "app/files/output_name.h"
#include "app/sandbox/sandbox.h"
#include "app/serve/serve.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/text/streams.h"
#include "io/step_files.h"
#include "kernels/pipeline/thumbnail.h"

/* For an output that replaces its input: keeps the format, which is PNG, whatever the name says.
 * Another format could lose data, and the input may be the only copy. */
static ImgStatus keep_format(Job *job, bool forces, ImgError *err)
{
    static const ImgFileFormat png = IMG_FILE_PNG;
    if (job->format == NULL)
        job->format = &png;
    if (*job->format == IMG_FILE_PNG || forces)
        return IMG_OK;
    return img_fail(
        err, IMG_E_USAGE,
        "%s: is a PNG that this command reads, and would be replaced by a %s; name another "
        "file, or replace it with --force",
        job->output, img_result_format_name(*job->format));
}

/* Sets the fields of a job that the server runs for a client. */
static void serve_job(Job *job, ServedPlace *served, ImgStepFiles *files)
{
    job->files = files;
    served->place.steps = job->steps;
    served->place.count = job->count;
    job->place = &served->place;
    job->finished = served->finished;
    job->finished_context = served->context;
    job->modified = served->modified;
}

/* Applies the rules of the server to the files that the steps name. For example, none may be a
 * pipe. Returns the first failure. */
static ImgStatus check_served_files(const ImgStep *steps, size_t count, ImgError *err)
{
    for (size_t i = 0; i < count; i++)
        for (const ImgParam *param = steps[i].op->params; param->name != NULL; param++) {
            const char *path = img_step_file_path(&steps[i], param);
            if (path != NULL && rules_check_file(path, err) != IMG_OK)
                return err->status;
        }
    return IMG_OK;
}

/* Enters the sandbox. From then on, the process can use only the files of this job: the input,
 * files that steps name, and the output. */
static void enter_sandbox(const Settings *settings, Sandbox *sandbox, Job *job, Result *result)
{
    ImgError err = {IMG_OK, ""};
    img_result_prepare_early(result, job->output, job->options);
    job->result = result;
    sandbox_name(sandbox, IMG_NAME_READ, &job->input);
    if (job->input_path != NULL)
        sandbox_name(sandbox, IMG_NAME_READ, &job->input_path);
    sandbox_name(sandbox, IMG_NAME_SEEN, &job->output);
    if (job->scratch.directory != NULL)
        sandbox_name(sandbox, IMG_NAME_SCRATCH, &job->scratch.directory);
    if (job->scratch.file != NULL)
        sandbox_name(sandbox, IMG_NAME_SCRATCH_FILE, &job->scratch.file);
    sandbox_step_files(sandbox, job->steps, job->count);
    sandbox->incomplete |= img_result_names(result, sandbox_name, sandbox, &err) != IMG_OK;
    sandbox_enter(sandbox, settings);
}

/* Replaces the message of a failure if the reason is that the input is a directory: the user may be
 * looking for `imgtool batch`. */
static void explain_directory(const char *input, ImgError *err)
{
    struct stat info;
    if (err->status != IMG_E_IO || stat(input, &info) != 0 || !S_ISDIR(info.st_mode))
        return;
    img_error_clear(err);
    (void)img_fail(err, IMG_E_IO,
                   "%s: is a directory, not a file; name a file in it, or use 'imgtool batch' for "
                   "all files in it",
                   input);
}

/* Runs the job. The last two operands are INPUT and OUTPUT. `served` is the environment of the
 * command if a server runs the job, and NULL otherwise. */
static int run_job(const Args *args, ImgStep *steps, size_t count, ServedPlace *served)
{
    const Settings *settings = &args->settings;
    const bool optimizes = args->command->bit == FOR_OPTIMIZE;
    EngineOptions options = settings->engine;
    const char *const *files = args->operands + args->operand_count - 2;
    ImgFileFormat format = (ImgFileFormat)settings->output_format;
    ImgError err = {IMG_OK, ""};
    JobReport report;
    char *output = NULL;
    ImgStepFiles step_files = {.find = sandbox_find};
    Result result = {.output = NULL};
    Sandbox sandbox = {.may_use_gpu = true};
    ImgStatus status = output_name(files[0], files[1], settings->output_format, &output, &err);
    char *scratch = served == NULL ? img_resources_scratch_beside(output) : NULL;
    char *scratch_file = scratch != NULL ? img_resources_scratch_file(scratch) : NULL;
    bool replaces = status == IMG_OK && img_job_replaces_input(files[0], output);
    Job job = {
        .input = files[0],
        .input_path = strcmp(files[0], "-") == 0 ? "/dev/stdin" : NULL,
        .output = output,
        .steps = steps,
        .count = count,
        .scratch = {.directory = scratch, .file = scratch_file},
        .options = &options,
        .replaces_input = replaces,
        .refuses_animation = settings->force == 0,
        .refuses_dropping = settings->force == 0 && replaces,
        .format = settings->output_format >= 0 ? &format : NULL,
        .notes_format = true,
        .optimizes = optimizes,
    };
    if (optimizes)
        options.backend = IMG_BACKEND_CPU;
    if (served != NULL) {
        serve_job(&job, served, &step_files);
        status = status == IMG_OK ? rules_check_file(output, &err) : status;
        status = status == IMG_OK ? check_served_files(steps, count, &err) : status;
    }
    if (status == IMG_OK)
        status = img_job_check(&job, &err);
    if (status == IMG_OK && (replaces || img_step_files_find_same(steps, count, output) != NULL))
        status = keep_format(&job, settings->force != 0, &err);
    if (status == IMG_OK && served == NULL)
        enter_sandbox(settings, &sandbox, &job, &result);
    if (status == IMG_OK && served == NULL)
        status = img_resources_load_step_files(&step_files, steps, count, &options, &err);
    if (status == IMG_OK)
        status = img_job_run(&job, &report, &err);
    if (status == IMG_OK)
        explain(settings, &job, &report);
    else
        explain_directory(job.input, &err);
    free(output);
    free(scratch);
    free(scratch_file);
    img_result_free(&result);
    sandbox_free(&sandbox);
    img_step_files_free(&step_files);
    if (served != NULL)
        served->status = status;
    return status == IMG_OK ? 0 : report_failure(&err);
}

static int run_steps(const Args *args, ServedPlace *served)
{
    ImgError err = {IMG_OK, ""};
    ImgStep steps[IMG_STEPS_MAX];
    size_t count;
    char mark[CARET_SIZE];
    if (pipeline_read(args->operands[0], served != NULL, steps, &count, mark, &err) != IMG_OK) {
        img_error_prefix(&err, "run");
        return report_failure_at(&err, mark);
    }
    return run_job(args, steps, count, served);
}

int image_run(const Args *args, ServedPlace *served)
{
    ImgStep steps[IMG_THUMBNAIL_STEPS];
    if (args->command->operands[0].kind == OPERAND_PIPELINE)
        return run_steps(args, served);
    const size_t count = args_steps(args, steps);
    return run_job(args, steps, count, served);
}

/* Asks the user before a command such as `imgtool rotate *.png` replaces the second of two files.
 * Does not ask in scripts, which replace their own outputs when they run again. */
static ImgStatus check_pair(const Args *args, ImgError *err)
{
    const char *const *files = args->operands + args->operand_count - 2;
    const Settings *settings = &args->settings;
    if (settings->force || settings->engine.no_clobber || !glob_pair_is(files[0], files[1]) ||
        glob_pair_confirm(files[1]))
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE,
                    "%s: not replaced; 'imgtool batch' does the same to many files, and --force "
                    "replaces without asking",
                    files[1]);
}

/* Runs a command on one picture, in this process or (--via serve) in the server. With --via serve
 * no signal handler is installed: this process leaves no files behind, so a signal may end it at
 * once. */
int cmd_image(const Args *args)
{
    ImgError err = {IMG_OK, ""};
    if (check_pair(args, &err) != IMG_OK)
        return report_failure(&err);
    if (args->settings.via == VIA_SERVE)
        return client_run(args);
    if (args->settings.socket != NULL) {
        (void)img_fail(&err, IMG_E_USAGE, "--socket has no effect without --via serve; add it");
        return report_failure(&err);
    }
    interrupt_install();
    return image_run(args, NULL);
}
