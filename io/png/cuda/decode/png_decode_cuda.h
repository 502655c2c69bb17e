/* Private: decodes the pixels of a PNG from its compressed bytes on a GPU. The GPU decoder verifies
 * its result; files that it cannot verify go to the CPU codec, which alone decides whether a file
 * is damaged. README.md lists the checks.
 *
 * The stream is the contiguous data of all IDAT chunks; a part is the data of one chunk. The CRC of
 * a part is computed in pieces, one per warp. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_PNG_DECODE_CUDA_H
#define IMGTOOL_IO_PNG_CUDA_DECODE_PNG_DECODE_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/idat.h"
#include "kernels/core/cuda/stages.h"
#include "kernels/core/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of the status word: IMG_PNG_CUDA_VERIFIED, or a bit for each reason why the result could
 * not be verified. 0 if the stream is too short. */
enum {
    IMG_PNG_CUDA_VERIFIED = 1,
    /* More blocks than expected, or too many corrections of speculative results. */
    IMG_PNG_CUDA_LISTS_FULL = 2,
    /* An invalid header or code, a wrong end of the stream, or a wrong size. */
    IMG_PNG_CUDA_BAD_STREAM = 4,
    IMG_PNG_CUDA_BAD_COPY = 8,    /* a distance that is invalid or reaches before the first byte */
    IMG_PNG_CUDA_BAD_FILTER = 16, /* an unknown filter type */
    IMG_PNG_CUDA_BAD_CRC = 32,
    IMG_PNG_CUDA_BAD_ADLER = 64,
};

/* The data of one IDAT chunk; the four bytes of its CRC follow it. */
typedef struct ImgPngCudaPart {
    uint64_t from; /* offset in the file */
    uint32_t size, start /* offset in the stream */,
        piece; /* number of CRC pieces in all parts before this one */
} ImgPngCudaPart;

/* Sizes for decoding. Made once for a shape and for the largest stream to be decoded. */
typedef struct ImgPngCudaPlan {
    ImgShape shape;
    uint32_t row_bytes; /* bytes of a row in the file, without its filter type */
    uint32_t inflated;  /* bytes of the inflated stream */
    uint32_t stream_bytes, parts;
    uint32_t blocks_most; /* largest number of blocks that a list of blocks may have */
    size_t workspace_bytes;
} ImgPngCudaPlan;

/* A file in device memory. */
typedef struct ImgPngCudaFile {
    const uint8_t *bytes;
    const ImgPngCudaPart *parts; /* array in device memory, made by img_png_cuda_list_parts */
    uint32_t part_count, stream_bytes, pieces;
    /* Bit position in the stream of each deflate block, in device memory. Positions ascend, start
     * with that of the first block, and lie before the Adler-32 (img_png_blocks_read makes such a
     * list). Wrong entries cost time, or prevent verification. */
    const uint32_t *blocks;
    uint32_t block_count; /* number of blocks; if it is 0 or more than blocks_most of the plan, the
                           * decoder searches for blocks */
} ImgPngCudaFile;

/* Pixels in device memory; rows are like those of an ImgView. */
typedef struct ImgPngCudaPixels {
    uint8_t *data;
    size_t stride;
} ImgPngCudaPixels;

/* Makes a plan. Returns false for unsupported sizes: a stream of 2^28 bytes or more, or about 2^31
 * bytes of rows. The picture must not be interlaced. */
bool img_png_cuda_plan(ImgShape shape, uint64_t stream_bytes, uint64_t parts, ImgPngCudaPlan *plan);

/* Returns false if the GPU may be slower than the CPU. That is true of tall and narrow pictures if
 * each row refers to the row above: the GPU then waits from band to band of rows. */
bool img_png_cuda_is_quick(ImgShape shape);

/* Lists the parts of the file at `file` in host memory; the caller copies the list to the device.
 * Sets the counts in `device_file`, with no list of blocks. The caller sets the pointers to the
 * file and the parts, and the list of blocks if there is one. */
void img_png_cuda_list_parts(const ImgIdat *idat, const uint8_t *file, ImgPngCudaPart *parts,
                             ImgPngCudaFile *device_file);

/* Queues all work on `stream` (a cudaStream_t) and returns without waiting. The file must fit the
 * plan. `stages` is notified of the start of each stage; it may be NULL. `workspace` (256-byte
 * aligned), pixels and status are in device memory, and in use until the stream has finished. The
 * pixels are valid only if the status then is IMG_PNG_CUDA_VERIFIED. Fails with a device error if
 * work cannot be queued. */
ImgStatus img_png_cuda_decode(const ImgPngCudaPlan *plan, const ImgPngCudaFile *file,
                              void *workspace, const ImgPngCudaPixels *pixels, uint32_t *status,
                              void *stream, const ImgStages *stages, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
