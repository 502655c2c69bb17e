/* Tests of operations, pipelines and measurements of libimgtool, compared with the functions that
 * the command uses. */
#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/library/imgtool.h"
#include "kernels/core/params.h"
#include "kernels/histogram/histogram.h"
#include "kernels/pipeline/pipeline.h"
#include "kernels/registry.h"
#include "tests/unit/sanitizers.h"

static imgtool_context *context;

static void open_context(void)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.threads = 2;
    config.backend = IMGTOOL_BACKEND_CPU;
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
}

static void close_context(void)
{
    imgtool_context_destroy(context);
}

TestSuite(library_run, .init = open_context, .fini = close_context);

static imgtool_picture borrow(imgtool_color color, int32_t bits, int32_t width, int32_t height,
                              void *pixels)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    picture.width = width;
    picture.height = height;
    picture.format = (imgtool_format){color, bits};
    picture.pixels = pixels;
    picture.stride = (size_t)width * imgtool_pixel_size(picture.format);
    return picture;
}

/* --- Pipelines -------------------------------------------------------------------------------- */

Test(library_run, a_pipeline_replaces_a_picture)
{
    uint8_t pixels[] = {1, 2, 3, 4, 5, 6};
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = borrow(IMGTOOL_GRAY, 8, 3, 2, pixels);
    cr_assert_eq(imgtool_run_text(context, "rotate | invert", &picture, &error), IMGTOOL_OK, "%s",
                 error.message);
    cr_assert_eq(picture.width, 2);
    cr_assert_eq(picture.height, 3);
    cr_expect(picture.owned);
    const uint8_t expected[3][2] = {{251, 254}, {250, 253}, {249, 252}};
    for (size_t y = 0; y < 3; y++)
        cr_expect_arr_eq((uint8_t *)picture.pixels + y * picture.stride, expected[y], 2);
    cr_expect_eq(pixels[0], 1, "the caller's pixels stay");
    imgtool_picture_free(context, &picture);
}

/* Runs operations that use floating point, and operations that do not, in every rounding mode. The
 * results must not differ. The rounding mode of the program must stay unchanged, also in threads
 * that start while it is set. */
Test(library_run, the_rounding_mode_of_the_program_does_not_matter)
{
    static const char *const texts[] = {
        "sobel scale=0.37",
        "laplacian scale=0.37",
        "resize 17x11 linear=yes",
        "rotate angle=7.5",
        "blur sigma=2",
        "boxblur radius=9",
        "perspective corners=1,0,35,2,37,19,2,18",
        "clahe",
        "denoise",
        "canny sigma=1.4",
    };
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    enum { WIDTH = 401, HEIGHT = 301 };
    static uint8_t pixels[WIDTH * HEIGHT * 3];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * i % 251);
    const imgtool_picture source = borrow(IMGTOOL_RGB, 8, WIDTH, HEIGHT, pixels);
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        imgtool_error error = IMGTOOL_ERROR_INIT;
        imgtool_picture wanted = source;
        cr_assert_eq(imgtool_run_text(context, texts[t], &wanted, &error), IMGTOOL_OK, "%s",
                     error.message);
        for (size_t m = t % EVERY(3); m < sizeof modes / sizeof modes[0]; m += EVERY(3)) {
            imgtool_picture got = source;
            fesetround(modes[m]);
            close_context(); /* also ends the threads of the context */
            open_context();
            const imgtool_status status = imgtool_run_text(context, texts[t], &got, &error);
            const int mode = fegetround();
            fesetround(FE_TONEAREST);
            cr_assert_eq(status, IMGTOOL_OK, "%s", error.message);
            cr_expect_eq(mode, modes[m]);
            const size_t row = (size_t)got.width * imgtool_pixel_size(got.format);
            for (size_t y = 0; y < (size_t)got.height; y++)
                cr_assert_eq(memcmp((uint8_t *)got.pixels + y * got.stride,
                                    (uint8_t *)wanted.pixels + y * wanted.stride, row),
                             0, "%s, mode %d, row %zu", texts[t], modes[m], y);
            imgtool_picture_free(context, &got);
        }
        imgtool_picture_free(context, &wanted);
    }
}

/* Runs an operation in the library and in the executor as the command uses it. Expects equal
 * results. */
