/* Private: a picture in a GPU's memory to the IDAT chunks of a PNG file in a GPU's memory, by
 * literals and run lengths. The bytes are those that the CPU codec gives strips of the same rows
 * by the same filters with that strategy (deflate_runs.h): its arithmetic is all in integers, and
 * this is the same arithmetic.
 *
 * Plain C: the host may include it without CUDA. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_PNG_ENCODE_CUDA_H
#define IMGTOOL_IO_PNG_CUDA_ENCODE_PNG_ENCODE_CUDA_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/index.h"
#include "kernels/core/image.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgPngEncodeCudaOptions {
    ImgStrips strips;     /* of the picture's rows; each becomes an IDAT chunk */
    unsigned filters;     /* a bit 1 << IMG_FILTER_X for each that may be chosen, by least sums */
    unsigned sample_step; /* as in ImgRunsWork */
    uint8_t stream_flags; /* the second byte of the zlib stream */
} ImgPngEncodeCudaOptions;

/* What shape and options come to. Made once for pictures that are alike. */
typedef struct ImgPngEncodeCudaPlan {
    ImgShape shape;
    ImgPngEncodeCudaOptions options;
    size_t row_bytes;                    /* of a row in the file, without its filter's type */
    uint32_t first_blocks, strip_blocks; /* deflate blocks of the first strip and of each other */
    uint32_t blocks;                     /* of all strips */
    size_t workspace;                    /* bytes */
    size_t output;                       /* bytes that are enough for the chunks */
} ImgPngEncodeCudaPlan;

/* Where things lie on the device. */
typedef struct ImgPngEncodeCudaPlaces {
    const uint8_t
        *pixels;     /* as an ImgView has them: 16 bits in native order, less than 8 unpacked */
    size_t stride;   /* bytes between rows, a multiple of the sample size */
    void *workspace; /* aligned to 16 bytes */
    uint8_t *output; /* aligned to 4 bytes */
    uint64_t *size;  /* becomes the bytes written */
} ImgPngEncodeCudaPlaces;

/* IMG_E_LIMIT: the picture is too large for this way; the CPU codec is left. */
ImgStatus img_png_encode_cuda_plan(ImgShape shape, const ImgPngEncodeCudaOptions *options,
                                   ImgPngEncodeCudaPlan *plan, ImgError *err);

/* Launches everything on `stream`, a cudaStream_t, and returns without waiting. */
ImgStatus img_png_encode_cuda(const ImgPngEncodeCudaPlan *plan,
                              const ImgPngEncodeCudaPlaces *places, void *stream, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
