/* Private: the data that the kernels of the encoder share: the picture, its division, and the
 * workspace.
 *
 * A strip is a group of rows that becomes one IDAT chunk. A strategy encodes a strip either with
 * run-length encoding (matches only at distance 1, deflate_runs.h) or with LZ77 (matches at all
 * distances, match_rule.h). With run-length encoding a strip is divided into deflate blocks, and
 * each block into parts. With LZ77 it is divided into segments (match_job.h). Windows and samples
 * are small sections of a strip for estimates and trials. A filtering is a choice of candidate
 * filters for the rows. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_JOB_H
#define IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_JOB_H

#include "io/png/cuda/encode/png_encode_cuda.h"
#include "io/png/cuda/matches/match_job.h"
#include "io/png/encode/sample_rule.h"
#include "io/png/encode/small_rule.h"
#include "kernels/core/cuda/host_device.h"

enum {
    /* Largest size in bytes, before compression, of a deflate block with run-length encoding. */
    ENCODE_BLOCK_BYTES = 1 << 17,
    ENCODE_BLOCK_WORDS = ENCODE_BLOCK_BYTES / 32,
    /* Number of parts into which a deflate block with run-length encoding is divided. Different
     * thread blocks write the parts. */
    ENCODE_PARTS = 4,
    ENCODE_SYMBOLS = 286,
    ENCODE_PIXEL_MOST = 8, /* largest size of a pixel in bytes */
    /* Number of 32-bit words reserved for a block header: 80 words (320 bytes) at most, the three
     * bits that begin the block, and spare words. */
    ENCODE_HEADER_WORDS = 84,
    ENCODE_CRC_BYTES = 128 * 256,
    /* TAIL: bytes after the filtered rows of a strip that may be read but are not used. HEAD: the
     * same before the rows. GAP: bytes reserved for both, before each strip and after the last. */
    ENCODE_TAIL = MATCH_TAIL,
    ENCODE_HEAD = 4,
    ENCODE_GAP = 64,
    /* Constants for windows: the parts of a strip from which its size is estimated
     * (io/png/encode/estimate_rule.h). */
    /* Bytes reserved for a window and the ENCODE_TAIL bytes after it, which are rounded up to
     * 64. */
    ENCODE_WINDOW_ROOM = IMG_WINDOW_MOST + 64,
    ENCODE_WINDOW_LOOKUPS = IMG_WINDOW_MOST / IMG_ESTIMATE_EVERY,
    /* Number of times that a window is filtered: with the Paeth filter only, and with all filters
     * of the level. */
    ENCODE_FILTERINGS = 2,
    /* Samples of a strip (io/png/encode/sample_rule.h). LZ77 is tried on the first two samples: the
     * first is filtered, the second is not. Run-length encoding is tried on the third sample.
     * Palette indices have only the first sample, on which both are tried. */
    ENCODE_SAMPLES = 3,
    ENCODE_SAMPLES_FOR_MATCHES = 2,
    /* Bytes reserved for a sample and the ENCODE_TAIL bytes after it, which are rounded up to
     * 64. */
    ENCODE_SAMPLE_ROOM = IMG_SAMPLE_OF_VALUES + 64,
    ENCODE_SAMPLE_SEGMENTS = IMG_SAMPLE_OF_VALUES / IMG_MATCH_SEGMENT,
    ENCODE_SAMPLE_BLOCKS = IMG_SAMPLE_OF_VALUES / IMG_MATCH_BLOCK_TOKENS + 1,
    /* Segments and deflate blocks reserved for the piece of a small strip. */
    ENCODE_PROBE_SEGMENTS = IMG_SMALL_PIECE_MOST / IMG_MATCH_SEGMENT,
    ENCODE_PROBE_BLOCKS = IMG_SMALL_PIECE_MOST / IMG_MATCH_BLOCK_TOKENS + 1,
    /* Bytes of an IDAT chunk before its data (length, type) and after its data (CRC). */
    ENCODE_CHUNK_HEAD = 8,
    ENCODE_CHUNK_TAIL = 4,
    ENCODE_STREAM_HEAD = 2,
    ENCODE_STREAM_TAIL = 4,
};

/* Strategies for a strip: run-length encoding (ENCODE_RUNS) or LZ77 (ENCODE_MATCHES). Each strategy
 * filters the rows separately. */
typedef enum EncodeStrategy {
    ENCODE_RUNS,
    ENCODE_MATCHES,
    ENCODE_STRATEGIES,
} EncodeStrategy;