static void expect_as_the_command(const char *text)
{
    enum { WIDTH = 37, HEIGHT = 23 };
    static uint8_t pixels[WIDTH * HEIGHT * 3];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * i % 251);
    const ImgShape shape = {WIDTH, HEIGHT, {IMG_COLOR_RGB, 8}};
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 1};
    const ImgFacts facts = {0};
    static ImgStep steps[IMG_STEPS_MAX];
    ImgError err = {IMG_OK, ""};
    imgtool_error error = IMGTOOL_ERROR_INIT;
    ImgExec *exec;
    ImgImage image;
    ImgShape after;
    uint64_t peak;
    size_t count;
    cr_assert_eq(img_image_alloc(shape, &image, NULL), IMG_OK);
    for (size_t y = 0; y < HEIGHT; y++)
        memcpy(image.view.data + y * image.view.stride, pixels + y * WIDTH * 3, (size_t)WIDTH * 3);
    cr_assert_eq(img_pipeline_parse(text, steps, &count, NULL, &err), IMG_OK, "%s", err.message);
    if (img_steps_plan(steps, count, shape, &facts, (ImgRoom){1, 0, false}, &after, &peak, &err) !=
        IMG_OK) {
        imgtool_picture none = borrow(IMGTOOL_RGB, 8, WIDTH, HEIGHT, pixels);
        cr_expect_neq(imgtool_run_text(context, text, &none, &error), IMGTOOL_OK);
        cr_expect_str_eq(error.message, err.message);
        img_image_free(&image);
        return;
    }
    cr_assert_eq(img_exec_create(&config, &exec, &err), IMG_OK);
    cr_assert_eq(img_exec_run(exec, steps, count, &image, NULL, &err), IMG_OK, "%s", err.message);
    img_exec_destroy(exec);

    imgtool_picture picture = borrow(IMGTOOL_RGB, 8, WIDTH, HEIGHT, pixels);
    cr_assert_eq(imgtool_run_text(context, text, &picture, &error), IMGTOOL_OK, "%s: %s", text,
                 error.message);
    cr_assert_eq(picture.width, image.view.width);
    cr_assert_eq(picture.height, image.view.height);
    for (size_t y = 0; y < (size_t)picture.height; y++)
        cr_expect_arr_eq((uint8_t *)picture.pixels + y * picture.stride,
                         image.view.data + y * image.view.stride,
                         (size_t)picture.width * imgtool_pixel_size(picture.format), "%s", text);
    imgtool_picture_free(context, &picture);
    img_image_free(&image);
}

Test(library_run, every_operation_gives_the_result_of_the_command)
{
    imgtool_operation operation = IMGTOOL_OPERATION_INIT;
    for (size_t i = 0; imgtool_operation_get(i, &operation); i++)
        if (!operation.is_measurement && img_op_at(i)->file.read == NULL &&
            !img_op_at(i)->file.is_picture)
            expect_as_the_command(operation.example);
    expect_as_the_command("resize 50% | sharpen amount=0.5");
    expect_as_the_command("thumbnail 10x10");
    expect_as_the_command("trim | pad left=3 background=red");
}

Test(library_run, results_go_to_pixels_of_the_caller)
{
    uint8_t pixels[] = {1, 2, 3, 4, 5, 6}, result[3 * 8];
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_pipeline *pipeline;
    imgtool_picture from = borrow(IMGTOOL_GRAY, 8, 3, 2, pixels), to = IMGTOOL_PICTURE_INIT;
    uint64_t bytes = 0;
    memset(result, 9, sizeof result);
    cr_assert_eq(imgtool_pipeline_parse(context, "rotate", &pipeline, &error), IMGTOOL_OK);
    cr_assert_eq(imgtool_pipeline_plan(context, pipeline, &from, NULL, &to, &bytes, &error),
                 IMGTOOL_OK);
    cr_expect_eq(to.width, 2);
    cr_expect_eq(to.height, 3);
    cr_expect_eq(to.format.color, IMGTOOL_GRAY);
    cr_expect_eq(bytes, 12);
    to.pixels = result;
    to.stride = 8;
    cr_assert_eq(imgtool_run(context, pipeline, &from, &to, NULL, &error), IMGTOOL_OK, "%s",
                 error.message);
    cr_expect_not(to.owned);
    cr_expect_arr_eq(result, ((const uint8_t[]){4, 1, 9, 9, 9, 9, 9, 9, 5, 2, 9, 9}), 12);
    to.width = 3;
    cr_expect_eq(imgtool_run(context, pipeline, &from, &to, NULL, &error), IMGTOOL_E_USAGE);
    cr_expect_str_eq(error.message, "to: the result is 2 x 3 pixels, gray of 8 bits");
    to.width = 2;
    to.pixels = pixels;
    to.stride = 2;
    cr_expect_eq(imgtool_run(context, pipeline, &from, &to, NULL, &error), IMGTOOL_E_USAGE);
    cr_expect_str_eq(error.message, "the pixels of to and from overlap");
    imgtool_pipeline_destroy(pipeline);
    imgtool_pipeline_destroy(NULL);
}

