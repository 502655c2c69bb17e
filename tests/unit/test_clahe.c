/* Tests of clahe: values worked out by hand, for every CPU implementation. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/clahe/clahe.h"
#include "kernels/clahe/clahe_exact.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"
#include "tests/unit/run_op.h"

static const ImgFormat GRAY8 = {IMG_COLOR_GRAY, 8}, GRAY16 = {IMG_COLOR_GRAY, 16},
                       GRAY2 = {IMG_COLOR_GRAY, 2}, GRAY_ALPHA8 = {IMG_COLOR_GRAY_ALPHA, 8},
                       RGB8 = {IMG_COLOR_RGB, 8}, RGBA8 = {IMG_COLOR_RGBA, 8};

enum { BYTES_MAX = 4096 };

static ImgParams params_of(const char *clip_limit, const char *tiles)
{
    ImgParams params;
    ImgError err = {IMG_OK, ""};
    img_params_init(&img_op_clahe, &params);
    img_params_set(&img_op_clahe, &params, "clip-limit", clip_limit, &err);
    img_params_set(&img_op_clahe, &params, "tiles", tiles, &err);
    cr_assert_eq(err.status, IMG_OK, "%s", err.message);
    return params;
}

/* Runs every CPU implementation on pixels without padding, and expects equal results. `out` gets
 * the result. */
static void run(const char *clip_limit, const char *tiles, ImgShape shape, const void *in,
                void *out)
{
    ImgParams params = params_of(clip_limit, tiles);
    ImgError err = {IMG_OK, ""};
    size_t row = (size_t)shape.width * img_format_pixel_size(shape.format);
    size_t size = row * (size_t)shape.height;
    cr_assert_leq(size, BYTES_MAX);
    for (const ImgImpl *impl = img_op_clahe.impls; impl->name != NULL; impl++) {
        uint8_t bytes[BYTES_MAX];
        if (impl->backend != IMG_BACKEND_CPU)
            continue;
        ImgCall call = {.op = &img_op_clahe,
                        .src = img_view_make((void *)in, row, shape),
                        .dst = img_view_make(bytes, row, shape),
                        .params = params.bytes,
                        .threads = 3};
        cr_assert_eq(impl->run(&call, &err), IMG_OK, "%s", err.message);
        if (impl == img_op_clahe.impls)
            memcpy(out, bytes, size);
        cr_expect_eq(memcmp(out, bytes, size), 0, "%s", impl->name);
    }
}

#define PIXELS(...)                                                                                \
    (uint8_t[])                                                                                    \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static void expect(const char *clip_limit, const char *tiles, ImgShape shape, const void *in,
                   const void *expected)
{
    uint8_t out[BYTES_MAX];
    run(clip_limit, tiles, shape, in, out);
    size_t size = (size_t)shape.width * (size_t)shape.height * img_format_pixel_size(shape.format);
    cr_expect_eq(memcmp(out, expected, size), 0, "%d %d %d %d ...", out[0], out[1], out[2], out[3]);
}

/* With one tile and no limit, v becomes round(count(samples <= v) * maximum / count(all
 * samples)). */
Test(clahe, one_tile_without_limit_matches)
{
    expect("0", "1", (ImgShape){4, 1, GRAY8}, PIXELS(10, 20, 30, 40), PIXELS(64, 128, 191, 255));
    expect("0", "1", (ImgShape){2, 2, GRAY8}, PIXELS(9, 9, 9, 5), PIXELS(255, 255, 255, 64));
    expect("0", "1", (ImgShape){3, 1, GRAY2}, PIXELS(1, 1, 3),
           PIXELS(170, 170, 255)); /* The result has 8 bits. */
    expect("0", "1", (ImgShape){1, 1, GRAY8}, PIXELS(7), PIXELS(255));
}

/* A ramp has one pixel in each bin, so no bin exceeds the limit. v becomes round((v + 1) * 255 /
 * 256). */
Test(clahe, a_ramp_changes_by_at_most_one)
{
    uint8_t ramp[256], expected[256];
    for (int i = 0; i < 256; i++) {
        ramp[i] = (uint8_t)i;
        expected[i] = (uint8_t)(((i + 1) * 255 + 128) / 256);
    }
    expect("1", "1", (ImgShape){16, 16, GRAY8}, ramp, expected);
    expect("0", "1", (ImgShape){16, 16, GRAY8}, ramp, expected);
}

/* The picture has 1024 pixels of value 100, an average of 4 counts per bin. With limit 2 the bin
 * keeps 8 counts, and 1016 counts are spread: 3 to each bin, and one more to 248 bins. Of these
 * 248, 101 * 248 / 256 = 97 are among the first 101 bins. So count(<= 100) is 8 + 101 * 3 + 97 =
 * 408, and 408 * 255 / 1024 = 101.6. */
