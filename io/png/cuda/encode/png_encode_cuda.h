/* Private: encodes a picture in GPU memory to the IDAT chunks of a PNG, also in GPU memory, at
 * levels 1 to 4. A strip is a group of rows that becomes one IDAT chunk. Each strip gets the same
 * bytes as from the CPU codec (img_strip_encode). It is encoded with run-length encoding
 * (deflate_runs.h) or with LZ77 (match_rule.h), depending on an estimate and a sample. All
 * arithmetic is on integers and gives the same results as on the CPU.
 *
 * Tiny strips, small strips of graphics or palette indices, and larger strips of palette indices
 * that need a deeper search are left to the CPU: the caller encodes them when it assembles the
 * file.
 *
 * This header is plain C: host code can include it without CUDA. */
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
    ImgStrips strips; /* division of the rows into strips */
    /* Candidate filters, as a mask of bits 1 << IMG_FILTER_X. Each row gets the candidate with the
     * smallest sum. */
    unsigned filters;
    /* Codes are made from every sample_step-th piece of the data, as in ImgRunsScratch. */
    unsigned sample_step;
    uint8_t stream_flags; /* second byte of the zlib header */
    /* True if rows are pixels; false if they are palette indices or samples below 8 bits. */
    bool by_value;
    /* True if strips may be encoded with LZ77, or with Paeth as the only filter. False if all
     * strips are encoded with run-length encoding and the candidates in `filters`. */
    bool matches;
    /* A strip of at most this many filtered bytes is left to the CPU. */
    size_t small;
    /* A strip of more than `small` and at most this many filtered bytes is a small strip: all
     * filters and run-length encoding, left to the CPU if it counts as graphics (small_rule.h). If
     * there are small strips, `small` must be at least IMG_STRIP_TINY. If `matches` is true,
     * `small` or `probed` must be at least IMG_STRIP_SMALL, because only the buffers of larger
     * strips have room for their samples. */
    size_t probed;
} ImgPngEncodeCudaOptions;

/* The way in which a strip was encoded. */
typedef enum ImgPngCudaStrategy {
    IMG_PNG_CUDA_LEFT_TO_CPU, /* the output has no chunk for this strip */
    IMG_PNG_CUDA_BY_RUNS,     /* run-length encoding, as IMG_STRIP_BY_RUNS; blocks may be stored */
    IMG_PNG_CUDA_BY_MATCHES,
} ImgPngCudaStrategy;

/* The chunk of a strip: length, type, data, CRC. The data of the first strip begins with the two
 * bytes of the zlib header. The data of the last strip ends with the Adler-32 of all strips (four
 * bytes). If any strip was left to the CPU, the host must replace this Adler-32 and the CRC of the
 * last chunk. */
typedef struct ImgPngCudaStrip {
    uint64_t start; /* byte offset in the output; chunks are in order and without gaps */
    uint32_t bytes; /* size of the whole chunk in bytes; 0 if left to the CPU */
    /* Adler-32 of the filtered data, as in ImgStripResult; 1 if the strip is left to the CPU. */
    uint32_t adler;
    uint32_t strategy; /* an ImgPngCudaStrategy */
    uint32_t blocks;   /* number of deflate blocks */
} ImgPngCudaStrip;

/* A deflate block of a strip that the GPU encoded. */
typedef struct ImgPngCudaBlock {
    uint32_t bit; /* start of the block, in bits from the start of the strip's first block */
    /* Number of data bytes of a stored block; 0 if the block has Huffman codes. A stored block of
     * more than 65,535 bytes is written as several frames, each with its own header. */
    uint32_t stored;
} ImgPngCudaBlock;

/* Largest number of frames of a stored block, which has at most 128 KB. A frame has at most 65,535
 * bytes. */
enum { IMG_PNG_CUDA_FRAMES_MOST = 3 };

/* Sizes derived from shape and options. A plan can be used for any number of pictures of its
 * shape. */
typedef struct ImgPngEncodeCudaPlan {
    ImgShape shape;
    ImgPngEncodeCudaOptions options;
    size_t row_bytes; /* bytes of a row in the file, without its filter type */
    /* Number of deflate blocks of a strip if run-length encoding is used: `first_blocks` for the
     * first strip, `strip_blocks` for each other strip. */
    uint32_t first_blocks, strip_blocks;
    uint32_t blocks; /* number of deflate blocks of all strips if run-length encoding is used */
    /* Largest number of deflate blocks of a strip, with any strategy that the options allow:
     * `first_starts` for the first strip, `strip_starts` for each other strip. */
    uint32_t first_starts, strip_starts;
    uint32_t starts;  /* largest number of deflate blocks of all strips */
    size_t workspace; /* size of the workspace in bytes */
    size_t output;    /* bytes that suffice for the chunks of all strips */
} ImgPngEncodeCudaPlan;