Test(library_run, a_run_reports_sizes_that_depend_on_pixels)
{
    uint8_t pixels[] = {0, 0, 0, 0, 0, 7, 7, 0, 0, 0, 0, 0}, result[12];
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_pipeline *pipeline;
    imgtool_picture from = borrow(IMGTOOL_GRAY, 8, 4, 3, pixels);
    imgtool_picture to = borrow(IMGTOOL_GRAY, 8, 4, 3, result);
    cr_assert_eq(imgtool_pipeline_parse(context, "trim", &pipeline, &error), IMGTOOL_OK);
    cr_assert_eq(imgtool_run(context, pipeline, &from, &to, NULL, &error), IMGTOOL_OK, "%s",
                 error.message);
    cr_expect_eq(to.width, 2);
    cr_expect_eq(to.height, 1);
    cr_expect_eq(result[0], 7);
    imgtool_pipeline_destroy(pipeline);
}

/* In the first case the file has an orientation. In the second it has 16 bits and no
 * orientation. */
Test(library_run, metadata_affects_steps_and_is_adapted)
{
    static const uint8_t exif[] = {'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0,
                                   3,   0,   0, 0,  1, 0, 6, 0, 0, 0, 0, 0,    0};
    uint8_t pixels[] = {1, 2, 3, 4, 5, 6};
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_metadata *metadata = NULL;
    imgtool_pipeline *pipeline;
    imgtool_picture from = borrow(IMGTOOL_GRAY, 8, 3, 2, pixels), to = IMGTOOL_PICTURE_INIT;
    cr_assert_eq(imgtool_metadata_create(context, &metadata, &error), IMGTOOL_OK);
    cr_assert_eq(imgtool_metadata_set(metadata, "eXIf", exif, sizeof exif, &error), IMGTOOL_OK,
                 "%s", error.message);
    cr_assert_eq(imgtool_metadata_orientation(metadata), 6);
    cr_assert_eq(imgtool_pipeline_parse(context, "autorotate", &pipeline, &error), IMGTOOL_OK);
    cr_assert_eq(imgtool_run(context, pipeline, &from, &to, metadata, &error), IMGTOOL_OK, "%s",
                 error.message);
    cr_expect_eq(to.width, 2);
    cr_expect_eq(to.height, 3);
    cr_expect_eq(((uint8_t *)to.pixels)[0], 4);
    cr_expect_eq(imgtool_metadata_orientation(metadata), 1);
    imgtool_picture_free(context, &to);
    imgtool_pipeline_destroy(pipeline);
    imgtool_metadata_destroy(metadata);
}

