/* Tests of quantize and of its measurement, palette: palettes worked out by hand, identities, and
 * equal results of all implementations and numbers of threads. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/quantize/quantize.h"
#include "run_op.h"

#define OPAQUE(red, green, blue)                                                                   \
    ((uint32_t)(red) | (uint32_t)(green) << 8 | (uint32_t)(blue) << 16 | UINT32_C(0xff000000))

/* Result of a run: entries, and the index of each pixel. */
typedef struct Quantized {
    ImgQuantizeParams own;
    ImgShape shape;
    uint8_t *indices;
} Quantized;

static ImgView view_of(ImgShape shape, const void *samples)
{
    return img_view_make((uint8_t *)samples,
                         (size_t)shape.width * img_format_pixel_size(shape.format), shape);
}

static const int thread_counts[] = {1, 2, 5};

/* Runs all implementations of `op` with several numbers of threads, and expects equal results. */
static void *run_all(const ImgOp *op, const ImgView *src, const void *params, ImgShape shape)
{
    const size_t stride = (size_t)shape.width * img_format_pixel_size(shape.format);
    const size_t bytes = stride * (size_t)shape.height;
    uint8_t *expected = NULL;
    ImgCall call = {.op = op, .src = *src, .params = params};
    cr_assert_eq(img_op_prepare(op, img_view_shape(src), params, &call.constants, NULL), IMG_OK);
    for (const ImgImpl *impl = op->impls; impl->name != NULL; impl++)
        for (size_t i = 0; i < sizeof thread_counts / sizeof *thread_counts; i++) {
            if (impl->backend != IMG_BACKEND_CPU || (i > 0 && impl == op->impls))
                continue;
            uint8_t *got = calloc(1, bytes);
            call.threads = thread_counts[i];
            call.dst = img_view_make(got, stride, shape);
            cr_assert_eq(impl->run(&call, NULL), IMG_OK);
            if (expected == NULL) {
                expected = got;
                continue;
            }
            cr_expect_eq(memcmp(expected, got, bytes), 0, "%s %s, %d threads", op->name, impl->name,
                         call.threads);
            free(got);
        }
    img_constants_free(&call.constants);
    return expected;
}

static void measure(ImgStep *step, const ImgView *src)
{
    const ImgShape shape = img_view_shape(src);
    const ImgOp *by = step->op->measured.by;
    ImgShape row;
    cr_assert_eq(by->shape(shape, step->params.bytes, &row, NULL), IMG_OK);
    uint64_t *table = run_all(by, src, step->params.bytes, row);
    const ImgView measured = img_view_make(table, IMG_PALETTE_COLUMNS * sizeof *table, row);
    step->op->measured.take(step->params.bytes, shape, &measured);
    free(table);
}

static Quantized finish(const ImgStep *step, const ImgView *src)
{
    Quantized result;
    ImgError err = {IMG_OK, ""};
    memcpy(&result.own, step->params.bytes, sizeof result.own);
    cr_assert_eq(step->op->shape(img_view_shape(src), step->params.bytes, &result.shape, &err),
                 IMG_OK, "%s", err.message);
    result.indices = run_all(step->op, src, step->params.bytes, result.shape);
    return result;
}

static Quantized quantize(const char *options, ImgShape shape, const void *samples)
{
    const ImgView src = view_of(shape, samples);
    ImgStep step = step_of("quantize", options);
    measure(&step, &src);
    return finish(&step, &src);
}

/* Runs quantize with a given palette instead of a measurement. */
static Quantized map(const char *options, ImgShape shape, const void *samples,
                     const uint32_t *entries, int32_t count)
{
    const ImgView src = view_of(shape, samples);
    ImgStep step = step_of("quantize", options);
    ImgQuantizeParams *own = (ImgQuantizeParams *)(void *)step.params.bytes;
    own->count = count;
    memcpy(own->entries, entries, (size_t)count * sizeof *entries);
    return finish(&step, &src);
}