Test(clahe, the_limit_cuts_and_spreads_counts)
{
    uint8_t in[1024], expected[1024];
    memset(in, 100, sizeof in);
    memset(expected, 102, sizeof expected);
    expect("2", "1", (ImgShape){32, 32, GRAY8}, in, expected);
}

/* With 4 pixels in 256 bins the limit is 1 count per bin. The two excess counts go to the bins 127
 * and 255. Up to value 50 the count is then 1, and up to value 200 it is 3. */
Test(clahe, remaining_counts_are_spread_in_even_steps)
{
    expect("1", "1", (ImgShape){4, 1, GRAY8}, PIXELS(50, 50, 200, 200), PIXELS(64, 64, 191, 191));
    const ImgClaheSpread spread = {1, 0, 3, 8};
    cr_expect_eq(img_clahe_spread_count(spread, 0, 5), 1);
    cr_expect_eq(img_clahe_spread_count(spread, 85, 0), 1);
    cr_expect_eq(img_clahe_spread_count(spread, 170, 0), 1);
    cr_expect_eq(img_clahe_spread_count(spread, 255, 0), 1);
    cr_expect_eq(img_clahe_spread_over(spread, 256), 3);
}

/* Excess counts must be spread evenly over dark and bright bins. A flat picture then keeps about
 * its brightness. */
Test(clahe, a_flat_picture_is_not_lightened)
{
    for (int side = 64; side <= 192; side += 4)
        for (int value = 20; value < 256; value += 90) {
            const ImgShape shape = {side, side, GRAY8};
            uint8_t *picture = malloc((size_t)side * (size_t)side);
            memset(picture, value, (size_t)side * (size_t)side);
            ImgShape result;
            uint8_t *got = run_op("clahe", "", shape, picture, &result);
            for (int i = 0; i < side * side; i++)
                cr_assert(got[i] >= value - 2 && got[i] <= value + 10, "%d of %d: %d", value, side,
                          got[i]);
            free(got);
            free(picture);
        }
}

/* There are two tiles of two pixels, with centres at 0.5 and 2.5. The left tile maps 0 to 128 and
 * 100 to 255. The right tile maps 0 to 0, 100 to 128 and 200 to 255. Between the centres the
 * weights are quarters. The results are 128 at x = 0, 3/4 * 255 + 1/4 * 128 = 223.25 at x = 1, 1/4
 * * 255 + 3/4 * 128 = 159.75 at x = 2, and 255 at x = 3. */
Test(clahe, values_between_two_tiles_match)
{
    expect("0", "2", (ImgShape){4, 1, GRAY8}, PIXELS(0, 100, 100, 200), PIXELS(128, 223, 160, 255));
    expect("0", "2", (ImgShape){1, 4, GRAY8}, PIXELS(0, 100, 100, 200), PIXELS(128, 223, 160, 255));
}

/* Each pixel is a tile of its own. A tile with a single value becomes white. */
Test(clahe, pictures_may_have_fewer_pixels_than_tiles)
{
    expect("0", "8", (ImgShape){3, 1, GRAY8}, PIXELS(10, 20, 30), PIXELS(255, 255, 255));
}

/* 7 pixels in 3 tiles have borders at round(7 / 3) = 2 and round(14 / 3) = 5. */
Test(clahe, borders_are_rounded)
{
    cr_expect_eq(img_clahe_border(0, 7, 3), 0);
    cr_expect_eq(img_clahe_border(1, 7, 3), 2);
    cr_expect_eq(img_clahe_border(2, 7, 3), 5);
    cr_expect_eq(img_clahe_border(3, 7, 3), 7);
}

/* 7 pixels in 3 tiles: the centres of the tiles are at 0.5, 3 and 5.5. */
Test(clahe, weights_follow_the_centres_of_tiles)
{
    static const ImgBetween expected[] = {{0, 0, 0},    {0, 1, 819},  {0, 1, 2458}, {1, 2, 0},
                                          {1, 2, 1638}, {1, 2, 3277}, {2, 2, 0}};
    for (int x = 0; x < 7; x++) {
        ImgBetween at = img_clahe_between(x, 7, 3, 12);
        cr_expect_eq(at.first, expected[x].first, "%d", x);
        cr_expect_eq(at.second, expected[x].second, "%d", x);
        cr_expect_eq(at.weight, expected[x].weight, "%d: %u", x, at.weight);
    }
}

