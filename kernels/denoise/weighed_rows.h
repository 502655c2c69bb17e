/* Private: loops over rows of bilateral and denoise on the CPU. weighed_rows_source.h, and the
 * files that it includes, are compiled once for each variant. */
#ifndef IMGTOOL_KERNELS_DENOISE_WEIGHED_ROWS_H
#define IMGTOOL_KERNELS_DENOISE_WEIGHED_ROWS_H

#include "kernels/denoise/bilateral.h"
#include "kernels/denoise/denoise.h"

/* Numbers after the used part of a plane that must be readable, because vectors are read and
 * written as a whole. */
enum { IMG_WEIGHED_SLACK = 64 };

/* --- Tiles of non-local means ----------------------------------------------------------------- */

enum {
    IMG_DENOISE_TILE = 128, /* largest number of columns of a tile */
    IMG_DENOISE_ROWS = 64,
    IMG_DENOISE_PLANE = IMG_DENOISE_TILE * IMG_DENOISE_ROWS,
    IMG_DENOISE_SIDE = 2 * IMG_DENOISE_PATCH + 1,
    IMG_DENOISE_ACROSS = IMG_DENOISE_TILE + IMG_DENOISE_SIDE + IMG_WEIGHED_SLACK,
    IMG_DENOISE_SUMS = 7, /* planes of sums: weights, and three colours in two bytes each */
};

typedef struct ImgDenoiseTile {
    /* first pixel of the first plane (denoise_rows.h); it has `patch` + `search` pixels around it
     * on each side */
    const uint16_t *pixels;
    size_t pitch, plane; /* numbers per row and per plane */
    int32_t planes;
    int32_t padded, height; /* `padded`: width, rounded up to whole vectors */
    uint16_t *to;           /* result: planes of IMG_DENOISE_PLANE numbers, one per colour */
} ImgDenoiseTile;

/* Running vertical sums of squares, and the rows that they consist of. */
typedef struct ImgDenoiseColumns {
    uint32_t sums[IMG_DENOISE_ACROSS], old[IMG_DENOISE_SIDE][IMG_DENOISE_ACROSS];
} ImgDenoiseColumns;

typedef struct ImgDenoiseScratch {
    uint32_t sums[IMG_DENOISE_SUMS * IMG_DENOISE_PLANE];
    uint32_t squares[IMG_DENOISE_ACROSS], parts[IMG_DENOISE_ACROSS], across[IMG_DENOISE_TILE];
    ImgDenoiseColumns columns[2];
    uint16_t weights[2][IMG_DENOISE_TILE];
} ImgDenoiseScratch;

/* --- Variants --------------------------------------------------------------------------------- */

typedef struct ImgWeighedRows {
    /* Splits a row of samples into planes of `pitch` numbers, one for each channel. */
    void (*split)(const ImgWeighed *own, const uint8_t *from, int src_bits, int32_t width,
                  uint16_t *planes, size_t pitch);
    /* Joins planes of channels to a row of samples of 8 or 16 bits. */
    void (*join)(const ImgWeighed *own, const uint16_t *planes, size_t pitch, int32_t width,
                 uint8_t *to);
    /* Filters a row. `rows` has the planes of rows -radius to radius, from the pixel at x = 0 on
     * (bilateral_cpu.c). The colours of the result go to planes of the same pitch. */
    void (*bilateral)(const ImgBilateral *own, const uint16_t *const *rows, size_t pitch,
                      int32_t width, uint16_t *to);
    void (*denoise)(const ImgDenoise *own, const ImgDenoiseTile *tile, ImgDenoiseScratch *scratch);
} ImgWeighedRows;

extern const ImgWeighedRows img_weighed_rows_portable, img_weighed_rows_avx2,
    img_weighed_rows_avx512;

#endif
