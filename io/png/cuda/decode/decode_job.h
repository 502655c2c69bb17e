/* Private to decode: the data that its kernels share, and the stages in order. Each stage is a
 * function that launches the kernels of one file.
 *
 * A part is the data of one IDAT chunk; all parts together are the stream. A piece is a section of
 * a part whose CRC one warp computes. A block is a deflate block; it is divided into subsequences
 * of DECODE_STEP bits, which are decoded in parallel and listed in chunks of DECODE_CHUNK. The
 * chain is the sequence of blocks that makes up the stream. A cell (decode_cells.cuh) holds one
 * inflated byte or a reference to an earlier one. A tile is a section of the cells. A band is a
 * group of rows that one thread block unfilters. A carry word passes pixels of a band's last row to
 * the next band. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_JOB_H
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_JOB_H

#include <stdalign.h>

#include "io/png/cuda/decode/png_decode_cuda.h"
#include "kernels/core/cuda/host_device.h"

enum {
    DECODE_PIECE = 4096,     /* bytes of a piece */
    DECODE_FIRST_BIT = 16,   /* bit position of the first block, after the zlib header */
    DECODE_STEP = 512,       /* bits of a subsequence */
    DECODE_CHUNK = 256,      /* subsequences of a block that are listed as one chunk */
    DECODE_THREADS = 128,    /* threads of a thread block; subsequences that it decodes at a time */
    DECODE_EXTRAS = 512,     /* largest number of blocks that the search did not find */
    DECODE_BAND_ROWS = 32,   /* largest number of rows of a band */
    DECODE_CARRY_GROUP = 8,  /* pixels of a row that a band reads from the carry words at a time */
    DECODE_CELLS_BEHIND = 8, /* cells after the last one that may be read but are not used */
    DECODE_TILE = 30 << 10,  /* cells of a tile; a tile uses 60 KB of shared memory */
};

#define DECODE_NOWHERE UINT32_MAX

/* Code tables of a block. `literals` and `distances` are tables for short codes, with entries
 * `symbol << 4 | bits`; the entry is 0 for longer codes and unused bits. The other fields describe
 * all codes in canonical form. */
enum { LITERAL_ROOT = 10, DISTANCE_ROOT = 8, CODE_LENGTHS = 16 };

typedef struct CanonicalCode {
    uint16_t limit[CODE_LENGTHS]; /* [n]: end of the codes of up to n bits, as a 15-bit number */
    uint16_t base[CODE_LENGTHS]; /* [n]: index of a symbol, less its code of n bits (modulo 2^16) */
} CanonicalCode;

typedef struct Codes {
    alignas(16) uint16_t literals[1 << LITERAL_ROOT];
    uint16_t distances[1 << DISTANCE_ROOT];
    CanonicalCode literal_code, distance_code;
    uint16_t literal_symbols[288], distance_symbols[32]; /* symbols in the order of their codes */
} Codes;

/* A block with codes. It is divided into subsequences of DECODE_STEP bits, starting at its first
 * symbol. */
typedef enum BlockState { BLOCK_INVALID, BLOCK_ENDED, BLOCK_OPEN, BLOCK_DAMAGED } BlockState;

typedef struct Block {
    uint32_t start;   /* bit position of its header */
    uint32_t symbols; /* bit position of its first symbol */
    /* Bit position after the block, or as far as it was decoded while it is still open. */
    uint32_t end;
    uint32_t after; /* bit position of the next block; empty stored blocks before it are skipped */
    uint32_t size;  /* inflated bytes decoded so far */
    uint32_t out;  /* position of the block's bytes in the inflated stream; DECODE_NOWHERE: not part
                    * of the chain */
    uint32_t subs; /* number of subsequences decoded so far */
    uint32_t first_sub;
    uint32_t codes; /* index of its code tables */
    uint8_t state, last;
} Block;

/* A subsequence: bit position of its first symbol, and position of its output within the block's
 * bytes. */
typedef struct Sub {
    uint32_t begin, place;
} Sub;

/* The result of decoding a subsequence: bit position of its first symbol, bit position after its
 * last one, bytes of output, and state of the block after it (a BlockState). */
typedef struct SubResult {
    uint32_t begin, end, size;
    uint8_t state;
} SubResult;

/* Up to DECODE_CHUNK subsequences of a block, the first one with number `chunk * DECODE_CHUNK`. */
typedef struct Chunk {
    uint32_t block, chunk;
} Chunk;

typedef struct StoredData {
    uint32_t byte, size, out;
} StoredData;

/* Rows that one thread block unfilters together. */
typedef struct Band {
    uint32_t first;
    uint16_t rows;
    uint8_t receives, sends; /* flags: `receives`: needs the previous band's last row; `sends`:
                              * passes its own last row to the next band */
} Band;