/* Returns true if the picture keeps its transparent colour (tRNS) through these steps. */
static bool keeps_key(const char *steps)
{
    uint8_t pixels[4 * 4 * 3] = {0};
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_metadata *metadata = NULL;
    imgtool_pipeline *pipeline;
    imgtool_chunk chunk = IMGTOOL_CHUNK_INIT;
    imgtool_picture from = borrow(IMGTOOL_RGB, 8, 4, 4, pixels), to = IMGTOOL_PICTURE_INIT;
    cr_assert_eq(imgtool_metadata_create(context, &metadata, &error), IMGTOOL_OK);
    cr_assert_eq(imgtool_metadata_set(metadata, "tRNS", "\0\1\0\2\0\3", 6, &error), IMGTOOL_OK);
    cr_assert_eq(imgtool_metadata_add_text(metadata, "Title", "kept", &error), IMGTOOL_OK);
    cr_assert_eq(imgtool_pipeline_parse(context, steps, &pipeline, &error), IMGTOOL_OK, "%s",
                 error.message);
    cr_assert_eq(imgtool_run(context, pipeline, &from, &to, metadata, &error), IMGTOOL_OK, "%s",
                 error.message);
    cr_assert_geq(imgtool_metadata_count(metadata), 1);
    const bool kept =
        imgtool_metadata_chunk(metadata, 0, &chunk) && strcmp(chunk.type, "tRNS") == 0;
    cr_expect_eq(imgtool_metadata_count(metadata), kept ? 2 : 1);
    cr_expect(!kept || memcmp(chunk.data, "\0\1\0\2\0\3", 6) == 0);
    imgtool_picture_free(context, &to);
    imgtool_pipeline_destroy(pipeline);
    imgtool_metadata_destroy(metadata);
    return kept;
}

/* If the values of pixels change, the transparent colour is no longer known. The command gives such
 * pictures an alpha channel instead. */
Test(library_run, a_transparent_colour_stays_if_pixels_only_move)
{
    static const char *const moving[] = {"flip",
                                         "crop width=2 height=2",
                                         "transpose",
                                         "rotate angle=90",
                                         "flip | crop width=2 height=2",
                                         NULL};
    static const char *const changing[] = {"invert",     "flatten",       "threshold",
                                           "resize 50%", "pad left=1",    "depth bits=16",
                                           "grayscale",  "flip | invert", NULL};
    for (int i = 0; moving[i] != NULL; i++)
        cr_expect(keeps_key(moving[i]), "%s", moving[i]);
    for (int i = 0; changing[i] != NULL; i++)
        cr_expect_not(keeps_key(changing[i]), "%s", changing[i]);
}

Test(library_run, pipelines_are_parsed_and_printed)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_pipeline *pipeline = NULL;
    char *text = NULL, *again = NULL;
    cr_assert_eq(imgtool_pipeline_parse(context, "rotate angle=180|resize 50%", &pipeline, &error),
                 IMGTOOL_OK, "%s", error.message);
    cr_assert_eq(imgtool_pipeline_text(context, pipeline, &text, &error), IMGTOOL_OK);
    cr_expect(strncmp(text, "rotate angle=180 | resize size=50%", 34) == 0, "%s", text);
    imgtool_pipeline_destroy(pipeline);
    cr_assert_eq(imgtool_pipeline_parse(context, text, &pipeline, &error), IMGTOOL_OK, "%s",
                 error.message);
    cr_assert_eq(imgtool_pipeline_text(context, pipeline, &again, &error), IMGTOOL_OK);
    cr_expect_str_eq(text, again);
    imgtool_free(context, text);
    imgtool_free(context, again);
    imgtool_pipeline_destroy(pipeline);
}

static void expect_measures(const char *text, bool measures)
{
    imgtool_pipeline *pipeline = NULL;
    cr_assert_eq(imgtool_pipeline_parse(context, text, &pipeline, NULL), IMGTOOL_OK);
    cr_expect_eq(imgtool_pipeline_measures(pipeline), measures, "%s", text);
    imgtool_pipeline_destroy(pipeline);
}

Test(library_run, a_pipeline_tells_if_pixels_decide_on_the_size)
{
    expect_measures("trim", true);
    expect_measures("flip | trim | resize 100", true);
    expect_measures("flip | crop width=1 height=1", false);
    cr_expect_not(imgtool_pipeline_measures(NULL));
}

static void expect_no_pipeline(const char *text, imgtool_status status, const char *message)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_pipeline *pipeline = (imgtool_pipeline *)(void *)&error;
    cr_expect_eq(imgtool_pipeline_parse(context, text, &pipeline, &error), status);
    cr_expect_null(pipeline);
    cr_expect_str_eq(error.message, message);
}

