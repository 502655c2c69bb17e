/* Tests of tables of bytes that are applied row by row (kernels/point/point_rows.h). They
 * cover every variant that this processor supports, also in cases for which another variant would
 * normally be chosen. */
#include <criterion/criterion.h>
#include <string.h>

#include "kernels/core/parallel/cpu.h"
#include "kernels/point/point_impls.h"
#include "kernels/point/points.h"

enum { WIDTH = 1103, BYTES = 4 * WIDTH, GUARD = 64 };

static uint8_t noise(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return (uint8_t)(*state >> 24);
}

/* Returns a program with tables of noise, one for each channel. With `alike` all colour channels
 * share one table. */
static ImgConstants program_of(ImgColor color, bool alike, uint32_t *state)
{
    ImgConstants constants;
    ImgPoints points = img_points_start((ImgFormat){color, 8});
    const int32_t channels = img_format_channels(points.format);
    const int32_t own = alike || channels < 3 ? 1 : 3;
    uint16_t *table =
        img_points_table(&points, own == 1 ? IMG_POINT_COLORS : IMG_POINT_EACH, 8, NULL);
    for (int i = 0; i < own * 256; i++)
        table[i] = noise(state);
    cr_assert_eq(img_points_compose(&points, NULL), IMG_OK);
    cr_assert_eq(img_points_pack(&points, &constants, NULL), IMG_OK);
    img_points_free(&points);
    return constants;
}

/* Expects that a variant gives the same bytes as the portable variant for all widths, and writes
 * nothing past the row. */
static void compare(ImgPointRows *rows, const char *name, const ImgConstants *program,
                    int32_t channels, const uint8_t *from)
{
    for (int32_t width = 1; width <= WIDTH; width += width < 140 ? 1 : 53) {
        uint8_t expected[BYTES + GUARD], got[BYTES + GUARD];
        memset(expected, 0xA5, sizeof expected);
        memset(got, 0xA5, sizeof got);
        img_point_rows_portable(program->bytes, from, expected, width, 0);
        rows(program->bytes, from, got, width, 0);
        cr_assert_eq(memcmp(expected, got, sizeof got), 0, "%s, %d pixels of %d", name, width,
                     channels);
    }
}

/* Compares every variant that this processor supports with the portable variant. */
static void compare_all(const ImgConstants *program, int32_t channels, const uint8_t *from)
{
    compare(img_point_rows_portable, "portable", program, channels, from);
#ifdef IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX2)
        compare(img_point_rows_avx2, "AVX2", program, channels, from);
    if (img_cpu_level() >= IMG_CPU_AVX512)
        compare(img_point_rows_avx512, "AVX-512", program, channels, from);
    if (img_cpu_level() >= IMG_CPU_AVX512 && __builtin_cpu_supports("avx512vbmi"))
        compare(img_point_rows_vbmi, "VBMI", program, channels, from);
#endif
}

Test(point_rows, all_variants_agree)
{
    static const ImgColor colors[] = {IMG_COLOR_GRAY, IMG_COLOR_GRAY_ALPHA, IMG_COLOR_RGB,
                                      IMG_COLOR_RGBA};
    uint32_t state = 1;
    uint8_t from[BYTES];
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = noise(&state);
    for (int32_t i = 0; i < 8; i++) {
        ImgConstants program = program_of(colors[i / 2], i % 2 == 0, &state);
        compare_all(&program, i / 2 + 1, from);
        img_constants_free(&program);
    }
}

/* Sums samples with the weights of luma and with random weights. An odd weight of green is split
 * into two different halves. */
Test(point_rows, sums_to_gray_match)
{
    uint32_t state = 7;
    uint8_t from[BYTES];
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = noise(&state);
    for (int i = 0; i < 20; i++) {
        const int32_t red = noise(&state) * 20000, blue = noise(&state) * 20000;
        const ImgPointRow row = {{red, IMG_POINT_ONE - red - blue, blue}, 0};
        ImgPoints points = img_points_start((ImgFormat){IMG_COLOR_RGB, 8});
        ImgConstants program;
        cr_assert_eq(img_points_matrix(&points, IMG_COLOR_GRAY, &row, NULL), IMG_OK);
        cr_assert_eq(img_points_compose(&points, NULL), IMG_OK);
        cr_assert_eq(img_points_pack(&points, &program, NULL), IMG_OK);
        img_points_free(&points);
        compare_all(&program, 3, from);
        img_constants_free(&program);
    }
}