/* Counters in device memory; all must start as zeros. */
typedef struct DecodeCounters {
    unsigned long long sum, weighted; /* the sums for the Adler-32 (decode_adler.cuh) */
    uint32_t failures;                /* status bits (png_decode_cuda.h) */
    uint32_t possible, found; /* number of positions that passed the first tests; number of valid
                               * headers among them */
    uint32_t extras, stored;  /* number of blocks that the search did not find; number of stored
                               * blocks with data */
    uint32_t copies;          /* number of entries for list_kernel */
    uint32_t long_chains;     /* 1 if chains of copies lead through too many tiles */
    uint32_t chunks;          /* chunks of all blocks, including extra ones */
    uint32_t bands, band;     /* number of bands; number of the next band to process */
} DecodeCounters;

typedef struct DecodeJob {
    /* File: */
    const uint8_t *file;
    const ImgPngCudaPart *parts;
    uint32_t part_count, pieces, stream_bytes;
    uint32_t end_bit; /* bit position of the Adler-32, after the last block */
    /* Picture: */
    uint32_t height, row_bytes, inflated;
    uint32_t width, bits,
        pixel;        /* `pixel`: distance in bytes to the byte on the left that the filters use */
    uint32_t samples; /* samples per row */
    uint8_t *pixels;
    size_t stride;
    uint32_t *status;
    /* Workspace: */
    DecodeCounters *counters;
    uint32_t *crcs; /* one CRC per part; must start as zeros */
    uint32_t *stream;
    uint32_t stream_words; /* size of `stream` in words, a multiple of four; includes zeros as
                            * padding at the end */
    uint32_t *possible, *found;
    uint32_t possible_most, found_most, stored_most;
    Block *blocks; /* the found blocks in order; extra blocks from index found_most onwards */
    Codes *codes;
    Sub *subs, *extra_subs;
    SubResult *sub_results; /* speculative results of found blocks; extra blocks have none */
    Chunk *chunks;
    uint32_t chunks_most;
    StoredData *stored;
    uint16_t *cells;
    uint8_t *bytes;
    Band *bands;
    uint32_t band_places;
    uint32_t *carry; /* carry words, two pixels of one channel each; must start as zeros */
} DecodeJob;

#ifdef __cplusplus
extern "C" {
#endif

/* decode_gather.cu: copies the parts to contiguous memory. */
void decode_gather(const DecodeJob *job, void *stream);
/* decode_crc.cu: checks the CRCs of the parts. */
void decode_crc(const DecodeJob *job, void *stream);
/* decode_find.cu: finds possible block starts and sorts them. */
void decode_find(const DecodeJob *job, void *stream);
/* Replaces decode_find: takes block starts from a list in device memory. `count` is 1 to
 * found_most. */
void decode_take_list(const DecodeJob *job, const uint32_t *starts, uint32_t count, void *stream);
/* decode_blocks.cu: decodes the codes, the subsequences and the size of each found block. */
void decode_blocks(const DecodeJob *job, void *stream);
/* decode_chain.cu: determines the sequence of blocks that makes up the stream. */
void decode_chain(const DecodeJob *job, void *stream);
/* decode_write.cu: writes the blocks' symbols as cells. */
void decode_write(const DecodeJob *job, void *stream);
/* decode_copies.cu: resolves cells to bytes, and computes their Adler-32. */
void decode_copies(const DecodeJob *job, void *stream);
/* decode_unfilter.cu: reverses the filters, from bytes to pixels. */
void decode_unfilter(const DecodeJob *job, void *stream);
/* decode_verdict.cu: writes the status word from all results. */
void decode_verdict(const DecodeJob *job, void *stream);

/* Parts per chunk. A thread block processes one part: small thread blocks are spread more evenly
 * over the GPU. */
enum { DECODE_CHUNK_PARTS = DECODE_CHUNK / DECODE_THREADS };

/* Returns the number of thread blocks for work whose amount only the GPU knows. Most files then
 * need one or two rounds. */
static inline uint32_t decode_some(const DecodeJob *job)
{
    const uint32_t most = 2048;
    return job->stream_bytes / 256 < most ? job->stream_bytes / 256 + 1 : most;
}

/* Returns the number of pixels for which a row has carry words: its pixels, rounded up to a
 * group. */
IMG_HOST_DEVICE uint32_t decode_carry_pixels(uint32_t row_bytes, uint32_t pixel)
{
    return (row_bytes / pixel + DECODE_CARRY_GROUP - 1) / DECODE_CARRY_GROUP * DECODE_CARRY_GROUP;
}

#ifdef __cplusplus
}
#endif
#endif
