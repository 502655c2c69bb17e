/* Private: the data that the kernels of the encoder share: the picture, its division, and the
 * workspace. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_JOB_H
#define IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_JOB_H

#include "io/png/cuda/encode/png_encode_cuda.h"
#include "io/png/cuda/matches/match_job.h"
#include "io/png/encode/sample_rule.h"
#include "kernels/core/cuda/host_device.h"

enum {
    ENCODE_BLOCK_BYTES = 1 << 17, /* largest data of a deflate block */
    ENCODE_BLOCK_WORDS = ENCODE_BLOCK_BYTES / 32,
    ENCODE_PARTS = 4, /* parts of a deflate block that are written independently */
    ENCODE_SYMBOLS = 286,
    ENCODE_HEADER_WORDS = 84, /* 320 bytes, and the three bits before */
    ENCODE_CRC_BYTES = 128 * 256,
    /* Bytes after and before filtered rows that are read but not used. */
    ENCODE_TAIL = MATCH_TAIL,
    ENCODE_HEAD = 3,
    /* Windows of a strip, for estimates: io/png/encode/estimate_rule.h. */
    ENCODE_WINDOW_ROOM = IMG_WINDOW_MOST + 64, /* including ENCODE_TAIL */
    ENCODE_WINDOW_LOOKUPS = IMG_WINDOW_MOST / IMG_ESTIMATE_EVERY,
    ENCODE_FILTERINGS = 2, /* filterings of a window: with the Paeth filter only, and with those of
                            * the level */
    /* Samples of a strip (io/png/encode/sample_rule.h). Matches are tried on the first two, with
     * all filters and with none. Runs are tried on the third, for palette indices on the first. */
    ENCODE_SAMPLES = 3,
    ENCODE_SAMPLES_FOR_MATCHES = 2,
    ENCODE_SAMPLE_ROOM = IMG_SAMPLE_OF_VALUES + 64, /* including ENCODE_TAIL */
    ENCODE_SAMPLE_SEGMENTS = IMG_SAMPLE_OF_VALUES / IMG_MATCH_SEGMENT,
    ENCODE_SAMPLE_BLOCKS = IMG_SAMPLE_OF_VALUES / IMG_MATCH_BLOCK_TOKENS + 1,
    /* An IDAT chunk: length, type, data, CRC. */
    ENCODE_CHUNK_HEAD = 8,
    ENCODE_CHUNK_TAIL = 4,
    ENCODE_STREAM_HEAD = 2,
    ENCODE_STREAM_TAIL = 4,
};

/* Strategies for a strip. Each has its own filtered rows. */
typedef enum EncodeStrategy {
    ENCODE_RUNS,
    ENCODE_MATCHES,
    ENCODE_STRATEGIES,
} EncodeStrategy;

/* Adler-32 sums of a filtered row, without the initial 1: of the bytes, and of the bytes times
 * their distance from the row's end (1 for the last byte). Modulo 65521. */
typedef struct EncodeRowSums {
    uint32_t bytes, weighted;
} EncodeRowSums;

/* A deflate block after its codes are made. */
typedef struct EncodeBlock {
    uint32_t header_bits;  /* including its first three bits */
    uint32_t dynamic_bits; /* the whole block with Huffman codes */
    uint32_t is_worth;     /* smaller with Huffman codes than stored, according to the counts */
    uint32_t before[ENCODE_PARTS]; /* bits from the start of the block to that of each part */
} EncodeBlock;

/* The position of a block. */
typedef struct EncodePlace {
    uint64_t bit; /* start of the block in the output */
    uint32_t stored;
} EncodePlace;

/* The chunk of a strip. */
typedef struct EncodeChunk {
    uint64_t start; /* start of the chunk in the output */
    uint32_t data;  /* bytes of data, the chunk's length field */
    uint32_t crc;   /* combined CRC of its pieces, without the initial and final inversion */
} EncodeChunk;

/* The estimate of a window. */
typedef struct EncodeEstimate {
    uint32_t runs[ENCODE_FILTERINGS]; /* sixteenths of a bit by runs */
    uint32_t saved;                   /* bits saved by matches, with the first filtering */
} EncodeEstimate;

