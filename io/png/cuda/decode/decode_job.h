/* Private to decode: the data that its kernels share, and the stages in their order. Each stage is
 * a function that launches the kernels of one file.
 *
 * A part is the data of one IDAT chunk; all parts together are the stream. A piece is a section of
 * a part; one warp computes its CRC. A block is a deflate block. It is divided into subsequences of
 * DECODE_STEP bits, which are decoded in parallel and listed in chunks of DECODE_CHUNK. The chain
 * is the sequence of blocks that makes up the stream.
 *
 * A cell (decode_bits.cuh) holds one inflated byte or a reference to an earlier byte. A tile is a
 * section of the cells. A band is a group of rows that one thread block unfilters. A carry word
 * passes pixels of a band's last row to the next band. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_JOB_H
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_JOB_H

#include <stdalign.h>

#include "io/png/cuda/decode/png_decode_cuda.h"
#include "kernels/core/cuda/host_device.h"

enum {
    DECODE_PIECE = 4096,    /* size of a piece (section of an IDAT chunk's data) in bytes */
    DECODE_FIRST_BIT = 16,  /* bit position of the first block, after the zlib header */
    DECODE_STEP = 512,      /* size of a subsequence in bits */
    DECODE_STEP_MOST = 768, /* in a batch: largest size of a subsequence in bits */
    DECODE_CHUNK = 256,     /* largest number of subsequences that are listed as one chunk */
    /* Number of threads of a thread block, and number of subsequences that it decodes at a time. */
    DECODE_THREADS = 128,
    /* Largest number of extra blocks: blocks of the stream that the search misses. */
    DECODE_EXTRAS = 512,
    DECODE_BAND_ROWS = 32, /* largest number of rows of a band */
    /* Number of pixels that a band reads at a time from the carry words of the band above. */
    DECODE_CARRY_GROUP = 8,
    /* Number of cells past the last one that may be read; their values are not used. */
    DECODE_CELLS_BEHIND = 8,
    DECODE_BYTES_BEHIND = 8, /* number of bytes past the last one that may be read */
    DECODE_TILE = 30 << 10,  /* number of cells of a tile, which uses 60 KB of shared memory */
    DECODE_PIXEL_MOST = 8,   /* largest distance to the left neighbour that filters use, in bytes */
};

#define DECODE_NOWHERE UINT32_MAX

/* In a batch: returns the size of subsequences, in bits, that divides a block of `bits` bits among
 * the threads of a thread block, with a sixteenth to spare, as the next block may be a little
 * longer. A long block is decoded in several rounds. */
IMG_HOST_DEVICE uint32_t decode_step_for(uint32_t bits)
{
    const uint32_t least = 128, wanted = bits + bits / 16;
    const uint32_t rounds = wanted / (DECODE_STEP_MOST * DECODE_CHUNK) + 1;
    const uint32_t step = wanted / (rounds * DECODE_CHUNK) + 1;
    return step > least ? step : least;
}

/* In a batch: returns the largest size of subsequences of a stream. */
IMG_HOST_DEVICE uint32_t decode_step_most(uint32_t stream_bytes)
{
    const uint32_t most = DECODE_STEP_MOST, bits = stream_bytes * 8;
    /* A block that is decoded in several rounds may have steps up to `most`. */
    return bits + bits / 16 < most * DECODE_CHUNK ? decode_step_for(bits) : most;
}

/* In a batch: returns the largest number of records (decode_records.cuh) of a subsequence of `step`
 * bits. The shortest record is a match of 2 bits; the last one may be the end of the block. */
IMG_HOST_DEVICE uint32_t decode_records_most(uint32_t step)
{
    return step / 2 + 2;
}

/* LITERAL_ROOT and DISTANCE_ROOT: number of bits that index the tables for short codes.
 * CODE_LENGTHS: number of possible code lengths, 0 to 15 bits. */
enum { LITERAL_ROOT = 10, DISTANCE_ROOT = 8, CODE_LENGTHS = 16 };

typedef struct CanonicalCode {
    uint16_t limit[CODE_LENGTHS]; /* [n]: end of the codes of up to n bits, as a 15-bit number */
    /* [n]: index of a symbol of n bits in code order, less its code (modulo 2^16). */
    uint16_t base[CODE_LENGTHS];
} CanonicalCode;

/* Code tables of a block. `literals` and `distances` are tables for short codes, with entries
 * `symbol << 4 | bits`. An entry is 0 if the code is longer or unused. The other fields describe
 * all codes in canonical form. */