Test(clahe, every_place_of_every_size_is_between_neighbours)
{
    for (int32_t size = 1; size < 100; size++) {
        for (int32_t tiles = 1; tiles <= size && tiles <= 32; tiles++) {
            for (int32_t at = 0; at < size; at++) {
                ImgBetween b = img_clahe_between(at, size, tiles, 12);
                cr_assert_geq(b.first, 0);
                cr_assert_lt(b.second, tiles);
                cr_assert_leq(b.second - b.first, 1);
                cr_assert_leq(b.weight, 4096);
                int64_t twice = 2 * at;
                if (b.first < b.second) {
                    cr_assert_geq(twice, img_clahe_centre(b.first, size, tiles));
                    cr_assert_leq(twice, img_clahe_centre(b.second, size, tiles));
                }
            }
        }
    }
}

/* With 16 bits each of the 256 bins has 256 values. 160 is value number 161 of its bin: 65535 * 161
 * / 256 = 41215.4. 255 is the last value of its bin. */
Test(clahe, sixteen_bits_are_linear_within_a_bin)
{
    uint16_t out[2];
    run("0", "1", (ImgShape){1, 1, GRAY16}, (uint16_t[]){160}, out);
    cr_expect_eq(out[0], 41215);
    run("0", "1", (ImgShape){1, 1, GRAY16}, (uint16_t[]){255}, out);
    cr_expect_eq(out[0], 65535);
    run("0", "1", (ImgShape){2, 1, GRAY16}, (uint16_t[]){255, 65535}, out);
    cr_expect_eq(out[0], 32768);
    cr_expect_eq(out[1], 65535);
}

/* The luma of (100, 0, 0) is 21 and becomes 128. The luma of (0, 100, 0) is 72 and becomes 255. All
 * three channels of a pixel change by the same amount as its luma. */
Test(clahe, colours_follow_luma)
{
    expect("0", "1", (ImgShape){2, 1, RGB8}, PIXELS(100, 0, 0, 0, 100, 0),
           PIXELS(207, 107, 107, 183, 255, 183));
    expect("0", "1", (ImgShape){2, 1, RGBA8}, PIXELS(100, 0, 0, 3, 0, 100, 0, 4),
           PIXELS(207, 107, 107, 3, 183, 255, 183, 4));
}

Test(clahe, transparent_pixels_do_not_count)
{
    expect("0", "1", (ImgShape){3, 1, GRAY_ALPHA8}, PIXELS(10, 1, 5, 0, 20, 255),
           PIXELS(128, 1, 0, 0, 255, 255));
    expect("2", "8", (ImgShape){3, 1, GRAY_ALPHA8}, PIXELS(10, 0, 5, 0, 20, 0),
           PIXELS(10, 0, 5, 0, 20, 0));
}

Test(clahe, unsupported_pictures_are_rejected)
{
    ImgShape dst;
    ImgError err = {IMG_OK, ""};
    ImgParams params = params_of("2", "1");
    ImgShape palette = {1, 1, {IMG_COLOR_PALETTE, 8}}, huge = {1 << 17, 1 << 16, GRAY8};
    cr_expect_eq(img_op_clahe.shape(palette, params.bytes, &dst, &err), IMG_E_UNSUPPORTED);
    err = (ImgError){IMG_OK, ""};
    cr_expect_eq(img_op_clahe.shape(huge, params.bytes, &dst, &err), IMG_E_UNSUPPORTED);
    cr_expect_not_null(strstr(err.message, "use more tiles"), "%s", err.message);
    params = params_of("2", "4");
    cr_expect_eq(img_op_clahe.shape(huge, params.bytes, &dst, NULL), IMG_OK);
}

/* --- The faster formulas of `cuda-fast`, which must give the results of clahe.h --------------- */

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

static void expect_weights(int32_t size, int32_t tiles, int32_t step, int32_t bits)
{
    int32_t borders[IMG_CLAHE_TILES_MAX + 1];
    for (int32_t i = 0; i <= tiles; i++)
        borders[i] = img_clahe_border(i, size, tiles);
    int32_t cell = 0;
    double slope = clahe_slope(borders, tiles, cell);
    for (int64_t at = 0; at < size; at += step) {
        while (cell < tiles && at >= clahe_middle(borders, cell))
            slope = clahe_slope(borders, tiles, ++cell);
        const ImgBetween between = img_clahe_between((int32_t)at, size, tiles, bits);
        cr_assert_eq(between.first, cell > 0 ? cell - 1 : 0);
        cr_assert_eq(between.second, cell < tiles ? cell : tiles - 1);
        cr_assert_eq(between.weight, clahe_weight(borders, cell, slope, (int32_t)at, bits),
                     "%d of %d in %d", (int)at, size, tiles);
    }
}

