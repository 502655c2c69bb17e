/* Tests of optimizing whole files: sizes, what is kept, and that a second run changes nothing. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/encode.h"
#include "io/png/optimize/optimize.h"
#include "io/png/optimize/reduce.h"
#include "io/source.h"

typedef struct File {
    uint8_t *data;
    size_t size;
} File;

static ImgStatus append(void *context, const void *data, size_t size, ImgError *err)
{
    File *file = context;
    (void)err;
    file->data = realloc(file->data, file->size + size);
    cr_assert_not_null(file->data);
    memcpy(file->data + file->size, data, size);
    file->size += size;
    return IMG_OK;
}

static File encode(const ImgImage *image, const ImgMetadata *metadata)
{
    File file = {NULL, 0};
    ImgOutput *output;
    const ImgPngEncodeOptions options = {.level = 1, .threads = 1};
    cr_assert_eq(img_output_open_function(append, &file, &output, NULL), IMG_OK);
    cr_assert_eq(img_png_encode(image, metadata, &options, output, NULL, NULL), IMG_OK);
    cr_assert_eq(img_output_commit(&output, NULL), IMG_OK);
    return file;
}

static const ImgLimits limits = {.max_pixels = 1 << 28, .max_memory = 1 << 30, .max_text = 1 << 20};

static File optimize(const File *from, const ImgOptimizeOptions *options, int threads,
                     bool must_change, ImgOptimizeReport *report)
{
    ImgError err = {IMG_OK, ""};
    ImgSource *source;
    ImgImage image = IMG_IMAGE_NONE;
    const ImgInputBytes bytes = {.memory = from->data, .size = from->size};
    File result = {NULL, 0};
    ImgOutput *output;
    cr_assert_eq(img_source_open_bytes(&bytes, false, &limits, &source, &err), IMG_OK);
    cr_assert_eq(img_source_load(source, &err), IMG_OK);
    cr_assert_eq(img_source_decode(source, NULL, &image, NULL, &err), IMG_OK);
    ImgMetadata metadata = img_source_take_metadata(source);
    const ImgOptimizeInput input = {.image = &image,
                                    .metadata = &metadata,
                                    .file = from->data,
                                    .size = from->size,
                                    .must_change = must_change};
    const ImgOptimizeResources resources = {.threads = threads};
    cr_assert_eq(img_output_open_function(append, &result, &output, &err), IMG_OK);
    cr_assert_eq(img_png_optimize(&input, options, &resources, output, report, &err), IMG_OK, "%s",
                 err.message);
    cr_assert_eq(img_output_commit(&output, &err), IMG_OK);
    cr_expect_eq(report->bytes_after, result.size);
    img_metadata_free(&metadata);
    img_image_free(&image);
    img_source_close(source);
    return result;
}

static void expect_stable(const File *file, const ImgOptimizeOptions *options, int threads)
{
    ImgOptimizeReport report;
    File again = optimize(file, options, threads, false, &report);
    cr_expect_eq(report.kept, IMG_KEPT_FILE);
    cr_assert_eq(again.size, file->size);
    cr_expect_eq(memcmp(again.data, file->data, file->size), 0);
    free(again.data);
}

/* Makes a picture in which neighbouring pixels are similar. `colours` limits the values of a
 * sample. */
static ImgImage make_image(ImgColor color, int bits, int32_t width, int32_t height, int colours)
{
    ImgImage image = IMG_IMAGE_NONE;
    const ImgShape shape = {width, height, {color, bits}};
    cr_assert_eq(img_image_alloc(shape, &image, NULL), IMG_OK);
    const size_t size = img_format_pixel_size(shape.format);
    for (int32_t y = 0; y < height; y++)
        for (size_t i = 0; i < (size_t)width * size; i++)
            image.view.data[(size_t)y * image.view.stride + i] =
                (uint8_t)(((int)(i / size) / 3 + y / 2 + (int)(i % size)) % colours * 251 /
                          colours);
    return image;
}

