/* Tests of the row filters of PNG: the references compared with values worked out by hand, and the
 * fast filters compared with the references. test_png_unfilter.c tests the inverse. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/filter/filter.h"
#include "tests/checkcodec/filter_versions.h"

/* Two rows of two pixels of two bytes each. ROW lies below ABOVE. */
static const uint8_t ABOVE[4] = {10, 200, 40, 100};
static const uint8_t ROW[4] = {13, 100, 30, 255};

/* The filter type and the filtered bytes of ROW below ABOVE, worked out by hand for each filter. */
static const uint8_t BELOW[IMG_FILTERS][5] = {
    {0, 13, 100, 30, 255}, {1, 13, 100, 17, 155}, /* Sub: 30 - 13, 255 - 100 */
    {2, 3, 156, 246, 155}, /* Up: 13 - 10, 100 - 200 + 256, 30 - 40 + 256, 255 - 100 */
    {3, 8, 0, 4, 155},     /* Average: 13 - 5, 100 - 100, 30 - (13 + 40) / 2, 255 - 100 */
    {4, 3, 156, 246, 155}, /* Paeth: see paeth_takes_the_nearest */
};

/* The filter type and the filtered bytes of ROW for each filter, if ROW is the first row. */
static const uint8_t FIRST[IMG_FILTERS][5] = {
    {0, 13, 100, 30, 255}, {1, 13, 100, 17, 155},
    {2, 13, 100, 30, 255}, {3, 13, 100, 24, 205}, /* Average: 30 - 13 / 2, 255 - 100 / 2 */
    {4, 13, 100, 17, 155},                        /* Paeth predicts the byte on the left. */
};

Test(png_filter, references_match_values_worked_out_by_hand)
{
    for (ImgFilter filter = IMG_FILTER_NONE; filter < IMG_FILTERS; filter++) {
        uint8_t filtered[5], back[4];
        img_png_filter_row_reference(filter, 2, 4, ROW, ABOVE, filtered);
        cr_expect_arr_eq(filtered, BELOW[filter], 5, "filter %d", filter);
        ImgUnfilter unfilter = {2, 4, filtered, back, 4, ABOVE, 1};
        cr_expect(img_png_unfilter_reference(&unfilter, 0, 4));
        cr_expect_arr_eq(back, ROW, 4, "filter %d", filter);

        img_png_filter_row_reference(filter, 2, 4, ROW, NULL, filtered);
        cr_expect_arr_eq(filtered, FIRST[filter], 5, "filter %d without a row above", filter);
        unfilter.above = NULL;
        cr_expect(img_png_unfilter_reference(&unfilter, 0, 4));
        cr_expect_arr_eq(back, ROW, 4, "filter %d without a row above", filter);
    }
}

/* The predictor of Paeth is left, above or corner, whichever is nearest to the estimate left +
 * above - corner. If two are equally near, the one that is named first here is taken. */
Test(png_filter, paeth_takes_the_nearest)
{
    static const struct {
        uint8_t left, above, corner, guess;
    } CASES[] = {
        {13, 40, 10, 40},     /* The estimate 43 is nearest to 40, which is above. */
        {40, 13, 10, 40},     /* The estimate 43 is nearest to 40, which is on the left. */
        {100, 100, 200, 100}, /* The estimate is 0; left and above are both 100 away. */
        {10, 20, 15, 15},     /* The estimate 15 is the corner itself. */
        {10, 30, 10, 30},     /* The estimate 30 equals the byte above. */
        {20, 12, 16, 16},     /* The estimate 16 is the corner itself. */
        {4, 8, 5, 8},         /* The estimate is 7; above is 1 away, the corner 2, left 3. */
        {9, 6, 7, 9},         /* The estimate is 8; left and corner are both 1 away. */
        {6, 9, 7, 9},         /* The estimate is 8; above and corner are both 1 away. */
        {255, 255, 0, 255},   /* The estimate 510 is far outside the range of bytes. */
        {0, 0, 255, 0},       /* The estimate -255 is far outside the range of bytes. */
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        uint8_t above[2] = {CASES[i].corner, CASES[i].above}, row[2] = {CASES[i].left, 77};
        uint8_t filtered[3];
        img_png_filter_row_reference(IMG_FILTER_PAETH, 1, 2, row, above, filtered);
        cr_expect_eq(filtered[2], (uint8_t)(77 - CASES[i].guess), "case %zu", i);
    }
}