Test(library_run, mistakes_in_pipelines_are_found)
{
    expect_no_pipeline("rotate | blurr", IMGTOOL_E_USAGE,
                       "step 2, column 10: there is no operation 'blurr'; did you mean 'blur'?");
    expect_no_pipeline("rotate angle=x90", IMGTOOL_E_USAGE,
                       "step 1, column 8: rotate: invalid angle 'x90': did you mean '90'? Use "
                       "-360..360");
    expect_no_pipeline("lut file=/nowhere.cube", IMGTOOL_E_IO,
                       "lut: /nowhere.cube: cannot be opened: No such file or directory; "
                       "check the name");
    expect_no_pipeline(NULL, IMGTOOL_E_USAGE, "text is NULL");
}

static bool stop(void *user, uint64_t done, uint64_t total)
{
    int *left = user;
    cr_expect_leq(done, total);
    return --*left > 0;
}

Test(library_run, a_progress_function_can_cancel)
{
    uint8_t pixels[] = {1, 2, 3, 4, 5, 6};
    int left = 2;
    imgtool_context *own;
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = borrow(IMGTOOL_GRAY, 8, 3, 2, pixels);
    config.progress = stop;
    config.progress_user = &left;
    cr_assert_eq(imgtool_context_create(&config, &own, NULL), IMGTOOL_OK);
    cr_expect_eq(imgtool_run_text(own, "rotate | blur", &picture, &error), IMGTOOL_E_CANCELLED);
    cr_expect_str_eq(error.message, "cancelled");
    cr_expect_eq(left, 0);
    cr_expect_eq(picture.pixels, pixels);
    left = 100;
    cr_expect_eq(imgtool_run_text(own, "rotate | blur", &picture, &error), IMGTOOL_OK);
    cr_expect_eq(error.message[0], '\0');
    cr_expect_eq(left, 97);
    imgtool_picture_free(own, &picture);
    imgtool_context_destroy(own);
}

Test(library_run, invalid_calls_are_explained)
{
    uint8_t pixels[64] = {0};
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture bgra = borrow(IMGTOOL_BGRA, 8, 2, 2, pixels);
    imgtool_picture palette = borrow(IMGTOOL_PALETTE, 8, 2, 2, pixels);
    cr_expect_eq(imgtool_run_text(context, "rotate", &bgra, &error), IMGTOOL_E_UNSUPPORTED);
    cr_expect_str_eq(error.message, "from: BGRA of 8 bits must be converted first");
    cr_expect_eq(imgtool_run_text(context, "blur", &palette, &error), IMGTOOL_E_UNSUPPORTED);
    cr_expect_eq(imgtool_run_text(context, "crop x=7", &palette, &error), IMGTOOL_E_UNSUPPORTED);
    cr_expect_eq(imgtool_run_text(context, "rotate", &palette, &error), IMGTOOL_OK, "%s",
                 error.message);
    imgtool_picture_free(context, &palette);
}

/* The picture becomes twice as large, so each index appears four times. */
Test(library_run, nearest_keeps_palette_indices)
{
    uint8_t pixels[] = {3, 200};
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture palette = borrow(IMGTOOL_PALETTE, 8, 2, 1, pixels);
    cr_assert_eq(imgtool_run_text(context, "resize 200% filter=nearest", &palette, &error),
                 IMGTOOL_OK, "%s", error.message);
    cr_expect(palette.format.color == IMGTOOL_PALETTE && palette.width == 4);
    for (size_t y = 0; y < 2; y++)
        cr_expect_arr_eq((const uint8_t *)palette.pixels + y * palette.stride,
                         ((const uint8_t[]){3, 3, 200, 200}), 4);
    imgtool_picture_free(context, &palette);
}

