/* Private: decodes the pixels of a PNG from its compressed bytes on a GPU. The CPU codec, whose
 * verdict counts, decodes what the GPU cannot verify. README.md lists the checks. */
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

/* Values of the status word: verified, or a bit for each reason why not. 0 if the stream is too
 * short. */
enum {
    IMG_PNG_CUDA_VERIFIED = 1,
    IMG_PNG_CUDA_LISTS_FULL = 2,  /* more blocks than expected, or too many corrections */
    IMG_PNG_CUDA_BAD_STREAM = 4,  /* an invalid header or code, a wrong end, or a wrong size */
    IMG_PNG_CUDA_BAD_COPY = 8,    /* an invalid distance */
    IMG_PNG_CUDA_BAD_FILTER = 16, /* an unknown filter type */
    IMG_PNG_CUDA_BAD_CRC = 32,
    IMG_PNG_CUDA_BAD_ADLER = 64,
};

/* The data of one IDAT chunk; the four bytes of its CRC follow it. */
typedef struct ImgPngCudaPart {
    uint64_t from; /* offset in the file */
    uint32_t size, start /* offset in the stream */,
        piece; /* number of pieces in the parts before it */
} ImgPngCudaPart;

/* Made once for a shape and the largest stream to be decoded. */
typedef struct ImgPngCudaPlan {
    ImgShape shape;
    uint32_t row_bytes; /* bytes of a row in the file, without its filter type */
    uint32_t inflated;  /* bytes of the inflated stream */
    uint32_t stream_bytes, parts;
    uint32_t blocks_most; /* most blocks that a list may have */
    size_t workspace_bytes;
} ImgPngCudaPlan;

/* A file in device memory. */
typedef struct ImgPngCudaFile {
    const uint8_t *bytes;
    const ImgPngCudaPart *parts; /* in device memory, made by img_png_cuda_list_parts */
    uint32_t part_count, stream_bytes, pieces;
    /* Start of each block, in device memory: bit positions in the stream, ascending from that of
     * the first block, all before the Adler-32 (from img_png_blocks_read). Wrong entries cost time,
     * or prevent verification. */
    const uint32_t *blocks;
    uint32_t block_count; /* 0, or more than blocks_most of the plan: search for blocks */
} ImgPngCudaFile;

/* Pixels in device memory; rows are like those of an ImgView. */
typedef struct ImgPngCudaPixels {
    uint8_t *data;
    size_t stride;
} ImgPngCudaPixels;

/* Makes a plan. Returns false for unsupported sizes: 2^28 bytes or more of stream, or about 2^31 of
 * rows. The picture must not be interlaced. */
bool img_png_cuda_plan(ImgShape shape, uint64_t stream_bytes, uint64_t parts, ImgPngCudaPlan *plan);

/* Returns false if the CPU is faster when all rows refer to the row above, as other encoders may
 * write them: for tall and narrow pictures, where a GPU would wait from band to band. */
bool img_png_cuda_is_quick(ImgShape shape);

/* Lists the parts of the file at `file` in host memory, to be copied to the device. Sets the counts
 * in `device_file`, and no blocks. The caller sets the two pointers, and the list of blocks if
 * there is one. */
void img_png_cuda_list_parts(const ImgIdat *idat, const uint8_t *file, ImgPngCudaPart *parts,
                             ImgPngCudaFile *device_file);

/* Queues all work on `stream` (a cudaStream_t) and returns without waiting. `stages` is notified of
 * the start of each stage and may be NULL. The file must fit the plan. `workspace` (256-byte
 * aligned), pixels and status are in device memory and in use until the stream has finished. Pixels
 * are valid only if the status is IMG_PNG_CUDA_VERIFIED then. Fails with a device error if work
 * cannot be queued. */
ImgStatus img_png_cuda_decode(const ImgPngCudaPlan *plan, const ImgPngCudaFile *file,
                              void *workspace, const ImgPngCudaPixels *pixels, uint32_t *status,
                              void *stream, const ImgStages *stages, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
