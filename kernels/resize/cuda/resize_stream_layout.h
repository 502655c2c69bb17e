/* Private to the fast resize on CUDA: how the stream kernel, for strong shrinking, divides a
 * picture.
 *
 * A block moves down a strip of the result, one band of IMG_RESIZE_BAND rows at a time. A "column"
 * is one sample of one channel, or a whole pixel if there is alpha. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_STREAM_LAYOUT_H
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_STREAM_LAYOUT_H

#include <stdint.h>

struct ImgResizeStream {
    int32_t tiles; /* number of tiles per strip; a tile has 8 or 16 result columns */
    /* number of warps that sum; each has the columns in 64 bytes of the source rows */
    int32_t warps;
    int32_t steps;         /* number of steps per band; a step has 16 source rows */
    int32_t chunks;        /* number of chunks per tile; a chunk has 32 source columns */
    int32_t rows;          /* number of source rows in shared memory; a multiple of 16 */
    int32_t strips, bands; /* number of strips in the picture; number of bands per block */
    /* number of columns of the first strip that lie to the left of the scaled picture */
    int32_t lead;
    int32_t pitch, middle_pitch, out_pitch;
    int32_t middle_at, middle_bytes, out_at, down_at, across_at, windows_at, bytes;
};

#endif