/* The sums of absolute values for ROW below ABOVE are 13 + 100 + 30 + 1 = 144 for None, 13 + 100 +
 * 17 + 101 = 231 for Sub, 3 + 100 + 10 + 101 = 214 for Up and Paeth, and 8 + 0 + 4 + 101 = 113 for
 * Average. */
Test(png_filter, the_reference_chooses_the_smallest_sum)
{
    static const struct {
        unsigned allowed;
        ImgFilter best;
    } CASES[] = {
        {0x1F, IMG_FILTER_AVERAGE}, {0x17, IMG_FILTER_NONE}, {0x16, IMG_FILTER_UP},
        {0x12, IMG_FILTER_PAETH},   {0x02, IMG_FILTER_SUB},  {0x10, IMG_FILTER_PAETH},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        uint8_t filtered[5];
        ImgFilter best =
            img_png_filter_best_reference(CASES[i].allowed, 2, 4, ROW, ABOVE, filtered);
        cr_expect_eq(best, CASES[i].best, "case %zu", i);
        cr_expect_arr_eq(filtered, BELOW[CASES[i].best], 5, "case %zu", i);
    }
}

static const size_t PIXELS[] = {1, 2, 3, 4, 6, 8};

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525U + 1013904223U;
    return *state >> 16;
}

/* Returns memory for `bytes` bytes that end where their allocation *block ends. They start `skew`
 * bytes after its start, so that they can be misaligned. The caller frees *block. */
static uint8_t *exact(size_t bytes, size_t skew, uint8_t **block)
{
    *block = malloc(bytes + skew);
    cr_assert_not_null(*block);
    return *block + skew;
}

/* Fills bytes with noise (`kind` 0), a slope with some noise (1) or a constant (2), so that
 * different filters win. */
static void fill(uint8_t *bytes, size_t count, int kind, unsigned *state)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = kind == 0   ? (uint8_t)next_random(state)
                   : kind == 1 ? (uint8_t)(3 * i + next_random(state) % 4)
                               : 200;
}

/* Filters `row` below `above` with every version of the loops, and compares the results with the
 * reference. */
static void expect_same(size_t pixel, size_t bytes, const uint8_t *row, const uint8_t *above,
                        size_t skew)
{
    const ImgFilterLoops *loops[FILTER_VERSIONS_MOST];
    const int count = filter_versions(loops);
    uint8_t *expected_block, *block;
    uint8_t *expected = exact(bytes + 1, 0, &expected_block);
    uint8_t *filtered = exact(bytes + 1, skew, &block);
    for (ImgFilter filter = IMG_FILTER_NONE; filter < IMG_FILTERS; filter++) {
        img_png_filter_row_reference(filter, pixel, bytes, row, above, expected);
        img_png_filter_row(filter, pixel, bytes, row, above, filtered);
        cr_assert_arr_eq(filtered, expected, bytes + 1, "filter %d, pixel %zu, %zu bytes", filter,
                         pixel, bytes);
        for (int i = 0; i < count && bytes >= IMG_FILTER_LEAST_BYTES; i++) {
            memset(filtered, 99, bytes + 1);
            loops[i]->filter_row(filter, pixel, bytes, row, above, filtered);
            cr_assert_arr_eq(filtered, expected, bytes + 1, "level %d, filter %d, %zu bytes", i,
                             filter, bytes);
        }
    }
    for (unsigned allowed = 1; allowed < 1U << IMG_FILTERS; allowed++) {
        ImgFilter best = img_png_filter_best_reference(allowed, pixel, bytes, row, above, expected);
        cr_assert_eq(img_png_filter_best(allowed, pixel, bytes, row, above, filtered), best,
                     "allowed %u, pixel %zu, %zu bytes", allowed, pixel, bytes);
        cr_assert_arr_eq(filtered, expected, bytes + 1, "allowed %u", allowed);
    }
    free(expected_block);
    free(block);
}