/* Addresses in GPU memory: of the pixels, the workspace and the results. */
typedef struct ImgPngEncodeCudaPlaces {
    /* Pixels as in an ImgView: 16-bit samples in native byte order; samples below 8 bits take one
     * byte each. */
    const uint8_t *pixels;
    size_t stride;           /* bytes from row to row; a multiple of the sample size */
    void *workspace;         /* plan.workspace bytes, aligned to 16 bytes */
    uint8_t *output;         /* plan.output bytes, aligned to 4 bytes */
    uint64_t *size;          /* receives the number of bytes written to `output` */
    ImgPngCudaStrip *strips; /* results of the strips, one per strip; aligned to 8 bytes */
    ImgPngCudaBlock *blocks; /* deflate blocks: plan.starts entries, grouped by strip */
} ImgPngEncodeCudaPlaces;

/* Sets the options so that the result equals the result of the CPU codec at `level`, 0 to 9.
 * Returns false if the CPU should encode all strips. The caller must exclude pictures that libpng
 * encodes (img_png_encode). */
bool img_png_encode_cuda_options(ImgShape shape, int level, ImgPngEncodeCudaOptions *options);

/* Makes a plan. Fails with IMG_E_LIMIT if the picture is too large for the GPU encoder; then the
 * CPU codec must encode it. */
ImgStatus img_png_encode_cuda_plan(ImgShape shape, const ImgPngEncodeCudaOptions *options,
                                   ImgPngEncodeCudaPlan *plan, ImgError *err);

/* Lists the starts of the deflate blocks of a strip that the GPU encoded, for
 * img_png_block_index_add. Each frame of a stored block counts as a block. `blocks` are the blocks
 * of the whole picture, in host memory; `made` is the strip's result. `starts` must have room for
 * IMG_PNG_CUDA_FRAMES_MOST starts per entry of the strip in `blocks`. Returns the number of
 * starts. */
size_t img_png_encode_cuda_starts(const ImgPngEncodeCudaPlan *plan, const ImgPngCudaBlock *blocks,
                                  const ImgPngCudaStrip *made, uint32_t strip, uint32_t *starts);

/* Returns the index of a strip's first entry in ImgPngEncodeCudaPlaces.blocks. If `strip` is
 * strips.count, returns plan.starts. */
uint32_t img_png_encode_cuda_first_start(const ImgPngEncodeCudaPlan *plan, uint32_t strip);

/* Queues all work on `stream` (a cudaStream_t) and returns without waiting. Some of the work runs
 * on `second_stream` at the same time, and `stream` waits for it; both may be the same. `stages` is
 * notified of the start of each stage; it may be NULL. */
ImgStatus img_png_encode_cuda(const ImgPngEncodeCudaPlan *plan,
                              const ImgPngEncodeCudaPlaces *places, void *stream,
                              void *second_stream, const ImgStages *stages, ImgError *err);

/* --- Batches of pictures ---------------------------------------------------------------------- */

/* A picture of a batch. */
typedef struct ImgPngEncodeCudaItem {
    ImgPngEncodeCudaPlan plan;
    ImgPngEncodeCudaPlaces places;
} ImgPngEncodeCudaItem;

/* The memory in bytes that a batch needs besides the places of its items: workspace on the device,
 * and pinned memory of the host. */
typedef struct ImgPngEncodeCudaBatchBytes {
    size_t device, host;
} ImgPngEncodeCudaBatchBytes;

ImgPngEncodeCudaBatchBytes img_png_encode_cuda_batch_bytes(const ImgPngEncodeCudaItem *items,
                                                           size_t count);

/* Like img_png_encode_cuda, for at most IMG_PNG_ENCODE_CUDA_BATCH_MOST pictures of any sizes,
 * formats and options, with a fixed number of launches. Each picture gets the same result as from
 * img_png_encode_cuda. `items` may be released after the call. `workspace` (device memory, aligned
 * to 256 bytes) and `host` (pinned memory, aligned to 16 bytes) have the bytes that
 * img_png_encode_cuda_batch_bytes returns. Both are in use until the stream has finished. */
ImgStatus img_png_encode_cuda_batch(const ImgPngEncodeCudaItem *items, size_t count,
                                    void *workspace, void *host, void *stream, void *second_stream,
                                    const ImgStages *stages, ImgError *err);

enum { IMG_PNG_ENCODE_CUDA_BATCH_MOST = 32768 }; /* a grid has at most 65535 layers */

#ifdef __cplusplus
}
#endif
#endif
