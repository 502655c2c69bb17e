/* Private: encodes a picture in GPU memory to the IDAT chunks of a PNG, also in GPU memory, at
 * levels 1 to 4. A strip gets the same bytes as from the CPU codec (img_strip_encode): by run
 * lengths (deflate_runs.h) or by matches (match_rule.h), depending on an estimate and a sample. All
 * of this is integer arithmetic, the same as on the CPU.
 *
 * Small strips, and palette indices that need a deeper search, are left to the CPU: the caller
 * encodes them when it assembles the file.
 *
 * Plain C: host code can include it without CUDA. */
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
    ImgStrips strips;     /* division of the rows; each strip becomes an IDAT chunk */
    unsigned filters;     /* a bit 1 << IMG_FILTER_X for each candidate; chosen by smallest sums */
    unsigned sample_step; /* as in ImgRunsScratch */
    uint8_t stream_flags; /* second byte of the zlib stream */
    bool by_value;        /* rows are pixels; else palette indices or samples below 8 bits */
    bool matches; /* strips may be tried by matches, and with the Paeth filter only; else all are
                   * encoded by runs */
    size_t small; /* strips of up to this many filtered bytes are left to the CPU; with `matches` at
                   * least IMG_STRIP_SMALL */
} ImgPngEncodeCudaOptions;

/* The outcome for a strip. */
typedef enum ImgPngCudaStrategy {
    IMG_PNG_CUDA_LEFT_TO_CPU, /* left to the CPU: no chunk in the output */
    IMG_PNG_CUDA_BY_RUNS,     /* like IMG_STRIP_BY_RUNS: blocks may be stored */
    IMG_PNG_CUDA_BY_MATCHES,
} ImgPngCudaStrategy;

/* The chunk of a strip: length, type, data, CRC. The data of the first strip begins with the two
 * bytes of the zlib header. The data of the last one ends with the four bytes of Adler-32 of all
 * strips. If a strip was left to the CPU, the host must replace them and the chunk's CRC. */
typedef struct ImgPngCudaStrip {
    uint64_t start;    /* offset in the output, where chunks are in order */
    uint32_t bytes;    /* bytes of the whole chunk; 0: left to the CPU */
    uint32_t adler;    /* Adler-32 of the filtered data, as in ImgStripResult; 1: left to the CPU */
    uint32_t strategy; /* an ImgPngCudaStrategy */
    uint32_t blocks;   /* number of deflate blocks */
} ImgPngCudaStrip;

/* A deflate block of a strip encoded here. */
typedef struct ImgPngCudaBlock {
    uint32_t bit;    /* start, in bits from the strip's first block */
    uint32_t stored; /* bytes that are stored, in several frames if necessary; 0: it has codes */
} ImgPngCudaBlock;

enum { IMG_PNG_CUDA_FRAMES_MOST = 3 /* largest number of frames of a block */ };

/* Derived from shape and options; reusable for pictures of the same shape. */
typedef struct ImgPngEncodeCudaPlan {
    ImgShape shape;
    ImgPngEncodeCudaOptions options;
    size_t row_bytes;                    /* bytes of a row in the file, without its filter type */
    uint32_t first_blocks, strip_blocks; /* number of blocks by runs, of the first strip and each
                                          * other one */
    uint32_t blocks;                     /* of all strips */
    uint32_t first_starts, strip_starts; /* largest number of blocks of the first strip and each
                                          * other one */
    uint32_t starts;                     /* of all strips */
    size_t workspace;                    /* bytes */
    size_t output;                       /* bytes that suffice for the chunks */
} ImgPngEncodeCudaPlan;

/* Addresses on the device. */
typedef struct ImgPngEncodeCudaPlaces {
    const uint8_t *pixels;   /* as in an ImgView: 16 bits in native order, fewer than 8 unpacked */
    size_t stride;           /* bytes between rows, a multiple of the sample size */
    void *workspace;         /* aligned to 16 bytes */
    uint8_t *output;         /* aligned to 4 bytes */
    uint64_t *size;          /* receives the number of bytes written */
    ImgPngCudaStrip *strips; /* one per strip; aligned to 8 bytes */
    ImgPngCudaBlock *blocks; /* plan.starts entries, grouped by strip */
} ImgPngEncodeCudaPlaces;

/* Sets the options to match the CPU codec at `level`, 0 to 9. Returns false if the CPU should
 * encode all strips. The caller must exclude pictures that libpng encodes (img_png_encode). */
bool img_png_encode_cuda_options(ImgShape shape, int level, ImgPngEncodeCudaOptions *options);

/* Makes a plan. Fails with IMG_E_LIMIT if the picture is too large for the GPU encoder; use the CPU
 * codec. */
ImgStatus img_png_encode_cuda_plan(ImgShape shape, const ImgPngEncodeCudaOptions *options,
                                   ImgPngEncodeCudaPlan *plan, ImgError *err);

/* Lists the starts of the deflate blocks of a strip encoded here, for img_png_block_index_add. Each
 * frame of a stored block counts as a block. `blocks` are those of the whole picture, in host
 * memory; `made` is the strip's result. `starts` has room for IMG_PNG_CUDA_FRAMES_MOST per entry of
 * the strip. Returns the number of starts. */
size_t img_png_encode_cuda_starts(const ImgPngEncodeCudaPlan *plan, const ImgPngCudaBlock *blocks,
                                  const ImgPngCudaStrip *made, uint32_t strip, uint32_t *starts);

/* Returns the index of a strip's first entry for block starts; plan.starts for strip
 * strips.count. */
uint32_t img_png_encode_cuda_first_start(const ImgPngEncodeCudaPlan *plan, uint32_t strip);

/* Queues all work on `stream` (a cudaStream_t) and returns without waiting. `stages` is notified of
 * the start of each stage and may be NULL. */
ImgStatus img_png_encode_cuda(const ImgPngEncodeCudaPlan *plan,
                              const ImgPngEncodeCudaPlaces *places, void *stream,
                              const ImgStages *stages, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
