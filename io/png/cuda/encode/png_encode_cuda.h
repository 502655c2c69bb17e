/* Private: encodes a picture in GPU memory to the IDAT chunks of a PNG, also in GPU memory, at
 * levels 1 to 4. A strip is a group of rows that becomes one IDAT chunk. It gets the same bytes as
 * from the CPU codec (img_strip_encode): by runs (run lengths, deflate_runs.h) or by matches
 * (match_rule.h), depending on an estimate and a sample. All arithmetic is on integers, with the
 * same results as on the CPU.
 *
 * Small strips, and palette indices that need a deeper search, are left to the CPU: the caller
 * encodes them when it assembles the file.
 *
 * Plain C: host code can include this header without CUDA. */
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
    ImgStrips strips; /* division of the rows; each strip becomes an IDAT chunk */
    /* Candidate filters, a bit 1 << IMG_FILTER_X each; each row gets the one with the smallest
     * sum. */
    unsigned filters;
    /* Every n-th piece of data is counted for codes, n being this value, as in ImgRunsScratch. */
    unsigned sample_step;
    uint8_t stream_flags; /* second byte of the zlib stream */
    /* True: rows are pixels; false: palette indices or samples below 8 bits. */
    bool by_value;
    /* True: each strip may be tried by matches, and with the Paeth filter only; false: all strips
     * are encoded by runs. */
    bool matches;
    /* Largest number of filtered bytes of a strip that is left to the CPU; at least IMG_STRIP_SMALL
     * if `matches` is true. */
    size_t small;
} ImgPngEncodeCudaOptions;

/* How a strip was encoded. */
typedef enum ImgPngCudaStrategy {
    IMG_PNG_CUDA_LEFT_TO_CPU, /* left to the CPU; the output has no chunk for it */
    IMG_PNG_CUDA_BY_RUNS,     /* like IMG_STRIP_BY_RUNS: blocks may be stored */
    IMG_PNG_CUDA_BY_MATCHES,
} ImgPngCudaStrategy;

/* The chunk of a strip: length, type, data, CRC. The data of the first strip begins with the two
 * bytes of the zlib header. The data of the last strip ends with the four bytes of the Adler-32 of
 * all strips. If any strip was left to the CPU, the host must replace this Adler-32 and the last
 * chunk's CRC. */
typedef struct ImgPngCudaStrip {
    uint64_t start;    /* byte offset in the output; chunks are contiguous and in order */
    uint32_t bytes;    /* size of the whole chunk; 0: left to the CPU */
    uint32_t adler;    /* Adler-32 of the filtered data, as in ImgStripResult; 1: left to the CPU */
    uint32_t strategy; /* an ImgPngCudaStrategy */
    uint32_t blocks;   /* number of deflate blocks */
} ImgPngCudaStrip;

/* A deflate block of a strip that the GPU encoded. */
typedef struct ImgPngCudaBlock {
    uint32_t bit; /* start of the block, in bits from the strip's first block */
    /* Bytes of data, if they are stored (in several frames if necessary); 0: the block has
     * codes. */
    uint32_t stored;
} ImgPngCudaBlock;

enum { IMG_PNG_CUDA_FRAMES_MOST = 3 /* largest number of stored frames of a block */ };

/* Sizes derived from shape and options. Can be used again for pictures of the same shape. */
typedef struct ImgPngEncodeCudaPlan {
    ImgShape shape;
    ImgPngEncodeCudaOptions options;
    size_t row_bytes; /* bytes of a row in the file, without its filter type */
    /* Number of deflate blocks by runs: of the first strip, of each other strip. */
    uint32_t first_blocks, strip_blocks;
    uint32_t blocks; /* number of deflate blocks by runs of all strips */
    /* Largest number of block starts: of the first strip, of each other strip. */
    uint32_t first_starts, strip_starts;
    uint32_t starts;  /* largest number of block starts of all strips */
    size_t workspace; /* size of the workspace in bytes */
    size_t output;    /* bytes of output that suffice for all chunks */
} ImgPngEncodeCudaPlan;

/* Addresses in GPU memory. */
typedef struct ImgPngEncodeCudaPlaces {
    /* Pixels as in an ImgView: 16-bit samples in native order, samples below 8 bits one per
     * byte. */
    const uint8_t *pixels;
    size_t stride;           /* bytes between rows, a multiple of the sample size */
    void *workspace;         /* aligned to 16 bytes */
    uint8_t *output;         /* aligned to 4 bytes */
    uint64_t *size;          /* receives the number of bytes written */
    ImgPngCudaStrip *strips; /* one per strip; aligned to 8 bytes */
    ImgPngCudaBlock *blocks; /* plan.starts entries, grouped by strip */
} ImgPngEncodeCudaPlaces;

/* Sets the options so that the result equals that of the CPU codec at `level`, 0 to 9. Returns
 * false if the CPU should encode all strips. The caller must exclude pictures that libpng encodes
 * (img_png_encode). */
bool img_png_encode_cuda_options(ImgShape shape, int level, ImgPngEncodeCudaOptions *options);

/* Makes a plan. Fails with IMG_E_LIMIT if the picture is too large for the GPU encoder; the CPU
 * codec must encode it then. */
ImgStatus img_png_encode_cuda_plan(ImgShape shape, const ImgPngEncodeCudaOptions *options,
                                   ImgPngEncodeCudaPlan *plan, ImgError *err);

/* Lists the starts of the deflate blocks of a strip that the GPU encoded, for
 * img_png_block_index_add. Each frame of a stored block counts as a block. `blocks` are those of
 * the whole picture, in host memory; `made` is the strip's result. `starts` has room for
 * IMG_PNG_CUDA_FRAMES_MOST starts per entry of the strip in `blocks`. Returns the number of
 * starts. */
size_t img_png_encode_cuda_starts(const ImgPngEncodeCudaPlan *plan, const ImgPngCudaBlock *blocks,
                                  const ImgPngCudaStrip *made, uint32_t strip, uint32_t *starts);

/* Returns the index in `blocks` of a strip's first entry. For `strip` = strips.count returns
 * plan.starts. */
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