static void expect_entries(const Quantized *result, const uint32_t *entries, int32_t count)
{
    cr_assert_eq(result->own.count, count, "%d entries", result->own.count);
    for (int32_t i = 0; i < count; i++)
        cr_expect_eq(result->own.entries[i], entries[i], "entry %d: %08x", i,
                     result->own.entries[i]);
}

static void expect_indices(const Quantized *result, const char *digits)
{
    for (size_t i = 0; digits[i] != '\0'; i++)
        cr_expect_eq(result->indices[i], digits[i] - '0', "pixel %zu: %d", i, result->indices[i]);
}

static uint32_t *random_pixels(size_t count, uint32_t colors, bool opaque)
{
    uint32_t *pixels = malloc(count * sizeof *pixels);
    uint32_t noise = 7;
    for (size_t i = 0; i < count; i++) {
        noise = noise * 1664525U + 1013904223U;
        const uint32_t number = noise >> 8;
        const uint32_t color = (number % colors) * UINT32_C(0x9e3779b1);
        pixels[i] = opaque ? color | UINT32_C(0xff000000) : color;
    }
    return pixels;
}

static const ImgFormat rgba = {IMG_COLOR_RGBA, 8}, rgb = {IMG_COLOR_RGB, 8},
                       gray = {IMG_COLOR_GRAY, 8};

/* --- Exact palettes --------------------------------------------------------------------------- */

/* Expects that the entries of all pixels are their colours; all fully transparent ones are equal.
 */
static void expect_exact(const Quantized *result, const uint32_t *pixels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t wanted = pixels[i] >> 24 == 0 ? 0 : pixels[i];
        cr_assert_eq(result->own.entries[result->indices[i]], wanted, "pixel %zu", i);
    }
}

Test(quantize, few_colours_stay_exactly)
{
    static const char *const options[] = {"dither=none", "dither=ordered",
                                          "dither=floyd-steinberg"};
    const ImgShape shape = {61, 53, rgba};
    uint32_t *pixels = random_pixels(61 * 53, 250, true);
    for (size_t i = 0; i < 3; i++) {
        Quantized result = quantize(options[i], shape, pixels);
        cr_expect_eq(result.own.count, 250);
        cr_expect_eq(result.shape.format.bits, 8);
        expect_exact(&result, pixels, 61 * 53);
        free(result.indices);
    }
    free(pixels);
}

Test(quantize, a_fade_of_alpha_stays_exactly)
{
    uint32_t pixels[16];
    for (uint32_t i = 0; i < 16; i++)
        pixels[i] = 200 | 10 << 8 | 30 << 16 | (i * 17) << 24;
    Quantized result = quantize("colors=16", (ImgShape){4, 4, rgba}, pixels);
    expect_exact(&result, pixels, 16);
    cr_expect_eq(result.shape.format.bits, 4);
    cr_expect_eq(result.own.entries[15], pixels[15], "opaque entries are last");
    free(result.indices);
}

Test(quantize, transparent_pixels_share_one_entry)
{
    const uint32_t pixels[6] = {0x00123456, 0, 0x00ffffff, 0x00000001, 0, 0x00808080};
    Quantized result = quantize("colors=2", (ImgShape){3, 2, rgba}, pixels);
    expect_entries(&result, (const uint32_t[]){0}, 1);
    expect_indices(&result, "000000");
    cr_expect_eq(result.shape.format.bits, 1);
    free(result.indices);
}

Test(quantize, one_pixel)
{
    const uint8_t pixel[3] = {1, 2, 3};
    Quantized result = quantize("colors=2", (ImgShape){1, 1, rgb}, pixel);
    expect_entries(&result, (const uint32_t[]){OPAQUE(1, 2, 3)}, 1);
    expect_indices(&result, "0");
    free(result.indices);
}

