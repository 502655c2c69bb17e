/* Private to decode: the data that its kernels share, and the stages in order. Each stage is a
 * function that launches the kernels of one file. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_JOB_H
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_JOB_H

#include <stdalign.h>

#include "io/png/cuda/decode/png_decode_cuda.h"
#include "kernels/core/cuda/host_device.h"

enum {
    DECODE_PIECE = 4096,     /* bytes of a part whose CRC a warp computes */
    DECODE_FIRST_BIT = 16,   /* position of the first block */
    DECODE_STEP = 512,       /* bits of a subsequence */
    DECODE_CHUNK = 256,      /* subsequences of a block that are listed together */
    DECODE_THREADS = 128,    /* threads of a block; subsequences it handles at a time */
    DECODE_EXTRAS = 512,     /* most blocks that the search did not find */
    DECODE_BAND_ROWS = 32,   /* most rows of a band, which a thread block unfilters */
    DECODE_CARRY_GROUP = 8,  /* pixels of a row that a band passes on at a time */
    DECODE_CELLS_BEHIND = 8, /* cells after the last one that may be read and are not used */
    DECODE_TILE = 30 << 10,  /* cells of a tile, resolved in 60 KB of shared memory */
};

#define DECODE_NOWHERE UINT32_MAX

/* Codes of a block: a table for short codes, with entries `symbol << 4 | bits`, 0 for longer codes
 * and unused bits; and the canonical form of all codes. */
enum { LITERAL_ROOT = 10, DISTANCE_ROOT = 8, CODE_LENGTHS = 16 };

typedef struct CanonicalCode {
    uint16_t limit[CODE_LENGTHS]; /* end of the codes of up to so many bits, as 15 bits */
    uint16_t base[CODE_LENGTHS];  /* added to a code of so many bits it gives the index of its
                                   * symbol */
} CanonicalCode;

typedef struct Codes {
    alignas(16) uint16_t literals[1 << LITERAL_ROOT];
    uint16_t distances[1 << DISTANCE_ROOT];
    CanonicalCode literal_code, distance_code;
    uint16_t literal_symbols[288], distance_symbols[32]; /* in code order */
} Codes;

/* A block with codes, divided into subsequences of DECODE_STEP bits from its first symbol on. */
typedef enum BlockState { BLOCK_INVALID, BLOCK_ENDED, BLOCK_OPEN, BLOCK_DAMAGED } BlockState;

typedef struct Block {
    uint32_t start;   /* bit position of its header */
    uint32_t symbols; /* bit position of its first symbol */
    uint32_t end;     /* bit position after its end, or where it is still open */
    uint32_t after;   /* bit position of the next block that is not an empty stored one */
    uint32_t size;    /* inflated bytes, as far as it was read */
    uint32_t out;     /* position of these in the inflated stream; DECODE_NOWHERE: not part of the
                       * chain */
    uint32_t subs;    /* number of subsequences, as far as it was read */
    uint32_t first_sub;
    uint32_t codes; /* index of its tables */
    uint8_t state, last;
} Block;

/* A subsequence: start of its first symbol, and position of its output within the block. */
typedef struct Sub {
    uint32_t begin, place;
} Sub;

/* The result of decoding a subsequence: start of its first symbol, end of its last one, bytes of
 * output, and state of the block after it. */
typedef struct SubResult {
    uint32_t begin, end, size;
    uint8_t state;
} SubResult;

/* Subsequences of a block from number `chunk * DECODE_CHUNK` on. */
typedef struct Chunk {
    uint32_t block, chunk;
} Chunk;

typedef struct StoredData {
    uint32_t byte, size, out;
} StoredData;

/* Rows that are unfiltered together. */
typedef struct Band {
    uint32_t first;
    uint16_t rows;
    uint8_t receives, sends; /* receives the row above from the previous band; passes its last row
                              * to the next */
} Band;

