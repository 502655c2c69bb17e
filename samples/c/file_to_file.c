/* file_to_file STEPS IN.png OUT.png: runs steps from file to file, in at most 256 MiB of memory,
 * however large the picture is. */
#include <imgtool.h>
#include <stdio.h>

static void print_note(void *user, const char *text)
{
    fprintf(stderr, "%s: %s\n", (const char *)user, text);
}

int main(int argc, char **argv)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    imgtool_pipeline *pipeline = NULL;
    imgtool_file_run run = IMGTOOL_FILE_RUN_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    if (argc != 4) {
        fprintf(stderr, "usage: file_to_file STEPS IN.png OUT.png\n");
        return 2;
    }
    config.max_memory = 256 << 20;
    run.note = print_note;
    run.user = argv[0];
    imgtool_status status = imgtool_context_create(&config, &context, &error);
    if (status == IMGTOOL_OK)
        status = imgtool_pipeline_parse(context, argv[1], &pipeline, &error);
    if (status == IMGTOOL_OK)
        status = imgtool_run_file(context, pipeline, argv[2], argv[3], &run, &error);
    if (status != IMGTOOL_OK)
        fprintf(stderr, "%s\n", error.message);
    imgtool_pipeline_destroy(pipeline);
    imgtool_context_destroy(context);
    return status == IMGTOOL_OK ? 0 : 1;
}