Test(quantize, samples_of_few_bits_are_scaled)
{
    const uint8_t four[4] = {0, 5, 10, 15}, two[4] = {3, 1, 0, 2};
    Quantized result = quantize("", (ImgShape){4, 1, {IMG_COLOR_GRAY, 4}}, four);
    expect_entries(&result,
                   (const uint32_t[]){OPAQUE(0, 0, 0), OPAQUE(85, 85, 85), OPAQUE(170, 170, 170),
                                      OPAQUE(255, 255, 255)},
                   4);
    expect_indices(&result, "0123");
    free(result.indices);
    result = quantize("", (ImgShape){2, 2, {IMG_COLOR_GRAY, 2}}, two);
    expect_indices(&result, "3102");
    cr_expect_eq(result.shape.format.bits, 2);
    free(result.indices);
}

Test(quantize, samples_of_16_bits_are_rounded)
{
    /* 128 / 257 is below 0.5, 129 / 257 above it; 65407 / 257 is 254.5 and more. */
    const uint16_t samples[6] = {128, 129, 256, 0, 65407, 65535};
    Quantized result = quantize("", (ImgShape){2, 1, {IMG_COLOR_RGB, 16}}, samples);
    expect_entries(&result, (const uint32_t[]){OPAQUE(0, 1, 1), OPAQUE(0, 255, 255)}, 2);
    free(result.indices);
}

/* --- Reduced palettes ------------------------------------------------------------------------- */

Test(quantize, two_colours_are_the_means_of_two_groups)
{
    /* The mean of 0, 0, 0 and 30 is 7.5, which rounds to 8. */
    const uint8_t samples[8] = {0, 30, 255, 0, 255, 255, 0, 255};
    Quantized result = quantize("colors=2 dither=none", (ImgShape){8, 1, gray}, samples);
    expect_entries(&result, (const uint32_t[]){OPAQUE(8, 8, 8), OPAQUE(255, 255, 255)}, 2);
    expect_indices(&result, "00101101");
    cr_expect_eq(result.shape.format.bits, 1);
    free(result.indices);
}

Test(quantize, a_mean_weighs_colours_by_alpha)
{
    /* Red of alpha 255 and blue of alpha 51: the mean alpha is 153, and red has 5 of 6 parts. */
    const uint32_t pixels[3] = {OPAQUE(255, 0, 0), UINT32_C(0x33ff0000), 0};
    Quantized result = quantize("colors=2 dither=none", (ImgShape){3, 1, rgba}, pixels);
    expect_entries(&result, (const uint32_t[]){0, UINT32_C(153) << 24 | 43 << 16 | 213}, 2);
    expect_indices(&result, "100"); /* faint blue is nearer to no colour */
    free(result.indices);
}

Test(quantize, gray_pictures_get_gray_entries)
{
    ImgShape shape = {64, 16, gray};
    uint8_t samples[64 * 16];
    for (int i = 0; i < 64 * 16; i++)
        samples[i] = (uint8_t)(i / 4);
    Quantized result = quantize("colors=7", shape, samples);
    cr_expect_eq(result.own.count, 7);
    cr_expect_eq(result.shape.format.bits, 4);
    for (int32_t i = 0; i < result.own.count; i++) {
        const uint32_t level = result.own.entries[i] & 255;
        cr_expect_eq(result.own.entries[i], OPAQUE(level, level, level));
    }
    free(result.indices);
}

/* The colours 0 to 255 in two groups have a variance of (128^2 - 1) / 12 each, which is a quality
 * of 0. In 64 groups of 4, the variance is 1.25, a quality of 99. */
Test(quantize, a_quality_needs_few_colours_or_fails)
{
    ImgShape dst, shape = {16, 16, gray};
    uint8_t samples[256];
    for (int i = 0; i < 256; i++)
        samples[i] = (uint8_t)i;
    const ImgView src = view_of(shape, samples);
    Quantized result = quantize("quality=99 dither=none", shape, samples);
    cr_expect_eq(result.own.reached, 99);
    cr_expect(result.own.count <= 70, "%d", result.own.count);
    free(result.indices);
    result = quantize("quality=100 dither=none", shape, samples);
    cr_expect_eq(result.own.reached, 100);
    cr_expect_eq(result.own.count, 256, "%d", result.own.count);
    free(result.indices);
    ImgStep step = step_of("quantize", "colors=2 quality=20-60");
    measure(&step, &src);
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(step.op->shape(shape, step.params.bytes, &dst, &err), IMG_E_UNSUPPORTED);
    cr_expect_str_eq(err.message, "quantize: 2 colours reach a quality of 0, and at least 20 is "
                                  "requested");
}

