/* Private to the fast resize on CUDA: how its kernel for what becomes much smaller divides a
 * picture.
 *
 * A block goes down a strip of the result, IMG_RESIZE_BAND rows, a band, at a time. Columns are
 * samples, whatever channel they are of, or with alpha pixels. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_STREAM_RESIZE_STREAM_LAYOUT_H
#define IMGTOOL_KERNELS_RESIZE_CUDA_STREAM_RESIZE_STREAM_LAYOUT_H

#include <stdint.h>

struct ImgResizeStream {
    int32_t tiles;         /* of 8 or 16 new columns, of a strip */
    int32_t warps;         /* that sum; each has columns of 64 bytes of the source's rows */
    int32_t steps;         /* of 16 source rows, for a band */
    int32_t chunks;        /* of 32 source columns, for a tile */
    int32_t rows;          /* of the source in shared memory; a multiple of 16 */
    int32_t strips, bands; /* of the picture; of a block */
    int32_t lead;          /* columns of the first strip before the first that is made */
    int32_t pitch, middle_pitch, out_pitch;
    int32_t middle_at, middle_bytes, out_at, down_at, across_at, windows_at, bytes;
};

#endif
