/* Runs pipelines, which are given as text, through the public interface. A pipeline must be the
 * same after it is printed and parsed again. On a tiny picture the result must have the planned
 * shape. One and three threads must give the same bytes.
 * Input: a byte that chooses the picture, then the text. The text may name files in a private
 * directory, so it must have no '/'. */
#include <stdio.h>
#include <string.h>

#include "app/library/imgtool.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/text/text.h"

enum { TEXT_MOST = 4096, MOST_PIXELS = 1 << 14, MOST_BYTES = 64 << 20 };

static imgtool_context *context_of(int threads)
{
    static imgtool_context *contexts[4];
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.threads = threads;
    config.backend = IMGTOOL_BACKEND_CPU;
    config.max_pixels = MOST_PIXELS;
    config.max_memory = MOST_BYTES;
    if (contexts[threads] == NULL)
        scratch_check(imgtool_context_create(&config, &contexts[threads], NULL) == IMGTOOL_OK,
                      "no context");
    return contexts[threads];
}

/* --- Text ------------------------------------------------------------------------------------- */

/* Returns the pipeline, or NULL if the text is rejected. A rejection must have a message. */
static imgtool_pipeline *parse(imgtool_context *context, const char *text)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_pipeline *pipeline = NULL;
    const imgtool_status status = imgtool_pipeline_parse(context, text, &pipeline, &error);
    scratch_check((status == IMGTOOL_OK) == (pipeline != NULL), "status and result do not agree");
    scratch_check(status == IMGTOOL_OK || (error.message[0] != '\0' && error.status == status),
                  "rejected without a message");
    return pipeline;
}

static char *print(imgtool_context *context, const imgtool_pipeline *pipeline)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    char *text = NULL;
    scratch_check(imgtool_pipeline_text(context, pipeline, &text, &error) == IMGTOOL_OK,
                  "a pipeline cannot be printed");
    return text;
}

static void check_text(imgtool_context *context, const imgtool_pipeline *pipeline)
{
    char *text = print(context, pipeline);
    imgtool_pipeline *again = parse(context, text);
    scratch_check(again != NULL, "a printed pipeline is rejected");
    char *second = print(context, again);
    scratch_check(strcmp(text, second) == 0, "a printed pipeline reads differently");
    imgtool_free(context, second);
    imgtool_pipeline_destroy(again);
    imgtool_free(context, text);
}

/* --- Pictures --------------------------------------------------------------------------------- */

static imgtool_picture picture_of(imgtool_context *context, uint8_t choice)
{
    static const imgtool_format formats[] = {
        {IMGTOOL_GRAY, 8},  {IMGTOOL_GRAY_ALPHA, 8},  {IMGTOOL_RGB, 8},  {IMGTOOL_RGBA, 8},
        {IMGTOOL_GRAY, 16}, {IMGTOOL_GRAY_ALPHA, 16}, {IMGTOOL_RGB, 16}, {IMGTOOL_RGBA, 16},
    };
    static const int32_t sizes[][2] = {{1, 1}, {7, 5}, {33, 2}, {16, 16}};
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    uint32_t noise = choice;
    picture.format = formats[choice & 7];
    picture.width = sizes[choice >> 3 & 3][0];
    picture.height = sizes[choice >> 3 & 3][1];
    scratch_check(imgtool_picture_allocate(context, &picture, NULL) == IMGTOOL_OK, "no picture");
    const size_t bytes = picture.stride * (size_t)picture.height;
    for (size_t i = 0; i < bytes; i++) {
        noise = noise * 1664525U + 1013904223U;
        ((uint8_t *)picture.pixels)[i] = (uint8_t)((choice & 32) != 0 ? noise >> 24 : i * 5);
    }
    return picture;
}

/* Checks that the result has the planned size and format. If `trim` or `quantize` is a step, they
 * are known only after the run, so only the limits of the size are checked. */