Test(quantize, bits_limit_the_colours)
{
    const ImgShape shape = {40, 30, rgba};
    uint32_t *pixels = random_pixels(1200, 1000, true);
    Quantized result = quantize("bits=2", shape, pixels);
    cr_expect_eq(result.own.count, 4);
    cr_expect_eq(result.shape.format.bits, 2);
    free(result.indices);
    result = quantize("colors=3 bits=8", shape, pixels);
    cr_expect_eq(result.own.count, 3);
    cr_expect_eq(result.shape.format.bits, 8);
    free(result.indices);
    free(pixels);
}

Test(quantize, the_result_may_consist_of_colours)
{
    const uint32_t pixels[4] = {OPAQUE(1, 2, 3), OPAQUE(1, 2, 3), 0x80ff0000, 0};
    const uint8_t wanted[16] = {1, 2, 3, 255, 1, 2, 3, 255, 0, 0, 255, 128, 0, 0, 0, 0};
    const ImgView src = view_of((ImgShape){2, 2, rgba}, pixels);
    ImgStep step = step_of("quantize", "");
    step.op->palette.choose(step.params.bytes, true);
    measure(&step, &src);
    Quantized result = finish(&step, &src);
    cr_expect(img_format_equals(result.shape.format, rgba));
    cr_expect_eq(memcmp(result.indices, wanted, sizeof wanted), 0);
    free(result.indices);
}

/* --- Palettes from files ---------------------------------------------------------------------- */

static ImgPicture *picture_of(ImgShape shape, const uint32_t *pixels)
{
    const size_t count = (size_t)shape.width * (size_t)shape.height;
    ImgPicture *picture = malloc(sizeof *picture + count * sizeof *pixels);
    picture->shape = shape;
    memcpy(picture->pixels, pixels, count * sizeof *pixels);
    return picture;
}

Test(quantize, colours_of_a_file_are_the_palette)
{
    const uint32_t colors[5] = {OPAQUE(255, 255, 255), OPAQUE(0, 0, 0), OPAQUE(0, 0, 0), 0x00123456,
                                0};
    const uint8_t samples[4] = {10, 250, 90, 160};
    const ImgShape shape = {4, 1, gray};
    const ImgView src = view_of(shape, samples);
    ImgStep step = step_of("quantize", "palette=p.png dither=none");
    ImgPicture *picture = picture_of((ImgShape){5, 1, rgba}, colors);
    img_params_set_content(img_param_find(step.op, "palette"), &step.params, picture);
    measure(&step, &src);
    Quantized result = finish(&step, &src);
    expect_entries(&result, (const uint32_t[]){OPAQUE(255, 255, 255), OPAQUE(0, 0, 0), 0}, 3);
    expect_indices(&result, "1010");
    free(result.indices);
    free(picture);
}

Test(quantize, a_file_may_have_too_many_colours)
{
    ImgShape dst;
    ImgError err = {IMG_OK, ""};
    const uint8_t sample = 0;
    const ImgView src = view_of((ImgShape){1, 1, gray}, &sample);
    uint32_t *pixels = random_pixels(5000, 300, true);
    ImgPicture *picture = picture_of((ImgShape){50, 100, rgba}, pixels);
    ImgStep step = step_of("quantize", "palette=p.png");
    img_params_set_content(img_param_find(step.op, "palette"), &step.params, picture);
    measure(&step, &src);
    cr_expect_eq(step.op->shape(img_view_shape(&src), step.params.bytes, &dst, &err),
                 IMG_E_UNSUPPORTED);
    cr_expect_not_null(strstr(err.message, "p.png has more than 256 colours"), "%s", err.message);
    free(picture);
    free(pixels);
}

