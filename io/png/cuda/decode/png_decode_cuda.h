/* Private: decodes the pixels of a PNG from its compressed bytes on a GPU. The GPU decoder verifies
 * its result; README.md lists the checks. Files that it cannot verify go to the CPU codec, which
 * alone decides whether a file is damaged.
 *
 * The stream is the contiguous data of all IDAT chunks. A part is the data of one chunk. A piece is
 * a section of a part; one warp computes its CRC. */
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
 * not be verified. The word is 0 if the stream is too short. */
enum {
    IMG_PNG_CUDA_VERIFIED = 1,
    /* There are more blocks than expected, or speculative results needed too many corrections. */
    IMG_PNG_CUDA_LISTS_FULL = 2,
    /* A header or code is invalid, the stream ends at a wrong place, or its size is wrong. */
    IMG_PNG_CUDA_BAD_STREAM = 4,
    IMG_PNG_CUDA_BAD_COPY = 8,    /* a distance is invalid or reaches before the first byte */
    IMG_PNG_CUDA_BAD_FILTER = 16, /* a row has an unknown filter type */
    IMG_PNG_CUDA_BAD_CRC = 32,
    IMG_PNG_CUDA_BAD_ADLER = 64,
};

/* The data of one IDAT chunk; the four bytes of its CRC follow it. */
typedef struct ImgPngCudaPart {
    uint64_t from; /* offset of the data in the file, in bytes */
    uint32_t size, start /* offset in the stream, in bytes */,
        piece; /* number of CRC pieces in all parts before this one */
} ImgPngCudaPart;

/* Sizes for decoding. A plan serves all files of one shape whose streams are not larger than
 * planned. */
typedef struct ImgPngCudaPlan {
    ImgShape shape;
    uint32_t row_bytes; /* bytes of a row in the file, without its filter type */
    uint32_t inflated;  /* size of the inflated stream in bytes */
    uint32_t stream_bytes, parts;
    uint32_t blocks_most; /* largest number of blocks that a list of blocks may have */
    size_t workspace_bytes;
} ImgPngCudaPlan;

/* A file in device memory. */
typedef struct ImgPngCudaFile {
    const uint8_t *bytes;
    const ImgPngCudaPart *parts; /* array in device memory, made by img_png_cuda_list_parts */
    uint32_t part_count, stream_bytes, pieces;
    /* Bit positions of the deflate blocks in the stream, as an array in device memory. Positions
     * ascend, start with the first block, and lie before the Adler-32; img_png_blocks_read makes
     * such a list. A wrong entry costs time or prevents verification. */
    const uint32_t *blocks;
    /* Number of blocks in the list. If there is no list (0), or if the list is longer than the
     * plan's blocks_most, the decoder searches for the blocks itself. */
    uint32_t block_count;
} ImgPngCudaFile;

/* Pixels in device memory, in rows as in an ImgView. */
typedef struct ImgPngCudaPixels {
    uint8_t *data;
    size_t stride;
} ImgPngCudaPixels;

/* Makes a plan for a picture that is not interlaced. Returns false for unsupported sizes: a stream
 * of 2^28 bytes or more, or rows of about 2^31 bytes or more in total. */
bool img_png_cuda_plan(ImgShape shape, uint64_t stream_bytes, uint64_t parts, ImgPngCudaPlan *plan);

/* Returns false if the GPU may be slower than the CPU. This applies to tall and narrow pictures if
 * each row refers to the row above: each band of rows then waits for the previous band. */
bool img_png_cuda_is_quick(ImgShape shape);

/* Lists in `parts` the IDAT parts of the file at `file`, both in host memory; the caller copies the
 * list to the device. Sets the counts in `device_file`, and its list of blocks to none. The caller
 * sets the other pointers in `device_file`, and the list of blocks if there is one. */
void img_png_cuda_list_parts(const ImgIdat *idat, const uint8_t *file, ImgPngCudaPart *parts,
                             ImgPngCudaFile *device_file);

/* Queues all work on `stream` (a cudaStream_t) and returns without waiting. The file must fit the
 * plan. `workspace` (256-byte aligned), pixels and status are in device memory, and in use until
 * the stream has finished. Then the pixels are valid only if the status is IMG_PNG_CUDA_VERIFIED.
 * `stages` is notified of the start of each stage; it may be NULL. Fails with a device error if
 * work cannot be queued. */
ImgStatus img_png_cuda_decode(const ImgPngCudaPlan *plan, const ImgPngCudaFile *file,
                              void *workspace, const ImgPngCudaPixels *pixels, uint32_t *status,
                              void *stream, const ImgStages *stages, ImgError *err);

/* --- Batches of small files ------------------------------------------------------------------- */

/* A file of a batch. All addresses are in device memory. The list of blocks is not used. */
typedef struct ImgPngCudaItem {
    ImgShape shape;
    ImgPngCudaFile file;
    ImgPngCudaPixels pixels;
} ImgPngCudaItem;

/* Returns true if a batch can contain a file: it is not too large for a thread block, and its
 * stream has room for a checksum. */
bool img_png_cuda_suits_batch(ImgShape shape, uint64_t stream_bytes, uint64_t parts);

/* The memory for a batch, in bytes: workspace on the device, and pinned memory of the host. */
typedef struct ImgPngCudaBatchBytes {
    size_t device, host;
} ImgPngCudaBatchBytes;

ImgPngCudaBatchBytes img_png_cuda_batch_bytes(const ImgPngCudaItem *items, size_t count);

/* Like img_png_cuda_decode, for at most IMG_PNG_CUDA_BATCH_MOST files that suit a batch, of any
 * formats and sizes, with a fixed number of launches. statuses[i] in device memory gets the status
 * of item i. A file that cannot be verified has no effect on the others. `host` must not change
 * until the stream has finished. */
ImgStatus img_png_cuda_decode_batch(const ImgPngCudaItem *items, size_t count, void *workspace,
                                    void *host, uint32_t *statuses, void *stream,
                                    const ImgStages *stages, ImgError *err);

enum {
    IMG_PNG_CUDA_BATCH_MOST = 32768, /* a grid has at most 65535 rows */
    /* A file is decoded faster alone, by the whole GPU, than with so few others, each by one thread
     * block. */
    IMG_PNG_CUDA_BATCH_FEW = 4,
};

#ifdef __cplusplus
}
#endif
#endif