/* Groups of strips, which different streams process at the same time. The estimates decide the
 * group. */
typedef enum EncodeGroup {
    ENCODE_DIRECT, /* strips without LZ77: encoded with run-length encoding, or left to the CPU */
    /* strips that LZ77 may make smaller; samples of each strip decide whether it does */
    ENCODE_SAMPLED,
} EncodeGroup;

/* Sums of a filtered row for the Adler-32, without the initial 1, modulo 65521. `bytes` is the sum
 * of the bytes. `weighted` is the sum of each byte times its distance from the row's end (1 for the
 * last byte). */
typedef struct EncodeRowSums {
    uint32_t bytes, weighted;
} EncodeRowSums;

/* Sizes in bits of a deflate block with run-length encoding. They are known when the dynamic
 * Huffman codes of the block have been made. */
typedef struct EncodeBlock {
    uint32_t header_bits;  /* size of the header, including the block's first three bits */
    uint32_t dynamic_bits; /* size of the whole block with dynamic Huffman codes */
    /* 1 if the block is smaller with dynamic Huffman codes than stored, according to the estimated
     * counts. */
    uint32_t is_worth;
    uint32_t literals;             /* number of bytes outside runs */
    uint32_t before[ENCODE_PARTS]; /* distance in bits from the start of the block to each part */
} EncodeBlock;

/* The position of a deflate block with run-length encoding. */
typedef struct EncodePlace {
    /* Bit position of the block. strips_kernel counts it from the strip's start; clear_blocks
     * changes it to count from the output's start. */
    uint64_t bit;
    uint32_t stored;
} EncodePlace;

/* The IDAT chunk of a strip. */
typedef struct EncodeChunk {
    uint64_t start; /* byte position of the chunk in the output */
    uint32_t data;  /* bytes of data; the value of the chunk's length field */
    /* Combined CRC of the chunk's pieces, without the initial and final inversion. */
    uint32_t crc;
} EncodeChunk;

/* The estimates for one window of a strip. */
typedef struct EncodeEstimate {
    /* Size of the window in sixteenths of a bit with run-length encoding, for each filtering. */
    uint32_t runs[ENCODE_FILTERINGS];
    uint32_t saved; /* number of bits that LZ77 saves with the first filtering (Paeth only) */
} EncodeEstimate;

/* The result of the estimates for a strip. */
typedef struct EncodeAdvice {
    /* Candidate filters for run-length encoding, one bit per filter; 0: the strip is small and left
     * to the CPU. */
    uint32_t filters;
    uint32_t matches; /* 1 if LZ77 may make the strip smaller than run-length encoding does, or 0 */
} EncodeAdvice;

