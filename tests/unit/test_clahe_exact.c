/* Tests that the faster formulas of the implementation `cuda-fast` of clahe give the results of
 * clahe.h. */
#include <criterion/criterion.h>

#include "kernels/clahe/clahe_exact.h"

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
