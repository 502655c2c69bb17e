/* Private to decode: what its kernels work on, and the stages in their order. Each stage is a
 * function that launches the kernels of one file. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_WORK_H
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_WORK_H

#include <stdalign.h>

#include "io/png/cuda/decode/png_decode_cuda.h"
#include "kernels/core/cuda/host_device.h"

enum {
    DECODE_PIECE = 4096,     /* bytes of a part whose CRC a warp takes */
    DECODE_FIRST_BIT = 16,   /* of the first block */
    DECODE_STEP = 512,       /* bits of a subsequence */
    DECODE_CHUNK = 256,      /* subsequences of a block that are listed together, */
    DECODE_THREADS = 128,    /* and those that a block of threads takes at a time */
    DECODE_EXTRAS = 512,     /* blocks that the search does not find */
    DECODE_BAND_ROWS = 32,   /* whose filters a block of threads undoes, at most */
    DECODE_MAIL_GROUP = 8,   /* pixels of a row of which a band is told at a time */
    DECODE_CELLS_BEHIND = 8, /* the last cell, which are read and not used */
    DECODE_TILE = 30 << 10,  /* cells of which copies are resolved in 60 KB of shared memory */
};

#define DECODE_NOWHERE UINT32_MAX

/* Codes of a block: a table for codes that are short enough, entries `symbol << 4 | bits`, 0 where
 * a longer code begins or none; and the canonical form of all. */
enum { LITERAL_ROOT = 10, DISTANCE_ROOT = 8, CODE_LENGTHS = 16 };

typedef struct CanonicalCode {
    uint16_t limit[CODE_LENGTHS]; /* behind the codes of so many bits and fewer, as 15 bits */
    uint16_t base[CODE_LENGTHS];  /* a code of so many bits and this are its symbol's place */
} CanonicalCode;

typedef struct Codes {
    alignas(16) uint16_t literals[1 << LITERAL_ROOT];
    uint16_t distances[1 << DISTANCE_ROOT];
    CanonicalCode literal_code, distance_code;
    uint16_t literal_symbols[288], distance_symbols[32]; /* in the order of their codes */
} Codes;

/* A block with codes, cut into subsequences of DECODE_STEP bits from its first symbol on. */
typedef enum BlockState { BLOCK_INVALID, BLOCK_ENDED, BLOCK_OPEN, BLOCK_DAMAGED } BlockState;

typedef struct Block {
    uint32_t start;   /* the bit of its header */
    uint32_t symbols; /* the bit of its first symbol */
    uint32_t end;     /* behind its end, or where it is still open */
    uint32_t after;   /* where the next block starts that is neither stored nor empty */
    uint32_t size;    /* bytes that it inflates to, as far as it was read */
    uint32_t out;     /* where they go; DECODE_NOWHERE: it is no block of the chain */
    uint32_t subs;    /* subsequences, as far as it was read */
    uint32_t first_sub;
    uint32_t codes; /* number of its tables */
    uint8_t state, last;
} Block;

/* A subsequence: where its first symbol starts, and where in the block's bytes that goes. */
typedef struct Sub {
    uint32_t begin, place;
} Sub;

/* What a thread found in a subsequence: where its first symbol starts and its last one ends, the
 * bytes that they give, and whether the block goes on. */
typedef struct Stretch {
    uint32_t begin, end, size;
    uint8_t state;
} Stretch;

/* Subsequences of a block, from number `chunk * DECODE_CHUNK` on. */
typedef struct Chunk {
    uint32_t block, chunk;
} Chunk;

typedef struct StoredData {
    uint32_t byte, size, out;
} StoredData;

/* Rows whose filters are undone together. */
typedef struct Band {
    uint32_t first;
    uint16_t rows;
    uint8_t asks, tells; /* for the bytes of the row above, of its last row */
} Band;