/* With metadata the result has a palette, without it the colours of the palette. */
Test(library_run, quantize_puts_its_palette_into_metadata)
{
    uint8_t pixels[] = {1, 2, 3, 250, 240, 230, 1, 2, 3, 1, 2, 3};
    const uint8_t plte[] = {1, 2, 3, 250, 240, 230};
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture from = borrow(IMGTOOL_RGB, 8, 4, 1, pixels), to = IMGTOOL_PICTURE_INIT;
    imgtool_pipeline *pipeline;
    imgtool_metadata *metadata;
    imgtool_chunk chunk = IMGTOOL_CHUNK_INIT;
    cr_assert_eq(imgtool_metadata_create(context, &metadata, &error), IMGTOOL_OK);
    cr_assert_eq(
        imgtool_pipeline_parse(context, "quantize | flip axis=horizontal", &pipeline, &error),
        IMGTOOL_OK);
    cr_assert_eq(imgtool_run(context, pipeline, &from, &to, metadata, &error), IMGTOOL_OK, "%s",
                 error.message);
    cr_expect_eq(to.format.color, IMGTOOL_PALETTE);
    cr_expect_eq(to.format.bits, 1);
    cr_expect_arr_eq((const uint8_t *)to.pixels, ((const uint8_t[]){0, 0, 1, 0}), 4);
    cr_assert(imgtool_metadata_chunk(metadata, 0, &chunk));
    cr_expect_str_eq(chunk.type, "PLTE");
    cr_assert_eq(chunk.bytes, sizeof plte);
    cr_expect_arr_eq((const uint8_t *)chunk.data, plte, sizeof plte);
    imgtool_picture_free(context, &to);
    cr_assert_eq(imgtool_run(context, pipeline, &from, &to, NULL, &error), IMGTOOL_OK);
    cr_expect_eq(to.format.color, IMGTOOL_RGB);
    cr_expect_arr_eq((const uint8_t *)to.pixels + 3, pixels, 6);
    imgtool_picture_free(context, &to);
    imgtool_metadata_destroy(metadata);
    imgtool_pipeline_destroy(pipeline);
}

Test(library_run, limits_are_enforced)
{
    uint8_t pixels[64] = {0};
    imgtool_context *own;
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = borrow(IMGTOOL_GRAY, 8, 8, 8, pixels);
    config.max_pixels = 100;
    cr_assert_eq(imgtool_context_create(&config, &own, NULL), IMGTOOL_OK);
    cr_expect_eq(imgtool_run_text(own, "resize 200%", &picture, &error), IMGTOOL_E_LIMIT);
    cr_expect_str_eq(error.message, "resize: 16 x 16 is 256 pixels, more than the limit of 100");
    cr_expect_eq(imgtool_run_text(own, "trim | pad size=20x20", &picture, &error), IMGTOOL_E_LIMIT);
    imgtool_context_destroy(own);
}

/* Operations use samples as indices of tables. A sample with more bits than its format has must
 * therefore be rejected. */
Test(library_run, samples_must_fit_their_bits)
{
    uint8_t pixels[] = {1, 3, 4, 0};
    uint64_t counts[4];
    int32_t rows;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_difference difference = IMGTOOL_DIFFERENCE_INIT;
    imgtool_picture picture = borrow(IMGTOOL_GRAY, 2, 2, 2, pixels);
    cr_expect_eq(imgtool_run_text(context, "rotate", &picture, &error), IMGTOOL_E_USAGE);
    cr_expect_str_eq(error.message, "from: a sample is more than 2 bits can hold");
    cr_expect_eq(imgtool_histogram(context, &picture, counts, 4, &rows, &error), IMGTOOL_E_USAGE);
    cr_expect_eq(imgtool_compare(context, &picture, &picture, &difference, &error),
                 IMGTOOL_E_USAGE);
    pixels[2] = 3;
    cr_expect_eq(imgtool_histogram(context, &picture, counts, 4, &rows, &error), IMGTOOL_OK);
    cr_expect_arr_eq(counts, ((const uint64_t[]){1, 1, 0, 2}), sizeof counts);
}

/* --- Descriptions ----------------------------------------------------------------------------- */

Test(library_run, all_operations_are_described)
{
    imgtool_operation operation = IMGTOOL_OPERATION_INIT;
    size_t count = imgtool_operation_count(), measurements = 0;
    static ImgStep steps[IMG_STEPS_MAX];
    cr_assert_gt(count, 40);
    for (size_t i = 0; i < count; i++) {
        ImgError err = {IMG_OK, ""};
        size_t parsed;
        cr_assert(imgtool_operation_get(i, &operation));
        cr_expect_str_eq(operation.name, img_op_at(i)->name);
        measurements += operation.is_measurement;
        if (!operation.is_measurement)
            cr_expect_eq(img_pipeline_parse(operation.example, steps, &parsed, NULL, &err), IMG_OK,
                         "'%s': %s", operation.example, err.message);
        for (size_t j = 0; j < operation.options; j++) {
            imgtool_option option = IMGTOOL_OPTION_INIT;
            cr_assert(imgtool_option_get(i, j, &option));
            cr_expect_str_eq(option.name, img_op_at(i)->params[j].name);
            cr_expect_eq(option.value == IMGTOOL_VALUE_CHOICE,
                         img_op_at(i)->params[j].type == IMG_PARAM_CHOICE);
            cr_expect(option.value != IMGTOOL_VALUE_CHOICE || imgtool_option_choice(i, j, 0));
        }
        cr_expect_not(imgtool_option_get(i, operation.options, &(imgtool_option){0}));
    }
    cr_expect_gt(measurements, 0);
    cr_expect_not(imgtool_operation_get(count, &operation));
    cr_expect_null(imgtool_option_choice(count, 0, 0));
}

