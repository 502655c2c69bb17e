/* Private to quantize on the CPU: inner loops, and the search of the nearest entry by candidates.
 */
#ifndef IMGTOOL_KERNELS_QUANTIZE_QUANTIZE_ROWS_H
#define IMGTOOL_KERNELS_QUANTIZE_QUANTIZE_ROWS_H

#include "kernels/quantize/quantize.h"

/* The coordinates of a colour, or their errors. */
typedef struct ImgColorErrors {
    int32_t of[4];
} ImgColorErrors;

/* --- Candidates ------------------------------------------------------------------------------- */

enum {
    /* The space of coordinates is divided into cubes with edges of 2^CUBE_BITS units. */
    IMG_CUBE_BITS = 7,
    IMG_CUBE_EDGE = 1 << IMG_CUBE_BITS,
    IMG_CUBES_COLOR = 22, /* cubes along the axes of colours, from -1408 on */
    IMG_CUBES_ALPHA = 20, /* cubes along the axis of alpha, from -384 on */
    IMG_CUBES_FROM = -1408,
    IMG_CUBES_ALPHA_FROM = -384,
    IMG_CUBES = IMG_CUBES_COLOR * IMG_CUBES_COLOR * IMG_CUBES_COLOR * IMG_CUBES_ALPHA,
    IMG_CANDIDATES_STEP = 16, /* candidates of a block */
    IMG_BLOCKS_MOST = 1 << 14,
};

/* Entries that may be the nearest to a point in a cube. The last one of a cube is repeated up to a
 * full block. */
typedef struct ImgCandidates {
    int16_t low[IMG_CANDIDATES_STEP][2], high[IMG_CANDIDATES_STEP][2];
    uint32_t index[IMG_CANDIDATES_STEP];
} ImgCandidates;

/* The candidates of each cube, which are found when a point of the cube is first searched. */
typedef struct ImgCandidateLists {
    const ImgColorEntries *entries;
    ImgColorErrors points[IMG_PALETTE_MAX]; /* the entries */
    ImgCandidates *blocks;
    uint32_t count; /* number of blocks in use */
    /* for each cube: 256 times the index of its first block, plus their number; 0: not yet found */
    uint32_t *cubes;
} ImgCandidateLists;

/* Starts lists without memory for cubes: all entries are searched. */
void img_candidates_begin(const ImgColorEntries *entries, ImgCandidateLists *lists);
/* Allocates memory for candidates. Returns false when memory is short. */
bool img_candidates_alloc(ImgCandidateLists *lists);
void img_candidates_free(ImgCandidateLists *lists);
uint64_t img_candidates_bytes(void);

/* Finds the candidates of a cube and returns their new value of `cubes`. */
uint32_t img_candidates_find(ImgCandidateLists *lists, uint32_t cube);

/* --- Rows ------------------------------------------------------------------------------------- */

/* A part of a row. All pointers are to the first pixel of the row. The errors of the pixels before
 * the first and after the last pixel of a row are 0. */
typedef struct ImgDitherRow {
    const uint32_t *pixels;
    const uint8_t *strengths;
    const ImgColorErrors *above;
    ImgColorErrors *errors;
    uint8_t *indices;
} ImgDitherRow;

typedef struct ImgQuantizeRows {
    ImgNearestFunction *nearest;
    /* Maps pixels to their nearest entries. */
    void (*map)(ImgCandidateLists *lists, const uint32_t *pixels, int32_t width, uint8_t *indices);
    /* Maps row `y` with ordered dithering. `indices` are the results of `map`, and are changed. */
    void (*order)(ImgCandidateLists *lists, const ImgQuantizeConstants *own, const uint32_t *pixels,
                  int32_t y, int32_t width, uint8_t *indices);
    /* Dithers the pixels `from` to `end` - 1 of a row. */
    void (*dither)(ImgCandidateLists *lists, const ImgDitherRow *row, int32_t from, int32_t end);
    /* Computes the strength of dithering for each pixel of the row `at`. */
    void (*strengths)(const uint32_t *above, const uint32_t *at, const uint32_t *below,
                      int32_t width, uint8_t *strengths);
} ImgQuantizeRows;

extern const ImgQuantizeRows img_quantize_rows_portable, img_quantize_rows_avx2,
    img_quantize_rows_avx512;

/* Returns the loops for this processor. */
const ImgQuantizeRows *img_quantize_rows(void);

#endif