/* All zeros at the start. */
typedef struct DecodeCounters {
    unsigned long long sum, weighted; /* for the Adler-32 */
    uint32_t failures;                /* status bits */
    uint32_t possible, found;         /* number of headers */
    uint32_t extras, stored;          /* number of extra blocks, of stored blocks with data */
    uint32_t copies;                  /* entries for list_kernel */
    uint32_t long_chains;             /* set if chains of copies lead through too many tiles */
    uint32_t chunks;                  /* chunks of all blocks, including extra ones */
    uint32_t bands, band;             /* number of bands, next one to be taken */
} DecodeCounters;

typedef struct DecodeJob {
    /* File: */
    const uint8_t *file;
    const ImgPngCudaPart *parts;
    uint32_t part_count, pieces, stream_bytes;
    uint32_t end_bit; /* end of the blocks, start of the Adler-32 */
    /* Picture: */
    uint32_t height, row_bytes, inflated;
    uint32_t width, bits,
        pixel;        /* `pixel`: distance in bytes to the corresponding byte on the left */
    uint32_t samples; /* samples per row */
    uint8_t *pixels;
    size_t stride;
    uint32_t *status;
    /* Workspace: */
    DecodeCounters *counters;
    uint32_t *crcs; /* one per part; zeros at the start */
    uint32_t *stream;
    uint32_t stream_words; /* a multiple of four; includes padding of zeros at the end */
    uint32_t *possible, *found;
    uint32_t possible_most, found_most, stored_most;
    Block *blocks; /* blocks that were found, sorted; extra ones from found_most on */
    Codes *codes;
    Sub *subs, *extra_subs;
    SubResult *sub_results; /* speculative results; not for extra blocks */
    Chunk *chunks;
    uint32_t chunks_most;
    StoredData *stored;
    uint16_t *cells;
    uint8_t *bytes;
    Band *bands;
    uint32_t band_places;
    uint32_t *carry; /* carry words between bands, two pixels each; zeros at the start */
} DecodeJob;

#ifdef __cplusplus
extern "C" {
#endif

/* decode_gather.cu: copies the parts to contiguous memory. */
void decode_gather(const DecodeJob *job, void *stream);
/* decode_crc.cu: checks the CRCs of the parts. */
void decode_crc(const DecodeJob *job, void *stream);
/* decode_find.cu: finds possible block starts, in order. */
void decode_find(const DecodeJob *job, void *stream);
/* Takes block starts from a list in device memory instead; `count` is 1 to found_most. */
void decode_take_list(const DecodeJob *job, const uint32_t *starts, uint32_t count, void *stream);
/* decode_blocks.cu: decodes codes, subsequences and sizes of each block up to the next one. */
void decode_blocks(const DecodeJob *job, void *stream);
/* decode_chain.cu: determines the sequence of blocks. */
void decode_chain(const DecodeJob *job, void *stream);
/* decode_write.cu: writes the blocks' symbols as cells. */
void decode_write(const DecodeJob *job, void *stream);
/* decode_copies.cu: resolves cells to bytes, and computes the checksum. */
void decode_copies(const DecodeJob *job, void *stream);
/* decode_unfilter.cu: converts bytes to pixels. */
void decode_unfilter(const DecodeJob *job, void *stream);
/* decode_verdict.cu: writes the status word. */
void decode_verdict(const DecodeJob *job, void *stream);

/* Parts of a chunk: small thread blocks are spread more evenly over the GPU. */
enum { DECODE_CHUNK_PARTS = DECODE_CHUNK / DECODE_THREADS };

/* Returns the number of thread blocks for work whose amount only the GPU knows: enough for most
 * files to need one or two rounds. */
static inline uint32_t decode_some(const DecodeJob *job)
{
    const uint32_t most = 2048;
    return job->stream_bytes / 256 < most ? job->stream_bytes / 256 + 1 : most;
}

/* Returns the pixels per channel of a row's carry words. */
IMG_HOST_DEVICE uint32_t decode_carry_pixels(uint32_t row_bytes, uint32_t pixel)
{
    return (row_bytes / pixel + DECODE_CARRY_GROUP - 1) / DECODE_CARRY_GROUP * DECODE_CARRY_GROUP;
}

#ifdef __cplusplus
}
#endif
#endif