static size_t find(const char *name)
{
    imgtool_operation operation = IMGTOOL_OPERATION_INIT;
    size_t i = 0;
    while (imgtool_operation_get(i, &operation) && strcmp(operation.name, name) != 0)
        i++;
    return i;
}

Test(library_run, options_are_described)
{
    imgtool_option option = IMGTOOL_OPTION_INIT;
    const size_t resize = find("resize"), gamma = find("gamma");
    cr_assert(imgtool_option_get(resize, 0, &option));
    cr_expect_str_eq(option.name, "size");
    cr_expect_eq(option.value, IMGTOOL_VALUE_SIZE);
    cr_expect(option.stands_alone);
    cr_expect_str_eq(option.default_text, "");
    cr_assert(imgtool_option_get(gamma, 0, &option));
    cr_expect_eq(option.value, IMGTOOL_VALUE_DECIMAL);
    cr_expect_eq(option.minimum, (double)img_op_at(gamma)->params[0].min / 1000);
    bool found = false;
    for (size_t i = 0; imgtool_option_get(resize, i, &option); i++)
        for (size_t j = 0; imgtool_option_flag(resize, i, j) != NULL; j++)
            found |= strcmp(imgtool_option_flag(resize, i, j), "only-shrink") == 0;
    cr_expect(found);
}

/* --- Measurements ----------------------------------------------------------------------------- */

Test(library_run, histograms_and_statistics_are_measured)
{
    uint8_t pixels[] = {0, 0, 0, 255, 255, 255, 255, 255, 255, 2, 2, 2};
    uint64_t counts[4 * 256];
    int32_t rows = 0;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_statistics statistics = IMGTOOL_STATISTICS_INIT;
    const imgtool_picture picture = borrow(IMGTOOL_RGB, 8, 2, 2, pixels);
    cr_assert_eq(imgtool_histogram(context, &picture, NULL, 0, &rows, &error), IMGTOOL_OK);
    cr_expect_eq(rows, 4);
    cr_expect_eq(imgtool_histogram(context, &picture, counts, 1023, &rows, &error),
                 IMGTOOL_E_USAGE);
    cr_expect_str_eq(error.message,
                     "counts: the buffer has room for 1023 entries, and 1024 are needed");
    cr_assert_eq(imgtool_histogram(context, &picture, counts, 1024, &rows, &error), IMGTOOL_OK);
    for (size_t row = 0; row < 4; row++) {
        cr_expect_eq(counts[row * 256], 1);
        cr_expect_eq(counts[row * 256 + 2], 1);
        cr_expect_eq(counts[row * 256 + 255], 2);
    }
    cr_assert_eq(imgtool_statistics_of(counts, 256, &statistics, &error), IMGTOOL_OK);
    cr_expect_eq(statistics.pixels, 4);
    cr_expect_eq(statistics.maximum, 255);
    cr_expect_eq(statistics.median, 2);
    cr_expect_eq(statistics.mean, 128);
    cr_expect_eq(statistics.entropy, 1.5);
    cr_expect_eq(statistics.lowest, 1);
    cr_expect_eq(statistics.highest, 2);
    cr_expect_eq(imgtool_statistics_of(NULL, 256, &statistics, &error), IMGTOOL_E_USAGE);
    cr_expect_eq(imgtool_statistics_of(counts, 0, &statistics, &error), IMGTOOL_E_USAGE);
}