typedef struct EncodeJob {
    /* The pixels and the shape of the picture. */
    const uint8_t *rows; /* rows of pixels, with samples as the file stores them */
    size_t stride, row_bytes;
    int32_t height;
    uint32_t pixel; /* bytes per pixel, at least 1 */
    /* If samples do not have 8 bits, `packed` is the memory of `rows`, which are made from
     * `pixels`. Otherwise `packed` is NULL. */
    const uint8_t *pixels;
    size_t pixel_stride;
    uint8_t *packed;
    uint32_t samples, bits; /* samples per row, bits per sample */
    /* The division into strips and blocks, and the options for encoding them. */
    uint32_t filters, sample_step;
    /* Strips with at most `small` filtered bytes are left to the CPU. Others with at most `probed`
     * bytes are small strips (io/png/encode/small_rule.h). `probed` is at least `small`. */
    size_t small, probed;
    /* 1: rows are pixels; 0: rows are palette indices or samples below 8 bits. */
    uint32_t by_value;
    uint32_t filterings; /* number of times that each window is filtered; 0: there are no windows */
    ImgStrips strips;
    /* Number of deflate blocks with run-length encoding: `first_blocks` for the first strip,
     * `strip_blocks` for each other strip. */
    uint32_t first_blocks, strip_blocks;
    /* Number of entries of a strip in `starts`: `first_starts` for the first strip, `strip_starts`
     * for each other strip. */
    uint32_t first_starts, strip_starts;
    uint32_t stream_flags;
    /* Arrays in the workspace. */
    /* Filtered windows: ENCODE_WINDOW_ROOM bytes for each filtering of each window of each
     * strip. */
    uint8_t *windows;
    /* Earlier positions that lookups in the table returned, later replaced by matches:
     * ENCODE_WINDOW_LOOKUPS entries for each window of each strip. */
    uint16_t *matches_found;
    uint16_t *window_sums;     /* sums of costs: IMG_WINDOW_MOST for each window of each strip */
    EncodeEstimate *estimates; /* estimates, one for each window of each strip */
    EncodeAdvice *advice;      /* one per strip */
    /* Samples as units (inputs) of the match finder, ENCODE_SAMPLES_FOR_MATCHES per strip. */
    MatchJob sampled;
    MatchJob matches; /* whole strips as units (inputs) of the match finder */
    /* Pieces of small strips as units of the match finder, one per strip. There are no units if
     * there are no small strips. */
    MatchJob probes;
    uint32_t *probe_runs;  /* size in bytes of each small strip's piece with run-length encoding */
    uint32_t *sample_runs; /* size in bytes of each strip's sample with run-length encoding */
    /* Mask of candidate filters for each strip and strategy; 0: the strategy is not tried. */
    uint32_t *strip_filters;
    uint32_t *chosen; /* strategy of each strip; ENCODE_STRATEGIES: the strip is left to the CPU */
    /* For each strategy the filtered rows, each after its filter type. The rows of a strip follow
     * each other; before each strip and after the last there are ENCODE_GAP bytes. */
    uint8_t *filtered[ENCODE_STRATEGIES];
    /* For each strategy the sums of each row for the Adler-32. */
    EncodeRowSums *row_sums[ENCODE_STRATEGIES];
    EncodeRowSums *strip_sums; /* sums for the Adler-32, one per strip */
    /* The arrays from `blocks` to `codes` have one entry, or the given number of entries, per
     * deflate block with run-length encoding. */
    EncodeBlock *blocks;
    EncodePlace *places;
    uint32_t *runs;    /* ENCODE_BLOCK_WORDS per block; bit i is set if byte i belongs to a run */
    uint32_t *begins;  /* ENCODE_BLOCK_WORDS per block; bit i is set if a match begins at byte i */
    uint32_t *headers; /* block headers: ENCODE_HEADER_WORDS per block */
    /* ENCODE_SYMBOLS per block. Each word has the code in the low bits and its length from bit 24
     * upwards. */
    uint32_t *codes;
    /* For LZ77: start of each segment in bits, counted from the strip's start. */
    uint32_t *segment_bits;
    EncodeChunk *chunks; /* IDAT chunks, one per strip */
    uint32_t *adler;     /* the Adler-32 of all strips (one value) */
    /* Results in device memory. */
    uint8_t *output;
    uint64_t *size;
    ImgPngCudaStrip *results; /* results for the host, one per strip */
    /* Starts of the deflate blocks: first_starts entries for the first strip, then strip_starts for
     * each other strip. */
    ImgPngCudaBlock *starts;
} EncodeJob;

/* The pictures that a stage processes: one picture, or a batch. The sizes are the largest of all
 * pictures; they determine the grids. A thread block that a picture does not need ends at once. */
typedef struct EncodeBatch {
    const EncodeJob *one;  /* in host memory; NULL: there are many jobs */
    const EncodeJob *many; /* in device memory, in the order of EncodeJob.pixel */
    uint32_t count;
    uint32_t of_pixel[ENCODE_PIXEL_MOST + 1]; /* [n]: number of jobs whose `pixel` is n */
    uint32_t height, strips, blocks;
    uint64_t rows; /* number of rows of all pictures, the sum and not the largest */
    /* Rows to convert, and bytes of such a row; 0 if there are none. */
    uint32_t packed_rows;
    size_t packed_bytes;
    /* Windows, counted once for each filtering, and rows of a window; 0 if there are none. */
    uint32_t windows, window_rows;
    uint32_t samples, sample_rows; /* samples of all strips, and rows of a sample */
    size_t chunk;                  /* size of a chunk in bytes */
    /* The jobs of the match finder in the jobs above. */
    MatchBatch sampled, matches, probes;
} EncodeBatch;

/* The range of one deflate block with run-length encoding within the data of its strip. */
typedef struct EncodeRange {
    const uint8_t *data; /* filtered data of the strip */
    uint32_t from, to;   /* start and end of the block, in bytes from `data` */
    uint32_t strip;
    uint32_t is_last; /* 1 if the block is the last one of the stream */
    uint32_t ends_strip;
} EncodeRange;

IMG_HOST_DEVICE EncodeGroup encode_group(const EncodeAdvice *advice)
{
    return advice->matches != 0 ? ENCODE_SAMPLED : ENCODE_DIRECT;
}