Test(quantize, contradictions_are_errors_of_usage)
{
    const ImgStep both = step_of("quantize", "palette=p.png quality=50");
    cr_expect_eq(img_op_check_params(both.op, both.params.bytes, NULL), IMG_E_USAGE);
}

/* --- Dithering -------------------------------------------------------------------------------- */

/* Gray 128 has the coordinate 4, black -1020 and white 1020. White is nearer, and the error of
 * -1016 is clamped to -360. The next pixel gets (7 * -360 * 14 + 128) / 256, rounded down: -138. So
 * it is black, and the errors alternate. */
Test(quantize, floyd_steinberg_passes_errors_to_the_right)
{
    const uint32_t entries[2] = {OPAQUE(0, 0, 0), OPAQUE(255, 255, 255)};
    const uint8_t samples[8] = {128, 128, 128, 128, 128, 128, 128, 128};
    Quantized result = map("", (ImgShape){8, 1, gray}, samples, entries, 2);
    expect_indices(&result, "10101010");
    free(result.indices);
    result = map("dither=none", (ImgShape){8, 1, gray}, samples, entries, 2);
    expect_indices(&result, "11111111");
    free(result.indices);
}

/* In a column, a pixel gets 5 / 16 of the error above: -360 * 5 * 14 / 256 is more than the 4 units
 * by which white is nearer, so the next pixel is black. */
Test(quantize, floyd_steinberg_passes_errors_down)
{
    const uint32_t entries[2] = {OPAQUE(0, 0, 0), OPAQUE(255, 255, 255)};
    const uint8_t samples[4] = {128, 128, 128, 128};
    Quantized result = map("", (ImgShape){1, 4, gray}, samples, entries, 2);
    expect_indices(&result, "1010");
    free(result.indices);
}

Test(quantize, transparent_pixels_take_no_errors)
{
    const uint32_t entries[3] = {0, OPAQUE(0, 0, 0), OPAQUE(255, 255, 255)};
    uint32_t pixels[9] = {OPAQUE(128, 128, 128), 0, 0, 0, 0, 0, 0, 0, 0};
    Quantized result = map("", (ImgShape){3, 3, rgba}, pixels, entries, 3);
    expect_indices(&result, "200000000");
    free(result.indices);
}

Test(quantize, strength_falls_where_neighbours_differ)
{
    cr_expect_eq(img_dither_strength(0, 255), 14);
    cr_expect_eq(img_dither_strength(2, 1), 14);
    cr_expect_eq(img_dither_strength(3, 255), 13);
    cr_expect_eq(img_dither_strength(8, 255), 8);
    cr_expect_eq(img_dither_strength(255, 255), 8);
    cr_expect_eq(img_dither_strength(0, 0), 0);
}

Test(quantize, thresholds_are_bayers_matrix)
{
    static const int first[4][4] = {
        {0, 32, 8, 40}, {48, 16, 56, 24}, {12, 44, 4, 36}, {60, 28, 52, 20}};
    bool seen[64] = {false};
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            const int32_t value = img_dither_threshold(x, y);
            cr_assert(value >= 0 && value < 64 && !seen[value], "%d", value);
            seen[value] = true;
            cr_expect_eq(img_dither_threshold(x + 8, y + 16), value);
            if (x < 4 && y < 4)
                cr_expect_eq(value, first[y][x], "%d,%d: %d", x, y, value);
        }
}

/* The largest errors and offsets, at the most distant colours. */
Test(quantize, distances_fit_24_bits)
{
    const int32_t share =
        img_dither_share(-IMG_ERROR_MOST, -IMG_ERROR_MOST, -IMG_ERROR_MOST, -IMG_ERROR_MOST, 14);
    int16_t black[4], white[4];
    img_color_point(OPAQUE(0, 0, 0), black);
    img_color_point(OPAQUE(255, 255, 255), white);
    for (int c = 0; c < 4; c++)
        black[c] = (int16_t)(black[c] + share);
    cr_expect_lt(img_color_distance(black, white), 1U << 24);
    img_color_point(OPAQUE(0, 0, 0), black);
    for (int c = 0; c < 3; c++)
        black[c] = (int16_t)(black[c] + img_dither_offset(0, IMG_OFFSET_MOST, 255));
    cr_expect_lt(img_color_distance(black, white), 1U << 24);
}