Test(png_filter, filters_match_the_reference_for_every_size)
{
    static const size_t WIDTHS[] = {1, 2, 3, 5, 9, 12, 18, 21, 24, 25, 36, 43, 64, 72, 73, 145};
    unsigned state = 1;
    for (size_t p = 0; p < 6; p++)
        for (size_t w = 0; w < sizeof WIDTHS / sizeof WIDTHS[0]; w++)
            for (int kind = 0; kind < 3; kind++) {
                size_t bytes = WIDTHS[w] * PIXELS[p], skew = w % 5;
                uint8_t *row_block, *above_block;
                uint8_t *row = exact(bytes, skew, &row_block);
                uint8_t *above = exact(bytes, skew / 2, &above_block);
                fill(row, bytes, kind, &state);
                fill(above, bytes, kind, &state);
                expect_same(PIXELS[p], bytes, row, above, skew);
                expect_same(PIXELS[p], bytes, row, NULL, skew);
                free(row_block);
                free(above_block);
            }
}

/* Expects that every version of the loops computes the sums of the reference for `row` below
 * `above`. */
static void expect_sums(size_t pixel, size_t bytes, const uint8_t *row, const uint8_t *above)
{
    const ImgFilterLoops *loops[FILTER_VERSIONS_MOST];
    const int count = filter_versions(loops);
    uint8_t *filtered = malloc(bytes + 1);
    cr_assert_not_null(filtered);
    for (ImgFilter filter = IMG_FILTER_NONE; filter < IMG_FILTERS; filter++) {
        uint64_t sum = 0;
        img_png_filter_row_reference(filter, pixel, bytes, row, above, filtered);
        for (size_t k = 1; k <= bytes; k++)
            sum += (uint64_t)abs((int8_t)filtered[k]);
        for (int i = 0; i < count; i++) {
            uint64_t sums[IMG_FILTERS];
            loops[i]->sums((1U << IMG_FILTERS) - 1, pixel, bytes, row, above, sums);
            cr_assert_eq(sums[filter], sum, "level %d, filter %d, %zu bytes", i, filter, bytes);
        }
    }
    free(filtered);
}

/* The sums must be exact, because a difference of one can decide which filter wins. */
Test(png_filter, sums_are_exact)
{
    enum { BYTES = 1000 };
    uint8_t row[BYTES], above[BYTES];
    unsigned state = 7;
    fill(row, BYTES, 0, &state);
    fill(above, BYTES, 0, &state);
    /* 128 is the only byte whose absolute value does not fit a signed byte. */
    memset(row + 100, 128, 200);
    for (size_t bytes = IMG_FILTER_LEAST_BYTES; bytes < BYTES; bytes += 31)
        expect_sums(3, bytes, row, above);
}

/* Rows in which all pixels are the same, below an equal row. Up to four random bytes of the two
 * rows are then changed by 1. */
Test(png_filter, sums_of_flat_rows_are_exact)
{
    enum { BYTES = 700, ROUNDS = 600 };
    unsigned state = 11;
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t row[BYTES], above[BYTES];
        const size_t pixel = PIXELS[round % 6];
        const size_t bytes = IMG_FILTER_LEAST_BYTES + next_random(&state) % (BYTES - 72);
        fill(row, pixel, 0, &state);
        for (size_t i = pixel; i < bytes; i++)
            row[i] = row[i - pixel];
        memcpy(above, row, bytes);
        for (int i = 0; i < round % 5; i++)
            (i % 2 == 0 ? row : above)[next_random(&state) % bytes] ^= 1;
        expect_sums(pixel, bytes, row, above);
    }
}
