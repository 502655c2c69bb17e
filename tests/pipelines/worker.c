/* Runs many commands and library calls in one process, for pipelines.py, because starting a process
 * takes longer than most of the work. Each job names a CPU level, so that one processor tests the
 * code for simpler ones, including the PNG codec.
 *
 *     worker jobs               reads jobs from standard input until its end
 *     worker LEVEL COMMAND...   runs one command, such as the server of a test
 *
 * A job is one line with fields separated by the byte 0x1f. The worker answers with an exit code:
 *
 *     command LEVEL ARGUMENT...               runs imgtool with these arguments
 *     library LEVEL THREADS STEPS IN OUT      runs STEPS on a file through imgtool.h
 *
 * The output of a job goes to the file that is standard error. Each job empties that file first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/exit_code.h"
#include "app/commands/shared.h"
#include "app/library/imgtool.h"
#include "kernels/core/parallel/cpu.h"

enum { FIELDS_MOST = 64, SEPARATOR = 0x1f };

/* The linker replaces img_cpu_level by __wrap_img_cpu_level (--wrap; see CMakeLists.txt). */
/* NOLINTBEGIN(bugprone-reserved-identifier): the linker gives these names */
ImgCpuLevel __real_img_cpu_level(void);
ImgCpuLevel __wrap_img_cpu_level(void);
/* NOLINTEND(bugprone-reserved-identifier) */

static ImgCpuLevel limit = IMG_CPU_AVX512;

ImgCpuLevel __wrap_img_cpu_level(void)
{
    const ImgCpuLevel level = __real_img_cpu_level();
    return level < limit ? level : limit;
}

static bool set_level(const char *name)
{
    for (int level = IMG_CPU_PORTABLE; level <= IMG_CPU_AVX512; level++)
        if (strcmp(name, img_cpu_level_name((ImgCpuLevel)level)) == 0) {
            limit = (ImgCpuLevel)level;
            return true;
        }
    return false;
}

/* --- The library ------------------------------------------------------------------------------ */

static imgtool_status run_library(imgtool_context *context, imgtool_pipeline *pipeline,
                                  char *const paths[2], imgtool_error *error)
{
    imgtool_metadata *metadata = NULL;
    imgtool_picture from = IMGTOOL_PICTURE_INIT, channels = IMGTOOL_PICTURE_INIT;
    imgtool_picture to = IMGTOOL_PICTURE_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_status status = imgtool_read_file(context, paths[0], &from, &metadata, error);
    if (status == IMGTOOL_OK)
        status = imgtool_expand(context, pipeline, &from, &channels, metadata, error);
    if (status == IMGTOOL_OK)
        status = imgtool_run(context, pipeline, channels.pixels != NULL ? &channels : &from, &to,
                             metadata, error);
    encoding.metadata = metadata;
    if (status == IMGTOOL_OK)
        status = imgtool_write_file(context, &to, &encoding, paths[1], error);
    imgtool_picture_free(context, &to);
    imgtool_picture_free(context, &channels);
    imgtool_picture_free(context, &from);
    imgtool_metadata_destroy(metadata);
    return status;
}

/* Runs a job "library". The fields are THREADS STEPS IN OUT. */
static int library(char **fields, int count)
{
    if (count != 4)
        return CLI_BAD_USAGE;
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    imgtool_pipeline *pipeline = NULL;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    config.threads = (int32_t)strtol(fields[0], NULL, 10);
    config.backend = IMGTOOL_BACKEND_CPU;
    imgtool_status status = imgtool_context_create(&config, &context, &error);
    if (status == IMGTOOL_OK)
        status = imgtool_pipeline_parse(context, fields[1], &pipeline, &error);
    if (status == IMGTOOL_OK)
        status = run_library(context, pipeline, fields + 2, &error);
    if (status != IMGTOOL_OK)
        (void)fprintf(stderr, "%s\n", error.message);
    imgtool_pipeline_destroy(pipeline);
    imgtool_context_destroy(context);
    return status == IMGTOOL_OK ? CLI_OK : CLI_BAD_FILE;
}

/* --- Jobs ------------------------------------------------------------------------------------- */

static int command(char **arguments, int count)
{
    char *argv[FIELDS_MOST + 2] = {"imgtool"};
    for (int i = 0; i < count; i++)
        argv[i + 1] = arguments[i];
    return cli_main(count + 1, argv, cli_run);
}

static int run_job(char *line)
{
    char *fields[FIELDS_MOST];
    const char separator[] = {SEPARATOR, '\0'};
    char *rest = line;
    int count = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *field; count < FIELDS_MOST && (field = strsep(&rest, separator)) != NULL;)
        fields[count++] = field;
    if (count < 3 || !set_level(fields[1]))
        return CLI_BAD_USAGE;
    return strcmp(fields[0], "library") == 0 ? library(fields + 2, count - 2)
                                             : command(fields + 2, count - 2);
}

static int run_jobs(void)
{
    char *line = NULL;
    size_t room = 0;
    FILE *jobs = fdopen(dup(STDIN_FILENO), "r");
    FILE *answers = fdopen(dup(STDOUT_FILENO), "w");
    if (jobs == NULL || answers == NULL || freopen("/dev/null", "r", stdin) == NULL ||
        dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return EXIT_FAILURE;
    while (getline(&line, &room, jobs) > 0) {
        const bool emptied =
            ftruncate(STDERR_FILENO, 0) == 0 && lseek(STDERR_FILENO, 0, SEEK_SET) == 0;
        const int code = emptied ? run_job(line) : CLI_BAD_FILE;
        (void)fflush(stdout);
        (void)fprintf(answers, "%d\n", code);
        (void)fflush(answers);
    }
    free(line);
    (void)fclose(jobs);
    return fclose(answers) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "jobs") == 0)
        return run_jobs();
    if (argc < 3 || argc > FIELDS_MOST || !set_level(argv[1])) {
        (void)fprintf(stderr, "usage: worker jobs | LEVEL COMMAND...\n");
        return CLI_BAD_USAGE;
    }
    return command(argv + 2, argc - 2);
}
