/* Private: a picture in a GPU's memory to the IDAT chunks of a PNG file in a GPU's memory, at
 * levels 1 to 4. The bytes of a strip are those that the CPU codec gives it (img_strip_encode): by
 * run lengths (deflate_runs.h) or by matches (match_rule.h), as an estimate and a sample tell. All
 * of that is arithmetic in integers, and this is the same arithmetic. Small strips, and indices
 * that want a deeper search, are handed to the CPU: whoever puts the file together has it encode
 * them.
 *
 * Plain C: the host may include it without CUDA. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_PNG_ENCODE_CUDA_H
#define IMGTOOL_IO_PNG_CUDA_ENCODE_PNG_ENCODE_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/index/index.h"
#include "kernels/core/cuda/stages.h"
#include "kernels/core/image.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgPngEncodeCudaOptions {
    ImgStrips strips;     /* of the picture's rows; each becomes an IDAT chunk */
    unsigned filters;     /* a bit 1 << IMG_FILTER_X for each that may be chosen, by least sums */
    unsigned sample_step; /* as in ImgRunsWork */
    uint8_t stream_flags; /* the second byte of the zlib stream */
    bool by_value;        /* rows are pixels; else indices or bits */
    bool matches; /* strips may be tried by matches, and by Paeth's filter alone; else all are made
                   * by runs, as said above */
    size_t small; /* strips of up to so many bytes, filtered, are handed to the CPU; where there
                   * may be matches, at least IMG_STRIP_SMALL */
} ImgPngEncodeCudaOptions;

/* What became of a strip. */
typedef enum ImgPngCudaWay {
    IMG_PNG_CUDA_HANDED,  /* to the CPU: it has no chunk in the output */
    IMG_PNG_CUDA_BY_RUNS, /* as IMG_STRIP_BY_RUNS: blocks may be stored */
    IMG_PNG_CUDA_BY_MATCHES,
} ImgPngCudaWay;

/* A strip's chunk: length, type, data, CRC. That of the first strip begins with the two bytes of
 * the zlib stream's header; that of the last one ends with four bytes of Adler-32, of all strips if
 * none was handed. Otherwise they and the chunk's CRC are the host's to replace. */
typedef struct ImgPngCudaStrip {
    uint64_t start;  /* in the output, in which chunks follow each other in order */
    uint32_t bytes;  /* of the chunk, with all that it has beside data; 0: handed */
    uint32_t adler;  /* Adler-32 of the filtered data, as ImgStripResult has it; 1: handed */
    uint32_t way;    /* an ImgPngCudaWay */
    uint32_t blocks; /* of deflate */
} ImgPngCudaStrip;

/* A deflate block of a strip that is made here. */
typedef struct ImgPngCudaBlock {
    uint32_t bit;    /* where it begins, from the strip's first block on */
    uint32_t stored; /* bytes that are stored, by several frames if need be; 0: it has codes */
} ImgPngCudaBlock;

enum { IMG_PNG_CUDA_FRAMES_MOST = 3 /* of a block */ };

/* What shape and options come to. Made once for pictures that are alike. */
typedef struct ImgPngEncodeCudaPlan {
    ImgShape shape;
    ImgPngEncodeCudaOptions options;
    size_t row_bytes;                    /* of a row in the file, without its filter's type */
    uint32_t first_blocks, strip_blocks; /* by runs, of the first strip and of each other */
    uint32_t blocks;                     /* of all strips */
    uint32_t first_starts, strip_starts; /* the most blocks of the first strip and each other */
    uint32_t starts;                     /* of all strips */
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
    ImgPngCudaStrip *strips; /* for each strip; aligned to 8 bytes */
    ImgPngCudaBlock *blocks; /* plan.starts: for each strip in order as many as it may have */
} ImgPngEncodeCudaPlaces;

/* What the CPU codec does at `level`, 0 to 9, strip by strip; false: none of the strips would be
 * the GPU's. Pictures that libpng encodes (img_png_encode) are the caller's to leave out. */
bool img_png_encode_cuda_options(ImgShape shape, int level, ImgPngEncodeCudaOptions *options);

/* IMG_E_LIMIT: the picture is too large for this way; the CPU codec is left. */
ImgStatus img_png_encode_cuda_plan(ImgShape shape, const ImgPngEncodeCudaOptions *options,
                                   ImgPngEncodeCudaPlan *plan, ImgError *err);

/* Where the deflate blocks of a strip that is made here begin, for img_png_block_index_add: frames
 * of stored blocks each for itself, as each is a block of the stream. `blocks` are those of the
 * whole picture, on the host, and `made` is what is told of the strip; `starts` has room for
 * IMG_PNG_CUDA_FRAMES_MOST for each of the strip's places. Returns how many there are. */
size_t img_png_encode_cuda_starts(const ImgPngEncodeCudaPlan *plan, const ImgPngCudaBlock *blocks,
                                  const ImgPngCudaStrip *made, uint32_t strip, uint32_t *starts);

/* The number of a strip's first place for a block; that of strip strips.count is plan.starts. */
uint32_t img_png_encode_cuda_first_start(const ImgPngEncodeCudaPlan *plan, uint32_t strip);

/* Launches everything on `stream`, a cudaStream_t, and returns without waiting; `stages`, which may
 * be NULL, is told of its parts. */
ImgStatus img_png_encode_cuda(const ImgPngEncodeCudaPlan *plan,
                              const ImgPngEncodeCudaPlaces *places, void *stream,
                              const ImgStages *stages, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