Test(library_run, pictures_are_compared)
{
    uint8_t gray[] = {10, 20, 30, 40}, colours[] = {10, 10, 10, 20, 20, 20, 30, 36, 30, 40, 40, 40};
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_difference difference = IMGTOOL_DIFFERENCE_INIT;
    const imgtool_picture a = borrow(IMGTOOL_GRAY, 8, 2, 2, gray);
    const imgtool_picture b = borrow(IMGTOOL_RGB, 8, 2, 2, colours);
    const imgtool_picture c = borrow(IMGTOOL_GRAY, 8, 1, 4, gray);
    cr_assert_eq(imgtool_compare(context, &a, &b, &difference, &error), IMGTOOL_OK, "%s",
                 error.message);
    cr_expect_eq(difference.pixels, 4);
    cr_expect_eq(difference.differing, 1);
    cr_expect_eq(difference.largest, 6);
    cr_expect_eq(difference.x, 0);
    cr_expect_eq(difference.y, 1);
    cr_expect_eq(difference.mse, 3); /* The squared differences sum to 36: 36 / 12 samples = 3. */
    cr_expect_float_eq(difference.psnr, 10 * log10(255.0 * 255 / 3), 1e-9);
    cr_assert_eq(imgtool_compare(context, &a, &a, &difference, &error), IMGTOOL_OK);
    cr_expect_eq(difference.differing, 0);
    cr_expect(isinf(difference.psnr));
    cr_expect_eq(difference.ssim, 1);
    cr_expect_eq(imgtool_compare(context, &a, &c, &difference, &error), IMGTOOL_E_USAGE);
}

Test(library_run, devices_are_counted)
{
    size_t count = 7;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_device devices[2] = {IMGTOOL_DEVICE_INIT, IMGTOOL_DEVICE_INIT};
    const imgtool_status status = imgtool_devices(devices, 2, &count, &error);
    cr_expect(status == IMGTOOL_OK ? count > 0 && devices[0].name[0] != '\0'
                                   : status == IMGTOOL_E_UNAVAILABLE && count == 0);
    cr_expect_eq(imgtool_devices(devices, 2, NULL, &error), IMGTOOL_E_USAGE);
}

/* Results on a GPU are checked in tests/gpu. */
Test(library_run, without_a_gpu_device_memory_is_unavailable)
{
    static uint8_t pixels[64] __attribute__((aligned(16)));
    size_t count, bytes = 1;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_pipeline *pipeline;
    imgtool_picture from = borrow(IMGTOOL_GRAY, 8, 2, 2, pixels), few = from;
    imgtool_picture to = borrow(IMGTOOL_GRAY, 8, 2, 2, pixels + 32);
    from.stride = to.stride = 16;
    few.format.bits = 4;
    cr_assert_eq(imgtool_pipeline_parse(context, "invert", &pipeline, NULL), IMGTOOL_OK);
    cr_expect_eq(imgtool_device_workspace(context, pipeline, &few, &bytes, &error),
                 IMGTOOL_E_UNSUPPORTED);
    cr_expect_eq(imgtool_device_workspace(context, NULL, &from, &bytes, &error), IMGTOOL_E_USAGE);
    cr_expect_eq(imgtool_device_allocate(context, 1, NULL, &error), IMGTOOL_E_USAGE);
    cr_expect_eq(imgtool_device_copy(context, &from, &few, NULL, &error), IMGTOOL_E_USAGE);
    imgtool_device_free(0, NULL);
    if (imgtool_devices(NULL, 0, &count, NULL) != IMGTOOL_OK) {
        void *memory = pixels;
        cr_expect_eq(imgtool_device_allocate(context, 1, &memory, &error), IMGTOOL_E_UNAVAILABLE);
        cr_expect_null(memory);
        cr_expect_eq(imgtool_device_copy(context, &from, &to, NULL, &error), IMGTOOL_E_UNAVAILABLE);
        cr_expect_eq(imgtool_device_wait(context, NULL, &error), IMGTOOL_E_UNAVAILABLE);
        cr_expect_eq(imgtool_device_workspace(context, pipeline, &from, &bytes, &error),
                     IMGTOOL_E_UNAVAILABLE);
        cr_expect(error.message[0] != '\0');
        cr_expect_eq(imgtool_run_device(context, pipeline, &from, &to, NULL, NULL, &error),
                     IMGTOOL_E_UNAVAILABLE);
    }
    imgtool_pipeline_destroy(pipeline);
}