Test(clahe_exact, weights_of_every_place_match)
{
    for (int32_t tiles = 1; tiles <= IMG_CLAHE_TILES_MAX; tiles++) {
        for (int32_t size = tiles; size < 400; size += 1 + size / 50)
            expect_weights(size, tiles, 1, 12);
        expect_weights(4001, tiles, 1, 16);
    }
}

/* In the widest pictures the weights, in units of 2^-16, reach 2^16. */
Test(clahe_exact, weights_of_the_largest_pictures_match)
{
    for (int32_t tiles = 1; tiles <= IMG_CLAHE_TILES_MAX; tiles++) {
        expect_weights(INT32_MAX, tiles, 499979, 16);
        expect_weights(INT32_MAX, tiles, 499979, 12);
        expect_weights(3000017, tiles, 101, 16);
    }
}

static void expect_entries(int32_t bits, uint32_t total, uint32_t step)
{
    const ImgClahePlan plan = {.bits = bits, .bin_bits = 8, .fine_bits = bits - 8};
    const uint32_t middle = total / 2;
    const double maximum = (1 << bits) - 1, half = middle + 0.5, part = 1.0 / (double)total;
    for (uint64_t below = 0; below <= total; below += step)
        cr_assert_eq(clahe_entry((uint32_t)below, maximum, half, part),
                     img_clahe_entry(&plan, 7, (uint32_t)below, total), "%u of %u", (uint32_t)below,
                     total);
    cr_assert_eq(clahe_entry(total, maximum, half, part), img_clahe_entry(&plan, 7, total, total));
}

Test(clahe_exact, table_entries_match)
{
    for (uint32_t total = 1; total < 600; total++) {
        expect_entries(8, total, 1);
        expect_entries(16, total, 1);
    }
    for (uint32_t total = UINT32_MAX; total > 1000; total = total / 3 * 2 + total % 7) {
        expect_entries(8, total, total / 5000 + 1);
        expect_entries(16, total, total / 5000 + 1);
    }
}

/* Blends the values of four tiles with the fast formula, and expects the result of
 * img_clahe_blended. */
static void expect_blended(uint16_t (*tables)[256], int32_t bits, uint32_t value, uint32_t across,
                           uint32_t down)
{
    const ImgClahePlan plan = {.across = 2,
                               .bits = bits,
                               .bin_bits = 8,
                               .fine_bits = bits - 8,
                               .weight_bits = bits == 16 ? 16 : 12};
    const uint32_t expected = img_clahe_blended(&plan, tables[0], (ImgBetween){0, 1, across},
                                                (ImgBetween){0, 1, down}, value);
    uint32_t of_tile[4], entry = 0, got;
    for (int i = 0; i < 4; i++) {
        of_tile[i] = img_clahe_value(tables[i], value, plan.fine_bits);
        entry |= (of_tile[i] & 0xff) << 8 * i;
    }
    if (bits == 16)
        got = clahe_blended_16(of_tile, across, down);
    else
        got = clahe_blended_8(entry, (4096 - across) | across << 16, down) >> 24;
    cr_assert_eq(got, expected, "%u by %u, %u", value, across, down);
}

Test(clahe_exact, eight_bits_blended_with_all_weights_match)
{
    uint16_t tables[4][256];
    uint32_t state = 1;
    for (uint32_t value = 0; value < 256; value++)
        for (int i = 0; i < 4; i++)
            tables[i][value] =
                (uint16_t)(value < 16 ? (value >> i & 1) * 255 : next_random(&state) & 0xff);
    for (uint32_t across = 0; across <= 4096; across++)
        for (uint32_t down = across % 3; down <= 4096; down += 3)
            expect_blended(tables, 8, (across + 7 * down) % 256, across, down);
    for (uint32_t value = 0; value < 16; value++)
        for (uint32_t weight = 0; weight <= 4096; weight += 4096)
            expect_blended(tables, 8, value, weight, 4096 - weight);
}

Test(clahe_exact, sixteen_bits_blended_match)
{
    static const uint32_t weights[] = {0, 1, 32767, 32768, 65535, 65536};
    uint16_t tables[4][256];
    uint32_t state = 2;
    for (int i = 0; i < 4; i++)
        for (uint32_t bin = 0; bin < 256; bin++)
            tables[i][bin] = (uint16_t)(bin < 64 ? (bin >> i & 1) * 65535 : next_random(&state));
    for (uint32_t value = 0; value < 65536; value += 5)
        for (int i = 0; i < 36; i++)
            expect_blended(tables, 16, value, weights[i / 6], weights[i % 6]);
    for (uint32_t i = 0; i < 1000000; i++)
        expect_blended(tables, 16, next_random(&state) & 0xffff, next_random(&state) % 65537,
                       next_random(&state) % 65537);
}
