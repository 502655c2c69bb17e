/* Private to the fast resize on CUDA: how its kernel for strong shrinking divides a picture.
 *
 * A block moves down a strip of the result, one band of IMG_RESIZE_BAND rows at a time. Columns are
 * samples of any channel, or pixels if there is alpha. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_STREAM_RESIZE_STREAM_LAYOUT_H
#define IMGTOOL_KERNELS_RESIZE_CUDA_STREAM_RESIZE_STREAM_LAYOUT_H

#include <stdint.h>

struct ImgResizeStream {
    int32_t tiles;         /* per strip, of 8 or 16 new columns each */
    int32_t warps;         /* summing warps; each has columns of 64 bytes of the source rows */
    int32_t steps;         /* per band, of 16 source rows each */
    int32_t chunks;        /* per tile, of 32 source columns each */
    int32_t rows;          /* source rows in shared memory; a multiple of 16 */
    int32_t strips, bands; /* strips of the picture; bands of a block */
    /* columns of the first strip before the first one of the scaled picture */
    int32_t lead;
    int32_t pitch, middle_pitch, out_pitch;
    int32_t middle_at, middle_bytes, out_at, down_at, across_at, windows_at, bytes;
};

#endif
