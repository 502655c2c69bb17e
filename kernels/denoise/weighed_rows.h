/* Private to bilateral and denoise on the CPU: their loops over rows. weighed_loops.c, and
 * the files that it includes, are compiled once for each instruction set. */
#ifndef IMGTOOL_KERNELS_DENOISE_WEIGHED_ROWS_H
#define IMGTOOL_KERNELS_DENOISE_WEIGHED_ROWS_H

#include "kernels/denoise/bilateral.h"
#include "kernels/denoise/denoise.h"

/* Number of 16-bit numbers that must be accessible after the used part of a plane. Loops read and
 * write whole vectors, so they may access numbers past the used part. */
enum { IMG_WEIGHED_SLACK = 64 };

/* --- Tiles of non-local means ----------------------------------------------------------------- */

enum {
    IMG_DENOISE_TILE = 128, /* largest number of columns of a tile */
    IMG_DENOISE_ROWS = 64,
    IMG_DENOISE_PLANE = IMG_DENOISE_TILE * IMG_DENOISE_ROWS,
    IMG_DENOISE_SIDE = 2 * IMG_DENOISE_PATCH + 1,
    IMG_DENOISE_ACROSS = IMG_DENOISE_TILE + IMG_DENOISE_SIDE + IMG_WEIGHED_SLACK,
    /* number of planes of sums: one of weights, and two (high and low bytes) for each of three
     * colours */
    IMG_DENOISE_SUMS = 7,
};

typedef struct ImgDenoiseTile {
    /* First pixel of the tile in the first plane (see denoise_rows.h). Around the tile, `patch` +
     * `search` more pixels are stored on each side. */
    const uint16_t *pixels;
    size_t pitch, plane; /* distance between rows, and distance between planes, in 16-bit numbers */
    int32_t planes;
    int32_t padded, height; /* width rounded up to whole vectors, and height, in pixels */
    uint16_t *to;           /* result: planes of IMG_DENOISE_PLANE numbers, one plane per colour */
} ImgDenoiseTile;

/* Vertical sums of squared differences over the rows of a patch. `old` keeps the squared
 * differences of each of these rows, which are subtracted when the row leaves the patch. */
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
    /* Splits a row of pixels into planes, one for each channel. Planes are `pitch` numbers
     * apart. */
    void (*split)(const ImgWeighed *own, const uint8_t *from, int src_bits, int32_t width,
                  uint16_t *planes, size_t pitch);
    /* Joins planes, one for each channel, to a row of pixels with samples of 8 or 16 bits. */
    void (*join)(const ImgWeighed *own, const uint16_t *planes, size_t pitch, int32_t width,
                 uint8_t *to);
    /* Filters a row. `rows` has 2 * radius + 1 pointers: to column 0 of each source row from
     * `radius` rows above to `radius` rows below, split into planes (bilateral_cpu.c). The
     * resulting colours are stored in planes of the same pitch. */
    void (*bilateral)(const ImgBilateral *own, const uint16_t *const *rows, size_t pitch,
                      int32_t width, uint16_t *to);
    void (*denoise)(const ImgDenoise *own, const ImgDenoiseTile *tile, ImgDenoiseScratch *scratch);
} ImgWeighedRows;

extern const ImgWeighedRows img_weighed_rows_portable, img_weighed_rows_avx2,
    img_weighed_rows_avx512;

#endif