/* All zeros at the start. */
typedef struct DecodeCounters {
    unsigned long long sum, weighted; /* of the Adler-32 */
    uint32_t doubts;                  /* bits of the status */
    uint32_t possible, found;         /* headers */
    uint32_t extras, stored;          /* blocks, runs of bytes */
    uint32_t copies;                  /* listed for list_kernel */
    uint32_t long_chains;             /* copies of copies through too many tiles */
    uint32_t chunks;                  /* of all blocks, extras among them */
    uint32_t bands, band;             /* how many, the next one to be taken */
} DecodeCounters;

typedef struct DecodeWork {
    /* the file */
    const uint8_t *file;
    const ImgPngCudaPart *parts;
    uint32_t part_count, pieces, stream_bytes;
    uint32_t end_bit; /* of the blocks: the Adler-32 starts there */
    /* the picture */
    uint32_t height, row_bytes, inflated;
    uint32_t width, bits, pixel; /* pixel: bytes to the corresponding one to the left */
    uint32_t samples;            /* of a row */
    uint8_t *pixels;
    size_t stride;
    uint32_t *status;
    /* the workspace */
    DecodeCounters *counters;
    uint32_t *crcs; /* of the parts; zeros at the start */
    uint32_t *stream;
    uint32_t stream_words; /* a multiple of four, more than the stream has: zeros at the end */
    uint32_t *possible, *found;
    uint32_t possible_most, found_most, stored_most;
    Block *blocks; /* those that were found, sorted; extras from found_most on */
    Codes *codes;
    Sub *subs, *extra_subs;
    Stretch *stretches; /* as a first guess; not of extras */
    Chunk *chunks;
    uint32_t chunks_most;
    StoredData *stored;
    uint16_t *cells;
    uint8_t *bytes;
    Band *bands;
    uint32_t band_places;
    uint32_t
        *mail; /* what a band is told by the one before, two pixels a word; zeros at the start */
} DecodeWork;

#ifdef __cplusplus
extern "C" {
#endif

/* decode_gather.cu: the parts become one stream. */
void decode_gather(const DecodeWork *work, void *stream);
/* decode_crc.cu: their CRCs. */
void decode_crc(const DecodeWork *work, void *stream);
/* decode_find.cu: where blocks may start, in order. */
void decode_find(const DecodeWork *work, void *stream);
/* The same, as a list in device memory says: `count` is 1 to found_most. */
void decode_take_list(const DecodeWork *work, const uint32_t *starts, uint32_t count, void *stream);
/* decode_blocks.cu: codes, subsequences and sizes of each, as far as the next one. */
void decode_blocks(const DecodeWork *work, void *stream);
/* decode_chain.cu: which blocks follow each other from the first to the last. */
void decode_chain(const DecodeWork *work, void *stream);
/* decode_write.cu: their symbols as cells. */
void decode_write(const DecodeWork *work, void *stream);
/* decode_copies.cu: cells as bytes, and their checksum. */
void decode_copies(const DecodeWork *work, void *stream);
/* decode_unfilter.cu: bytes as pixels. */
void decode_unfilter(const DecodeWork *work, void *stream);
/* decode_verdict.cu: the word of status. */
void decode_verdict(const DecodeWork *work, void *stream);

/* Parts of chunks: small blocks of threads are spread more evenly over the GPU. */
enum { DECODE_CHUNK_PARTS = DECODE_CHUNK / DECODE_THREADS };

/* Blocks of threads for work of which only the GPU knows how much there is: enough for most files
 * to be done in one go, or two. */
static inline uint32_t decode_some(const DecodeWork *work)
{
    const uint32_t most = 2048;
    return work->stream_bytes / 256 < most ? work->stream_bytes / 256 + 1 : most;
}

/* Of one channel of a row. */
IMG_HOST_DEVICE uint32_t decode_mail_pixels(uint32_t row_bytes, uint32_t pixel)
{
    return (row_bytes / pixel + DECODE_MAIL_GROUP - 1) / DECODE_MAIL_GROUP * DECODE_MAIL_GROUP;
}

#ifdef __cplusplus
}
#endif
#endif