/* The entries are 256 units apart in each channel, so at a distance of 443, and the largest offset
 * is 443 * 74 / 256 = 128. In the first row the offsets are -126, 2, -94, 34, -118, 10, -86 and 42.
 * Gray 16 is in the middle, so it gets the sign of the offset. Gray 20 is 32 units above the
 * middle, and gray 12 as much below. */
Test(quantize, ordered_dithering_moves_half_of_the_way)
{
    const uint32_t entries[2] = {OPAQUE(0, 0, 0), OPAQUE(32, 32, 32)};
    const uint8_t samples[3][8] = {{16, 16, 16, 16, 16, 16, 16, 16},
                                   {20, 20, 20, 20, 20, 20, 20, 20},
                                   {12, 12, 12, 12, 12, 12, 12, 12}};
    static const char *const wanted[] = {"01010101", "01010101", "00010001"};
    for (size_t i = 0; i < 3; i++) {
        Quantized result = map("dither=ordered", (ImgShape){8, 1, gray}, samples[i], entries, 2);
        expect_indices(&result, wanted[i]);
        free(result.indices);
    }
}

/* --- Equal results ---------------------------------------------------------------------------- */

Test(quantize, implementations_and_threads_agree)
{
    static const char *const options[] = {"colors=256", "colors=16 dither=ordered",
                                          "colors=40 dither=none", "colors=2",
                                          "colors=255 dither=ordered"};
    static const ImgShape shapes[] = {{7, 300, {IMG_COLOR_RGBA, 8}},
                                      {4099, 9, {IMG_COLOR_RGB, 8}},
                                      {130, 127, {IMG_COLOR_GRAY_ALPHA, 8}},
                                      {90, 61, {IMG_COLOR_RGBA, 16}},
                                      {2051, 8, {IMG_COLOR_RGBA, 8}}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        void *samples = random_picture(shapes[s], (uint32_t)s);
        Quantized result = quantize(options[s], shapes[s], samples);
        cr_expect(result.own.count >= 2);
        free(result.indices);
        free(samples);
    }
}

/* More colours than cells, and so many pixels that threads share them. */
Test(quantize, cells_do_not_depend_on_threads)
{
    const ImgShape shape = {1024, 640, rgba};
    uint32_t *pixels = random_pixels(1024 * 640, 200000, false);
    Quantized result = quantize("colors=8 dither=none", shape, pixels);
    cr_expect_eq(result.own.count, 8);
    free(result.indices);
    free(pixels);
}

Test(quantize, merged_cells_equal_cells_of_all_pixels)
{
    enum { COUNT = 300000, PART = 100000 };
    uint32_t *pixels = random_pixels(COUNT, 150000, false);
    ImgCells all, parts[3];
    cr_assert(img_cells_alloc(COUNT, &all));
    img_cells_add(&all, pixels, COUNT);
    for (int i = 0; i < 3; i++) {
        cr_assert(img_cells_alloc(COUNT, &parts[i]));
        img_cells_add(&parts[i], pixels + i * PART, PART);
    }
    img_cells_merge(&parts[2], &parts[0]);
    img_cells_merge(&parts[2], &parts[1]);
    cr_expect_gt(all.level, 0);
    cr_expect_eq(parts[2].level, all.level);
    cr_expect_eq(parts[2].count, all.count);
    cr_expect_eq(parts[2].clear, all.clear);
    int64_t pixels_in_cells = (int64_t)all.clear;
    for (uint32_t i = 0; i < all.count; i++)
        pixels_in_cells += all.cells[i].sums.count;
    cr_expect_eq(pixels_in_cells, COUNT);
    img_cells_free(&all);
    for (int i = 0; i < 3; i++)
        img_cells_free(&parts[i]);
    free(pixels);
}