typedef struct Codes {
    alignas(16) uint16_t literals[1 << LITERAL_ROOT];
    uint16_t distances[1 << DISTANCE_ROOT];
    CanonicalCode literal_code, distance_code;
    uint16_t literal_symbols[288], distance_symbols[32]; /* symbols in the order of their codes */
} Codes;

/* State of a block or subsequence after decoding. INVALID: the header is invalid. ENDED: its
 * end-of-block code was read. OPEN: decoding stopped at a limit before the end. DAMAGED: an invalid
 * symbol was read. */
typedef enum BlockState { BLOCK_INVALID, BLOCK_ENDED, BLOCK_OPEN, BLOCK_DAMAGED } BlockState;

/* A deflate block with Huffman codes. Its symbols are decoded in subsequences of DECODE_STEP bits,
 * the first of which starts at the first symbol. */
typedef struct Block {
    uint32_t start;   /* bit position of the block's header */
    uint32_t symbols; /* bit position of the block's first symbol */
    /* Bit position after the block. While the block is open: bit position up to which it was
     * decoded. */
    uint32_t end;
    uint32_t after; /* bit position of the next block, after skipping empty stored blocks */
    uint32_t size;  /* number of inflated bytes decoded so far */
    /* Position of the block's bytes in the inflated stream. DECODE_NOWHERE: the block is not part
     * of the chain. */
    uint32_t out;
    uint32_t subs; /* number of subsequences decoded so far */
    uint32_t first_sub;
    uint32_t codes; /* index of the block's code tables */
    uint8_t state, last;
} Block;

/* A subsequence: the bit position of its first symbol, and the position of its first byte within
 * the inflated bytes of the block. */
typedef struct Sub {
    uint32_t begin, place;
} Sub;

/* The result of decoding a subsequence: bit position of its first symbol, bit position after its
 * last symbol, number of inflated bytes, and state of the block after it (a BlockState). */
typedef struct SubResult {
    uint32_t begin, end, size;
    uint8_t state;
} SubResult;

/* Up to DECODE_CHUNK subsequences of a block. Within the block, the index of the first one is
 * DECODE_CHUNK times `chunk`. */
typedef struct Chunk {
    uint32_t block, chunk;
} Chunk;

typedef struct StoredData {
    uint32_t byte, size, out;
} StoredData;

/* A group of rows that one thread block unfilters together. */
typedef struct Band {
    uint32_t first;
    uint16_t rows;
    /* Flags. `receives`: the band needs the last row of the previous band. `sends`: the band passes
     * its own last row to the next band. */
    uint8_t receives, sends;
} Band;

/* Counters in device memory; all must start as zeros. */
typedef struct DecodeCounters {
    unsigned long long sum, weighted; /* sums for the Adler-32 (decode_adler.cuh) */
    uint32_t failures;                /* bits of the status word (png_decode_cuda.h) */
    /* `possible`: number of positions that passed the first tests of the search. `found`: number of
     * valid headers at these positions. */
    uint32_t possible, found;
    /* `extras`: number of extra blocks, which the search missed. `stored`: number of stored blocks
     * that have data. */
    uint32_t extras, stored;
    uint32_t copies; /* number of matches that list_kernel stores (decode_write.cu) */
    /* 1 if chains of copies lead through too many tiles (decode_copies.cu). */
    uint32_t long_chains;
    uint32_t chunks; /* number of chunks of subsequences of all blocks, including extra blocks */
    /* `bands`: number of bands. `band`: number of the next band to unfilter. */
    uint32_t bands, band;
} DecodeCounters;

typedef struct DecodeJob {
    /* The file in device memory. */
    const uint8_t *file;
    const ImgPngCudaPart *parts;
    uint32_t part_count, pieces, stream_bytes;
    uint32_t end_bit; /* bit position of the Adler-32, which follows the last block */
    /* `row_bytes`: bytes of a row without its filter type. `inflated`: size of the inflated stream
     * in bytes. */
    uint32_t height, row_bytes, inflated;
    /* `bits`: bits per sample. `pixel`: distance in bytes to the left neighbour that the filters
     * use. */
    uint32_t width, bits, pixel;
    uint32_t samples; /* number of samples per row */
    uint8_t *pixels;
    size_t stride;
    uint32_t *status;
    /* Arrays in the workspace, and their sizes. */
    DecodeCounters *counters;
    uint32_t *crcs; /* one CRC per part (IDAT chunk); decode_crc requires zeros at the start */
    uint32_t *stream;
    /* Size of `stream` in 32-bit words, a multiple of four. Includes zeros as padding at the
     * end. */
    uint32_t stream_words;
    uint32_t *possible, *found;
    uint32_t possible_most, found_most, stored_most;
    /* Blocks that the search found, in order. From index found_most onwards: extra blocks, which
     * the search missed. */
    Block *blocks;
    Codes *codes;
    Sub *subs, *extra_subs;
    void *records; /* in a batch: memory for records (decode_records.cuh) */
    /* Speculative results of the blocks that the search found; other blocks have none. */
    SubResult *sub_results;
    Chunk *chunks;
    uint32_t chunks_most;
    StoredData *stored;
    uint16_t *cells;
    uint8_t *bytes;
    Band *bands;
    uint32_t band_places;
    /* Carry words. Each holds two pixels of one channel. They must start as zeros. */
    uint32_t *carry;
} DecodeJob;

