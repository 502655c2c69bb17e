/* Private: the pixels of a PNG from its compressed bytes, on a GPU. Whatever is not proved is left
 * to the CPU codec, whose verdict counts: README.md says what the proof is made of. */
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

/* What is left in the word of status: this, or reasons for doubt, a bit each; 0 where there is no
 * room for a stream. */
enum {
    IMG_PNG_CUDA_PROVED = 1,
    IMG_PNG_CUDA_LISTS_FULL = 2,  /* more blocks than expected, or too much to repair */
    IMG_PNG_CUDA_BAD_STREAM = 4,  /* a header, a code, the end, or how much there is */
    IMG_PNG_CUDA_BAD_COPY = 8,    /* a distance */
    IMG_PNG_CUDA_BAD_FILTER = 16, /* a row's type */
    IMG_PNG_CUDA_BAD_CRC = 32,
    IMG_PNG_CUDA_BAD_ADLER = 64,
};

/* A part of the stream, as the data of one IDAT chunk; the four bytes of its CRC follow it. */
typedef struct ImgPngCudaPart {
    uint64_t from;                                   /* bytes from the start of the file */
    uint32_t size, start /* in the stream */, piece; /* pieces of the parts before it */
} ImgPngCudaPart;

/* Made once for a shape and the largest stream that is to be decoded to it. */
typedef struct ImgPngCudaPlan {
    ImgShape shape;
    uint32_t row_bytes; /* of a row in the file, without its filter type */
    uint32_t inflated;  /* bytes that the stream inflates to */
    uint32_t stream_bytes, parts;
    uint32_t blocks_most; /* of a list of blocks */
    size_t workspace_bytes;
} ImgPngCudaPlan;

/* A file in device memory. */
typedef struct ImgPngCudaFile {
    const uint8_t *bytes;
    const ImgPngCudaPart *parts; /* in device memory, made by img_png_cuda_list_parts */
    uint32_t part_count, stream_bytes, pieces;
    /* Where blocks begin, in device memory: bits of the stream, that of the first block at first,
     * ascending, all before the Adler-32 (as img_png_blocks_read gives them). What is wrong costs
     * time, or the proof. */
    const uint32_t *blocks;
    uint32_t block_count; /* 0, or more than blocks_most of the plan: blocks are looked for */
} ImgPngCudaFile;

/* Where pixels go in device memory: rows as those of an ImgView. */
typedef struct ImgPngCudaPixels {
    uint8_t *data;
    size_t stride;
} ImgPngCudaPixels;

/* False where the decoder does not take such a size: 2^28 bytes or more of stream, or more than
 * 2^31 of rows. Pictures must not be interlaced. */
bool img_png_cuda_plan(ImgShape shape, uint64_t stream_bytes, uint64_t parts, ImgPngCudaPlan *plan);

/* False where the CPU is quicker if all rows refer to the one above, as those of other programs
 * may: pictures so tall and narrow that a GPU would wait from band to band. */
bool img_png_cuda_is_quick(ImgShape shape);

/* Writes idat->count parts of the file that starts at `file`, in host memory, to be copied to the
 * device; sets what counts them, and no blocks. The caller sets the two pointers, and the list of
 * blocks where there is one. */
void img_png_cuda_list_parts(const ImgIdat *idat, const uint8_t *file, ImgPngCudaPart *parts,
                             ImgPngCudaFile *device_file);

/* Puts all work into `stream` (a cudaStream_t) and returns without waiting; `stages`, which may be
 * NULL, is told of its parts. The file must be one of
 * the plan; `workspace` (256-byte aligned), pixels and the status are in device memory and in use
 * until the stream is through. Pixels count only where the status is IMG_PNG_CUDA_PROVED then.
 * IMG_E_DEVICE and its like if work cannot be started. */
ImgStatus img_png_cuda_decode(const ImgPngCudaPlan *plan, const ImgPngCudaFile *file,
                              void *workspace, const ImgPngCudaPixels *pixels, uint32_t *status,
                              void *stream, const ImgStages *stages, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
