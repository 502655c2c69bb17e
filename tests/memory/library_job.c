/* memory_library THREADS LEVEL STEPS INPUT OUTPUT LIMIT: does a job with calls of the library, as a
 * program would. Reads the file, runs the steps and writes the result. If STEPS is "rows", only
 * receives the decoded rows. Exits with code 3 and a message if a call fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "imgtool.h"

static imgtool_file_format format_of(const char *path)
{
    const char *suffix = strrchr(path, '.');
    if (suffix != NULL && strcmp(suffix, ".jpg") == 0)
        return IMGTOOL_JPEG;
    if (suffix != NULL && strcmp(suffix, ".bmp") == 0)
        return IMGTOOL_BMP;
    return suffix != NULL && strcmp(suffix, ".tga") == 0 ? IMGTOOL_TGA : IMGTOOL_PNG;
}

static bool take(void *user, const imgtool_picture *rows, int32_t first)
{
    int32_t *next = user;
    if (first != *next)
        return false;
    *next += rows->height;
    return true;
}

static imgtool_status read_rows(imgtool_context *context, const char *path, imgtool_error *error)
{
    const imgtool_format format = {IMGTOOL_RGBA, 0};
    imgtool_reader *reader = NULL;
    int32_t next = 0;
    imgtool_status status = imgtool_open_file(context, path, &reader, error);
    if (status == IMGTOOL_OK)
        status = imgtool_reader_rows(reader, format, take, &next, error);
    imgtool_reader_destroy(reader);
    return status;
}

static imgtool_status work(imgtool_context *context, char **argv, imgtool_error *error)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT, result = IMGTOOL_PICTURE_INIT;
    imgtool_metadata *metadata = NULL;
    imgtool_pipeline *pipeline = NULL;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    picture.format = (imgtool_format){IMGTOOL_RGBA, 0}; /* a format that every operation accepts */
    encoding.level = atoi(argv[2]);
    encoding.format = format_of(argv[5]);
    imgtool_status status = imgtool_pipeline_parse(context, argv[3], &pipeline, error);
    if (status == IMGTOOL_OK)
        status = imgtool_read_file(context, argv[4], &picture, &metadata, error);
    if (status == IMGTOOL_OK)
        status = imgtool_run(context, pipeline, &picture, &result, metadata, error);
    imgtool_picture_free(context, &picture);
    encoding.metadata = metadata;
    if (status == IMGTOOL_OK)
        status = imgtool_write_file(context, &result, &encoding, argv[5], error);
    imgtool_picture_free(context, &result);
    imgtool_metadata_destroy(metadata);
    imgtool_pipeline_destroy(pipeline);
    return status;
}

int main(int argc, char **argv)
{
    enum { ARGUMENTS = 7 };
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_context *context = NULL;
    if (argc != ARGUMENTS) {
        fprintf(stderr, "usage: memory_library THREADS LEVEL STEPS INPUT OUTPUT LIMIT\n");
        return 2;
    }
    config.threads = atoi(argv[1]);
    config.max_memory = strtoull(argv[6], NULL, 10);
    imgtool_status status = imgtool_context_create(&config, &context, &error);
    if (status == IMGTOOL_OK)
        status = strcmp(argv[3], "rows") == 0 ? read_rows(context, argv[4], &error)
                                              : work(context, argv, &error);
    imgtool_context_destroy(context);
    if (status != IMGTOOL_OK)
        fprintf(stderr, "memory_library: %s\n", error.message);
    return status == IMGTOOL_OK ? 0 : 3;
}