static void make_opaque(const ImgImage *image)
{
    const size_t size = img_format_pixel_size(image->view.format);
    for (int32_t y = 0; y < image->view.height; y++)
        for (int32_t x = 0; x < image->view.width; x++)
            image->view.data[(size_t)y * image->view.stride + (size_t)(x + 1) * size - 1] = 255;
}

static const ImgOptimizeOptions normal = {.effort = IMG_OPTIMIZE_DEFAULT};

Test(png_optimize, a_second_run_changes_nothing_and_threads_do_not_matter)
{
    static const struct {
        ImgColor color;
        int bits, colours;
    } cases[] = {{IMG_COLOR_RGBA, 8, 200}, {IMG_COLOR_RGB, 8, 5},  {IMG_COLOR_GRAY, 8, 200},
                 {IMG_COLOR_GRAY, 8, 2},   {IMG_COLOR_RGB, 16, 9}, {IMG_COLOR_GRAY_ALPHA, 8, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImgImage image = make_image(cases[i].color, cases[i].bits, 200, 220, cases[i].colours);
        ImgMetadata none = IMG_METADATA_NONE;
        ImgOptimizeReport report;
        File file = encode(&image, &none);
        for (int effort = IMG_OPTIMIZE_LEAST; effort <= IMG_OPTIMIZE_MOST; effort += 4) {
            const ImgOptimizeOptions options = {.effort = effort};
            File one = optimize(&file, &options, 1, false, &report);
            File three = optimize(&file, &options, 3, false, &report);
            cr_expect_leq(one.size, file.size);
            cr_assert_eq(one.size, three.size);
            cr_expect_eq(memcmp(one.data, three.data, one.size), 0);
            expect_stable(&one, &options, 2);
            free(one.data);
            free(three.data);
        }
        free(file.data);
        img_image_free(&image);
    }
}

Test(png_optimize, reductions_are_reported_and_chunks_converted)
{
    ImgImage image = make_image(IMG_COLOR_RGBA, 8, 60, 50, 251);
    ImgMetadata metadata = IMG_METADATA_NONE;
    ImgOptimizeReport report;
    char text[IMG_OPTIMIZE_TEXT];
    make_opaque(&image);
    const uint8_t bits[] = {5, 6, 5, 8};
    cr_assert_eq(img_metadata_add(&metadata, "sBIT", IMG_BEFORE_PLTE, bits, 4, NULL), IMG_OK);
    File file = encode(&image, &metadata);
    File result = optimize(&file, &normal, 1, false, &report);
    cr_expect_eq(report.before.color, IMG_COLOR_RGBA);
    cr_expect_neq(report.after.color, IMG_COLOR_RGBA);
    cr_expect_eq(report.kept, IMG_KEPT_NOTHING);
    cr_expect_lt(result.size, file.size);
    cr_expect_not_null(strstr(img_optimize_describe(&report, text), "opaque alpha dropped"));
    cr_expect_not_null(memmem(result.data, result.size, "\0\0\0\3sBIT\5\6\5", 11));
    free(result.data);
    const ImgOptimizeOptions keeps = {.effort = 1, .keeps_type = true};
    result = optimize(&file, &keeps, 1, false, &report);
    cr_expect_eq(report.after.color, IMG_COLOR_RGBA);
    free(result.data);
    const ImgOptimizeOptions alpha = {.effort = 1, .keeps_alpha = true};
    result = optimize(&file, &alpha, 1, false, &report);
    cr_expect(report.after.color == IMG_COLOR_RGBA ||
              memmem(result.data, result.size, "tRNS", 4) != NULL);
    free(result.data);
    free(file.data);
    img_metadata_free(&metadata);
    img_image_free(&image);
}

Test(png_optimize, gray_only_if_colours_need_not_stay)
{
    ImgImage image = make_image(IMG_COLOR_RGB, 8, 40, 40, 2);
    ImgMetadata none = IMG_METADATA_NONE;
    ImgOptimizeReport report;
    memset(image.view.data, 0, 40 * image.view.stride);
    memset(image.view.data, 255, 60);
    File file = encode(&image, &none);
    File result = optimize(&file, &normal, 1, false, &report);
    cr_expect_eq(report.after.color, IMG_COLOR_GRAY);
    cr_expect_eq(report.after.bits, 1);
    free(result.data);
    const ImgOptimizeOptions keeps = {.effort = 4, .keeps_colour = true};
    result = optimize(&file, &keeps, 1, false, &report);
    cr_expect_neq(report.after.color, IMG_COLOR_GRAY);
    expect_stable(&result, &keeps, 1);
    free(result.data);
    free(file.data);
    img_image_free(&image);
}

/* One pixel cannot become smaller in pixels; chunks of the encoder can. */
Test(png_optimize, one_pixel_stays_or_becomes_smaller)
{
    for (int color = IMG_COLOR_GRAY; color <= IMG_COLOR_RGBA; color++) {
        ImgImage image = make_image((ImgColor)color, 8, 1, 1, 200);
        ImgMetadata none = IMG_METADATA_NONE;
        ImgOptimizeReport report;
        File file = encode(&image, &none);
        File result = optimize(&file, &normal, 2, false, &report);
        cr_expect_leq(result.size, file.size);
        expect_stable(&result, &normal, 1);
        free(result.data);
        free(file.data);
        img_image_free(&image);
    }
}

/* A stale index goes, although the compressed pixels are those of an optimized file. */
Test(png_optimize, the_compressed_pixels_may_stay)
{
    ImgImage image = make_image(IMG_COLOR_RGB, 8, 50, 50, 200);
    ImgMetadata none = IMG_METADATA_NONE;
    ImgOptimizeReport report;
    File file = encode(&image, &none);
    File small = optimize(&file, &normal, 1, false, &report);
    /* "caBX" of no data, with its CRC, before IDAT (IHDR ends at byte 33) */
    static const uint8_t stale[12] = {0, 0, 0, 0, 'c', 'a', 'B', 'X', 0xE6, 0x3D, 0xD2, 0xA7};
    File signed_file = {malloc(small.size + sizeof stale), small.size + sizeof stale};
    memcpy(signed_file.data, small.data, 33);
    memcpy(signed_file.data + 33, stale, sizeof stale);
    memcpy(signed_file.data + 33 + sizeof stale, small.data + 33, small.size - 33);
    File result = optimize(&signed_file, &normal, 1, false, &report);
    cr_expect_eq(report.kept, IMG_KEPT_STREAM);
    cr_assert_eq(result.size, small.size);
    cr_expect_eq(memcmp(result.data, small.data, small.size), 0);
    free(result.data);
    result = optimize(&small, &normal, 1, true, &report);
    cr_expect_eq(report.kept, IMG_KEPT_STREAM, "the file must be written again");
    free(result.data);
    free(signed_file.data);
    free(small.data);
    free(file.data);
    img_image_free(&image);
}

static ImgStatus refuse(void *context, uint64_t done, uint64_t total, ImgError *err)
{
    (void)context;
    (void)done;
    (void)total;
    return img_fail(err, IMG_E_TEMPORARY, "stopped");
}

Test(png_optimize, work_can_be_cancelled)
{
    ImgImage image = make_image(IMG_COLOR_RGB, 8, 50, 50, 200);
    ImgMetadata none = IMG_METADATA_NONE;
    ImgOptimizeReport report;
    ImgError err = {IMG_OK, ""};
    ImgProgress progress = {.report = refuse};
    File file = encode(&image, &none), result = {NULL, 0};
    ImgOutput *output;
    const ImgOptimizeInput input = {
        .image = &image, .metadata = &none, .file = file.data, .size = file.size};
    const ImgOptimizeResources resources = {.threads = 1, .progress = &progress};
    cr_assert_eq(img_output_open_function(append, &result, &output, NULL), IMG_OK);
    cr_expect_eq(img_png_optimize(&input, &normal, &resources, output, &report, &err),
                 IMG_E_TEMPORARY);
    cr_expect_str_eq(err.message, "stopped");
    img_output_discard(&output);
    cr_expect_eq(result.size, 0);
    free(file.data);
    img_image_free(&image);
}