#ifdef __cplusplus
extern "C" {
#endif

/* decode_gather.cu: copies the parts to contiguous memory. */
void img_decode_gather(const DecodeJob *job, void *stream);
/* decode_crc.cu: checks the CRCs of the parts. */
void img_decode_crc(const DecodeJob *job, void *stream);
/* decode_find.cu: finds possible block starts and sorts them. */
void img_decode_find(const DecodeJob *job, void *stream);
/* Replaces img_decode_find: takes `count` block starts from the list `starts` in device memory.
 * `count` is at least 1 and at most found_most. */
void img_decode_take_list(const DecodeJob *job, const uint32_t *starts, uint32_t count,
                          void *stream);
/* decode_blocks.cu: makes the code tables of each found block and decodes its subsequences, which
 * gives its size. */
void img_decode_blocks(const DecodeJob *job, void *stream);
/* decode_chain.cu: determines the chain, the sequence of blocks that makes up the stream. */
void img_decode_chain(const DecodeJob *job, void *stream);
/* decode_write.cu: writes the symbols of all blocks as cells. */
void img_decode_write(const DecodeJob *job, void *stream);
/* decode_copies.cu: resolves cells to bytes, and sums the bytes for the Adler-32. */
void img_decode_copies(const DecodeJob *job, void *stream);
/* decode_unfilter.cu: reverses the row filters, which turns bytes into pixels. */
void img_decode_unfilter(const DecodeJob *job, void *stream);
/* decode_crc.cu: writes the status word from all results. */
void img_decode_verdict(const DecodeJob *job, void *stream);

/* The jobs of a batch of files, which the stages below process together. */
typedef struct DecodeBatch {
    const DecodeJob *jobs; /* in device memory, in the order of DecodeJob.pixel */
    uint32_t count;
    uint32_t stream_words, pieces, parts, bands; /* the largest of all files */
    /* Largest number of samples of a row, and of rows, of files with fewer than 8 bits per sample;
     * 0 if there are none. */
    uint32_t packed_samples, packed_rows;
    uint32_t of_pixel[DECODE_PIXEL_MOST + 1]; /* [n]: number of jobs whose `pixel` is n */
} DecodeBatch;

/* The stages of a batch. img_decode_..._many does for all files what img_decode_... does for one
 * file. img_decode_streams (decode_streams.cu) inflates each stream with one thread block. */
void img_decode_gather_many(const DecodeBatch *batch, void *stream);
void img_decode_crc_many(const DecodeBatch *batch, void *stream);
void img_decode_streams(const DecodeBatch *batch, void *stream);
void img_decode_unfilter_many(const DecodeBatch *batch, void *stream);
void img_decode_verdict_many(const DecodeBatch *batch, void *stream);

/* Number of groups of DECODE_THREADS subsequences in a chunk of subsequences. A thread block
 * processes one group at a time, because small thread blocks are spread more evenly over the
 * GPU. */
enum { DECODE_CHUNK_PARTS = DECODE_CHUNK / DECODE_THREADS };

/* Returns a number of thread blocks for work whose amount is known only on the GPU. With this
 * number, each thread block runs its loop once or twice for most files. */
static inline uint32_t decode_some(const DecodeJob *job)
{
    const uint32_t most = 2048;
    return job->stream_bytes / 256 < most ? job->stream_bytes / 256 + 1 : most;
}

/* Returns the number of pixels for which a row has carry words: its pixels, rounded up to a
 * multiple of DECODE_CARRY_GROUP. */
IMG_HOST_DEVICE uint32_t decode_carry_pixels(uint32_t row_bytes, uint32_t pixel)
{
    return (row_bytes / pixel + DECODE_CARRY_GROUP - 1) / DECODE_CARRY_GROUP * DECODE_CARRY_GROUP;
}

#ifdef __cplusplus
}
#endif
#endif