IMG_HOST_DEVICE uint32_t encode_strip_rows(const EncodeJob *job, uint32_t strip)
{
    return (uint32_t)(strip == 0 ? job->strips.first_rows : job->strips.rows);
}

IMG_HOST_DEVICE uint64_t encode_strip_bytes(const EncodeJob *job, uint32_t strip)
{
    return (uint64_t)(1 + job->row_bytes) * encode_strip_rows(job, strip);
}

IMG_HOST_DEVICE bool encode_is_small(const EncodeJob *job, uint32_t strip)
{
    const uint64_t bytes = encode_strip_bytes(job, strip);
    return bytes > job->small && bytes <= job->probed;
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

/* Returns the position of the first filtered row of a strip in `filtered`. */
IMG_HOST_DEVICE uint64_t encode_strip_start(const EncodeJob *job, uint32_t strip)
{
    return (uint64_t)encode_first_row(job, strip) * (1 + job->row_bytes) +
           (uint64_t)(1 + strip) * ENCODE_GAP;
}

IMG_HOST_DEVICE ImgWindow encode_window(const EncodeJob *job, uint32_t strip, uint32_t number)
{
    return img_window(job->row_bytes, job->pixel, encode_first_row(job, strip),
                      (int32_t)encode_strip_rows(job, strip), (int32_t)number);
}

/* Returns the number of windows of all strips, each counted once for each filtering. */
IMG_HOST_DEVICE uint32_t encode_filtered_windows(const EncodeJob *job)
{
    return job->strips.count * IMG_WINDOWS * job->filterings;
}

/* Returns the size of a window in bytes, including the filter types of its rows. */
IMG_HOST_DEVICE uint32_t encode_window_size(const ImgWindow *window)
{
    return (uint32_t)window->rows * (1 + window->bytes);
}

/* Returns the data of window `number` with the given filtering. Window numbers count across all
 * strips. */
IMG_HOST_DEVICE uint8_t *encode_window_data(const EncodeJob *job, uint32_t number,
                                            uint32_t filtering)
{
    return job->windows + ((size_t)number * ENCODE_FILTERINGS + filtering) * ENCODE_WINDOW_ROOM;
}

/* Returns the data of sample `number` of a strip. A sample is a group of rows from the middle of
 * the strip, on which the strategies are tried. It is stored in the memory for the filtered rows of
 * the strip, which is free during these trials: the rows are filtered later. */
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

/* Returns the number of samples of a strip. */
IMG_HOST_DEVICE uint32_t encode_samples(const EncodeJob *job)
{
    return job->by_value ? ENCODE_SAMPLES : ENCODE_SAMPLES_FOR_MATCHES;
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

/* Returns a strip as a unit of the match finder. The unit's deflate blocks have the same indices as
 * the strip's entries for block starts. */
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

/* Returns the piece of a small strip as a unit of the match finder; a strip that is not small gets
 * a unit without data. */
IMG_HOST_DEVICE MatchUnit encode_probe(const EncodeJob *job, uint32_t strip)
{
    const ImgSmallPiece piece = img_small_piece((uint32_t)encode_strip_bytes(job, strip));
    MatchUnit unit;
    unit.data = job->filtered[ENCODE_RUNS] + encode_strip_start(job, strip) + piece.from;
    unit.size = encode_is_small(job, strip) ? piece.size : 0;
    unit.first_segment = strip * ENCODE_PROBE_SEGMENTS;
    unit.first_block = strip * ENCODE_PROBE_BLOCKS;
    unit.blocks = 0;
    unit.bits = 0;
    return unit;
}

/* Returns the byte position in the output at which the deflated data of a strip begins. Valid only
 * after positions have been assigned to the chunks. */
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

/* Returns the number of deflate blocks with run-length encoding of all strips. */
IMG_HOST_DEVICE uint32_t encode_blocks(const EncodeJob *job)
{
    return encode_first_block(job, job->strips.count);
}

/* Returns the range of a deflate block with run-length encoding. A strip is divided into blocks of
 * nearly equal size, as in img_deflate_runs. */
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

/* Returns the size in bytes, a multiple of 32, of each part of a block with `bytes` bytes. The last
 * parts may be shorter or empty. */
IMG_HOST_DEVICE uint32_t encode_part_bytes(uint32_t bytes)
{
    return (bytes + 32 * ENCODE_PARTS - 1) / (32 * ENCODE_PARTS) * 32;
}

#endif