static void check_plan(const char *text, const imgtool_picture *planned, const imgtool_picture *got)
{
    const bool is_measured = strstr(text, "trim") != NULL || strstr(text, "quantize") != NULL;
    scratch_check(got->width >= 1 && got->height >= 1 &&
                      (int64_t)got->width * got->height <= MOST_PIXELS,
                  "the result has no pixels, or more than the limit");
    scratch_check(is_measured || (got->width == planned->width && got->height == planned->height),
                  "the size is not as planned");
    scratch_check(is_measured || (got->format.color == planned->format.color &&
                                  got->format.bits == planned->format.bits),
                  "the format is not as planned");
}

static imgtool_status run(const char *text, uint8_t choice, int threads, imgtool_picture *result,
                          imgtool_error *error)
{
    imgtool_context *context = context_of(threads);
    imgtool_picture planned = IMGTOOL_PICTURE_INIT, picture = picture_of(context, choice);
    imgtool_pipeline *pipeline = parse(context, text);
    uint64_t bytes = 0;
    scratch_check(pipeline != NULL, "the text is rejected the second time");
    *result = (imgtool_picture)IMGTOOL_PICTURE_INIT;
    const imgtool_status can =
        imgtool_pipeline_plan(context, pipeline, &picture, NULL, &planned, &bytes, error);
    const imgtool_status status = imgtool_run(context, pipeline, &picture, result, NULL, error);
    scratch_check(can == IMGTOOL_OK || can == status, "plan and run give different verdicts");
    scratch_check(status == IMGTOOL_OK || error->message[0] != '\0', "it fails without a message");
    scratch_check((status == IMGTOOL_OK) == (result->pixels != NULL),
                  "pixels must be set only on success");
    if (status == IMGTOOL_OK)
        check_plan(text, &planned, result);
    imgtool_pipeline_destroy(pipeline);
    imgtool_picture_free(context, &picture);
    return status;
}

static void check_same(const imgtool_picture *a, const imgtool_picture *b)
{
    scratch_check(a->width == b->width && a->height == b->height &&
                      a->format.color == b->format.color && a->format.bits == b->format.bits,
                  "three threads give a different size or format");
    const size_t row = (size_t)a->width * imgtool_pixel_size(a->format);
    for (size_t y = 0; y < (size_t)a->height; y++)
        scratch_check(memcmp((const uint8_t *)a->pixels + y * a->stride,
                             (const uint8_t *)b->pixels + y * b->stride, row) == 0,
                      "three threads give different pixels");
}

static void check_run(const char *text, uint8_t choice)
{
    imgtool_error first = IMGTOOL_ERROR_INIT, second = IMGTOOL_ERROR_INIT;
    imgtool_picture one, three;
    const imgtool_status status = run(text, choice, 1, &one, &first);
    const imgtool_status other = run(text, choice, 3, &three, &second);
    scratch_check(status == other, "three threads give a different verdict");
    if (status == IMGTOOL_OK)
        check_same(&one, &three);
    imgtool_picture_free(context_of(1), &one);
    imgtool_picture_free(context_of(3), &three);
}

/* --- Files that pipelines name ---------------------------------------------------------------- */

static void put_files(void)
{
    static const char cube[] = "LUT_1D_SIZE 2\n1 0.5 0\n0 0.5 1\n";
    static const char kernel[] = "0 1 0\n1 -4 1\n0 1 0\n";
    imgtool_context *context = context_of(1);
    imgtool_picture picture = picture_of(context, 3 | 8);
    void *data = NULL;
    size_t bytes = 0;
    scratch_check(imgtool_write_memory(context, &picture, NULL, &data, &bytes, NULL) == IMGTOOL_OK,
                  "no file");
    scratch_put("c", cube, sizeof cube - 1);
    scratch_put("k", kernel, sizeof kernel - 1);
    scratch_put("p", data, bytes);
    imgtool_free(context, data);
    imgtool_picture_free(context, &picture);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool has_files;
    char text[TEXT_MOST];
    if (size < 1 || size > sizeof text || memchr(data, '/', size) != NULL)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    scratch_enter();
    if (!has_files)
        put_files();
    has_files = true;
    imgtool_pipeline *pipeline = parse(context_of(1), text);
    if (pipeline != NULL) {
        check_text(context_of(1), pipeline);
        check_run(text, data[0]);
    }
    imgtool_pipeline_destroy(pipeline);
    scratch_leave();
    return 0;
}
