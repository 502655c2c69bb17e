/* Implements the functions of ImgCannyRows with plain loops, which compilers vectorise for each
 * instruction set. */
#include "kernels/edge/canny_cpu_priv.h"

#include <string.h>

#include "kernels/core/sample.h"

#define INLINE static inline __attribute__((always_inline))

/* --- Gray ------------------------------------------------------------------------------------- */

/* Defines functions that compute a row of gray, with a constant number of channels. */
#define GRAY_ROW(name, Sample, channels)                                                           \
    INLINE void gray_##name(const ImgCanny *canny, const Sample *from, int16_t *restrict to,       \
                            int32_t width)                                                         \
    {                                                                                              \
        const ImgCanny own = *canny;                                                               \
        for (int32_t x = 0; x < width; x++, from += (channels)) {                                  \
            const uint32_t luma =                                                                  \
                (channels) < 3 ? from[0]                                                           \
                               : img_luma(own.luma, from[0], from[1], from[2 % (channels)]);       \
            to[x] = (int16_t)((channels) % 2 == 1                                                  \
                                  ? img_canny_gray_opaque(&own, luma)                              \
                                  : img_canny_gray_alpha(&own, luma, from[(channels)-1]));         \
        }                                                                                          \
    }

GRAY_ROW(bytes_1, uint8_t, 1)
GRAY_ROW(bytes_2, uint8_t, 2)
GRAY_ROW(bytes_3, uint8_t, 3)
GRAY_ROW(bytes_4, uint8_t, 4)
GRAY_ROW(words_1, ImgSample16, 1)
GRAY_ROW(words_2, ImgSample16, 2)
GRAY_ROW(words_3, ImgSample16, 3)
GRAY_ROW(words_4, ImgSample16, 4)

INLINE void gray(const ImgCanny *canny, int32_t bits, const uint8_t *from, int16_t *to,
                 int32_t width)
{
    const ImgSample16 *words = (const ImgSample16 *)(const void *)from;
    switch (canny->channels + (bits == 16 ? 4 : 0)) {
    case 1:
        gray_bytes_1(canny, from, to, width);
        break;
    case 2:
        gray_bytes_2(canny, from, to, width);
        break;
    case 3:
        gray_bytes_3(canny, from, to, width);
        break;
    case 4:
        gray_bytes_4(canny, from, to, width);
        break;
    case 5:
        gray_words_1(canny, words, to, width);
        break;
    case 6:
        gray_words_2(canny, words, to, width);
        break;
    case 7:
        gray_words_3(canny, words, to, width);
        break;
    default:
        gray_words_4(canny, words, to, width);
    }
}

/* --- Gradient --------------------------------------------------------------------------------- */

INLINE void gradient(const int16_t *const rows[3], const ImgCannyGradient *to, int32_t width)
{
    const int16_t *above = rows[0], *middle = rows[1], *below = rows[2];
    int16_t *restrict across = to->across, *restrict down = to->down;
    int32_t *restrict magnitude = to->magnitude;
    for (ptrdiff_t x = 0; x < width; x++) {
        const int16_t gx = (int16_t)(above[x + 1] + 2 * middle[x + 1] + below[x + 1] -
                                     above[x - 1] - 2 * middle[x - 1] - below[x - 1]);
        const int16_t gy = (int16_t)(below[x - 1] + 2 * below[x] + below[x + 1] - above[x - 1] -
                                     2 * above[x] - above[x + 1]);
        across[x] = gx;
        down[x] = gy;
        magnitude[x] = img_canny_magnitude(gx, gy);
    }
}

/* --- Classes ---------------------------------------------------------------------------------- */

INLINE uint8_t class_of(const ImgCanny *canny, const ImgCannyGradient rows[3], ptrdiff_t x)
{
    const int32_t gx = rows[1].across[x], gy = rows[1].down[x];
    const int32_t dx = img_canny_step(gx, gy), dy = img_canny_step(gy, gx);
    const int32_t magnitude = rows[1].magnitude[x];
    if (!img_canny_is_ridge(magnitude, rows[1 + dy].magnitude[x + dx],
                            rows[1 - dy].magnitude[x - dx]))
        return 0;
    return magnitude > canny->high ? IMG_CANNY_STRONG : IMG_CANNY_WEAK;
}

/* Computes the class of each pixel of a row. It processes pixels above the low threshold one by
 * one, because there are only few. */
INLINE void classify(const ImgCanny *canny, const ImgCannyGradient rows[3], uint8_t *to,
                     int32_t width)
{
    const int32_t *magnitude = rows[1].magnitude, low = canny->low;
    for (int32_t x = 0; x < width; x++)
        to[x] = magnitude[x] > low;
    for (int32_t x = 0; x < width; x++) {
        uint64_t eight = 1;
        if (x + (int32_t)sizeof eight <= width)
            memcpy(&eight, to + x, sizeof eight);
        if (eight == 0)
            x += (int32_t)sizeof eight - 1;
        else if (to[x] != 0)
            to[x] = class_of(canny, rows, x);
    }
}

INLINE void finish(uint8_t *row, int32_t width)
{
    for (int32_t x = 0; x < width; x++)
        row[x] = row[x] == IMG_CANNY_STRONG ? 255 : 0;
}

/* --- For each processor ----------------------------------------------------------------------- */

#define ROWS_FOR(variant, attributes)                                                              \
    attributes static void gray_##variant(const ImgCanny *canny, int32_t bits,                     \
                                          const uint8_t *from, int16_t *to, int32_t width)         \
    {                                                                                              \
        gray(canny, bits, from, to, width);                                                        \
    }                                                                                              \
    attributes static void gradient_##variant(const int16_t *const rows[3],                        \
                                              const ImgCannyGradient *to, int32_t width)           \
    {                                                                                              \
        gradient(rows, to, width);                                                                 \
    }                                                                                              \
    attributes static void classify_##variant(                                                     \
        const ImgCanny *canny, const ImgCannyGradient rows[3], uint8_t *to, int32_t width)         \
    {                                                                                              \
        classify(canny, rows, to, width);                                                          \
    }                                                                                              \
    attributes static void finish_##variant(uint8_t *row, int32_t width)                           \
    {                                                                                              \
        finish(row, width);                                                                        \
    }                                                                                              \
    const ImgCannyRows img_canny_rows_##variant = {&img_window_rows_##variant, gray_##variant,     \
                                                   gradient_##variant, classify_##variant,         \
                                                   finish_##variant};

ROWS_FOR(portable, )
#ifdef IMGTOOL_X86
ROWS_FOR(avx2, __attribute__((target("avx2"))))
ROWS_FOR(avx512, __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))))
#endif