typedef struct EncodeJob {
    /* Picture: */
    const uint8_t *rows; /* bytes as in the file */
    size_t stride, row_bytes;
    int32_t height;
    uint32_t pixel; /* bytes per pixel */
    /* Division: */
    uint32_t filters, sample_step;
    size_t small;        /* strips of up to this many bytes are left to the CPU */
    uint32_t by_value;   /* rows are pixels; else palette indices or samples below 8 bits */
    uint32_t filterings; /* filterings per window; 0: there are no windows */
    ImgStrips strips;
    uint32_t first_blocks, strip_blocks; /* number of blocks by runs, of the first strip and each
                                          * other one */
    uint32_t first_starts, strip_starts; /* entries for block starts in the results, likewise */
    uint32_t stream_flags;
    /* Workspace: */
    uint8_t *windows;          /* ENCODE_WINDOW_ROOM bytes each, by strip, window and filtering */
    uint16_t *matches_found;   /* ENCODE_WINDOW_LOOKUPS each, by strip and window */
    uint16_t *window_sums;     /* IMG_WINDOW_MOST each, by strip and window */
    EncodeEstimate *estimates; /* by strip and window */
    MatchJob sampled;          /* matches of samples: ENCODE_SAMPLES_FOR_MATCHES units per strip */
    MatchJob matches;          /* matches of strips: one unit per strip */
    uint32_t *sample_runs;     /* by strip: bytes of its sample by runs */
    uint32_t *strip_filters;   /* by strip and strategy: candidate filters; 0: not tried */
    uint32_t *chosen;          /* by strip: an EncodeStrategy; ENCODE_STRATEGIES: left to the CPU */
    uint8_t *filtered[ENCODE_STRATEGIES];       /* contiguous rows with their filter types */
    EncodeRowSums *row_sums[ENCODE_STRATEGIES]; /* by row */
    EncodeRowSums *strip_sums;                  /* by strip */
    EncodeBlock *blocks;                        /* by block, as are the arrays up to `codes` */
    EncodePlace *places;
    uint32_t *runs;         /* ENCODE_BLOCK_WORDS each: a bit for each byte that belongs to a run */
    uint32_t *begins;       /* likewise, a bit for each byte where a match begins */
    uint32_t *headers;      /* ENCODE_HEADER_WORDS each */
    uint32_t *codes;        /* ENCODE_SYMBOLS each: the code, its length from bit 24 on */
    uint32_t *segment_bits; /* by segment of matches: start, in bits from its strip's start */
    EncodeChunk *chunks;    /* by strip */
    uint32_t *adler;        /* one word */
    /* Results: */
    uint8_t *output;
    uint64_t *size;
    ImgPngCudaStrip *results; /* by strip */
    ImgPngCudaBlock *starts;  /* first_starts or strip_starts each, by strip */
} EncodeJob;

/* A deflate block of a strip. */
typedef struct EncodeRange {
    const uint8_t *data; /* data of the strip */
    uint32_t from, to;   /* start and end of the block in it */
    uint32_t strip;
    uint32_t is_last; /* last block of the stream */
    uint32_t ends_strip;
} EncodeRange;

IMG_HOST_DEVICE uint32_t encode_strip_rows(const EncodeJob *job, uint32_t strip)
{
    return (uint32_t)(strip == 0 ? job->strips.first_rows : job->strips.rows);
}

IMG_HOST_DEVICE uint64_t encode_strip_bytes(const EncodeJob *job, uint32_t strip)
{
    return (uint64_t)(1 + job->row_bytes) * encode_strip_rows(job, strip);
}

IMG_HOST_DEVICE int32_t encode_first_row(const EncodeJob *job, uint32_t strip)
{
    return strip == 0 ? 0 : job->strips.first_rows + (int32_t)(strip - 1) * job->strips.rows;
}

IMG_HOST_DEVICE uint32_t encode_strip_of_row(const EncodeJob *job, int32_t y)
{
    int32_t behind = y - job->strips.first_rows;
    return behind < 0 ? 0 : 1 + (uint32_t)(behind / job->strips.rows);
}

IMG_HOST_DEVICE uint64_t encode_strip_start(const EncodeJob *job, uint32_t strip)
{
    return (uint64_t)encode_first_row(job, strip) * (1 + job->row_bytes);
}

IMG_HOST_DEVICE ImgWindow encode_window(const EncodeJob *job, uint32_t strip, uint32_t number)
{
    return img_window(job->row_bytes, job->pixel, encode_first_row(job, strip),
                      (int32_t)encode_strip_rows(job, strip), (int32_t)number);
}

/* Includes the filter types. */
IMG_HOST_DEVICE uint32_t encode_window_size(const ImgWindow *window)
{
    return (uint32_t)window->rows * (1 + window->bytes);
}

/* Windows are numbered across all strips. */
IMG_HOST_DEVICE uint8_t *encode_window_data(const EncodeJob *job, uint32_t number,
                                            uint32_t filtering)
{
    return job->windows + ((size_t)number * ENCODE_FILTERINGS + filtering) * ENCODE_WINDOW_ROOM;
}

/* Samples of a strip use the memory for its rows, which will be filtered for matches later. */
IMG_HOST_DEVICE uint8_t *encode_sample_data(const EncodeJob *job, uint32_t strip, uint32_t number)
{
    const uint64_t start = (encode_strip_start(job, strip) + 15) / 16 * 16;
    return job->filtered[ENCODE_MATCHES] + start + (size_t)number * ENCODE_SAMPLE_ROOM;
}

IMG_HOST_DEVICE ImgWindow encode_sample(const EncodeJob *job, uint32_t strip)
{
    return img_sample(job->row_bytes, job->pixel, encode_first_row(job, strip),
                      (int32_t)encode_strip_rows(job, strip), (int)job->by_value);
}

IMG_HOST_DEVICE uint32_t encode_sample_of_runs(const EncodeJob *job)
{
    return job->by_value ? ENCODE_SAMPLES_FOR_MATCHES : 0;
}

IMG_HOST_DEVICE uint32_t *encode_strip_filters(const EncodeJob *job, uint32_t strip)
{
    return job->strip_filters + (size_t)strip * ENCODE_STRATEGIES;
}

IMG_HOST_DEVICE uint32_t encode_strip_starts(const EncodeJob *job, uint32_t strip)
{
    return strip == 0 ? job->first_starts : job->strip_starts;
}

IMG_HOST_DEVICE uint32_t encode_first_start(const EncodeJob *job, uint32_t strip)
{
    return strip == 0 ? 0 : job->first_starts + (strip - 1) * job->strip_starts;
}

/* Returns a strip as a unit of the match finder. Its blocks use the same numbers as its entries for
 * block starts. */
IMG_HOST_DEVICE MatchUnit encode_unit(const EncodeJob *job, uint32_t strip)
{
    const uint32_t first = match_segments(encode_strip_bytes(job, 0));
    const uint32_t other = job->strips.count > 1 ? match_segments(encode_strip_bytes(job, 1)) : 0;
    MatchUnit unit;
    unit.data = job->filtered[ENCODE_MATCHES] + encode_strip_start(job, strip);
    unit.size = (uint32_t)encode_strip_bytes(job, strip);
    unit.first_segment = strip == 0 ? 0 : first + (strip - 1) * other;
    unit.first_block = encode_first_start(job, strip);
    unit.blocks = 0;
    unit.bits = 0;
    return unit;
}

/* Returns the start of a strip's deflated data in the output. Valid after chunks are placed. */
IMG_HOST_DEVICE uint64_t encode_chunk_data(const EncodeJob *job, uint32_t strip)
{
    return job->chunks[strip].start + ENCODE_CHUNK_HEAD + (strip == 0 ? ENCODE_STREAM_HEAD : 0);
}

IMG_HOST_DEVICE uint32_t encode_strip_blocks(const EncodeJob *job, uint32_t strip)
{
    return strip == 0 ? job->first_blocks : job->strip_blocks;
}

IMG_HOST_DEVICE uint32_t encode_first_block(const EncodeJob *job, uint32_t strip)
{
    return strip == 0 ? 0 : job->first_blocks + (strip - 1) * job->strip_blocks;
}

/* Each block takes an equal share of what the ones before it leave, as in img_deflate_runs. */
IMG_HOST_DEVICE EncodeRange encode_range(const EncodeJob *job, uint32_t block)
{
    EncodeRange range;
    range.strip =
        block < job->first_blocks ? 0 : 1 + (block - job->first_blocks) / job->strip_blocks;
    uint32_t left = encode_strip_blocks(job, range.strip);
    uint32_t number = block - encode_first_block(job, range.strip);
    uint32_t size = (uint32_t)encode_strip_bytes(job, range.strip);
    range.data = job->filtered[ENCODE_RUNS] + encode_strip_start(job, range.strip);
    range.from = 0;
    range.to = 0;
    for (uint32_t i = 0; i <= number; i++, left--) {
        range.from = range.to;
        range.to += (size - range.from + left - 1) / left;
    }
    range.ends_strip = left == 0;
    range.is_last = range.ends_strip && range.strip + 1 == job->strips.count;
    return range;
}

/* Returns the bytes of a part of a block of `bytes`: a multiple of 32. The last part may have
 * fewer, or none. */
IMG_HOST_DEVICE uint32_t encode_part_bytes(uint32_t bytes)
{
    return (bytes + 32 * ENCODE_PARTS - 1) / (32 * ENCODE_PARTS) * 32;
}

#endif
