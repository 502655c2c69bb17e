/* Private: a rule that chooses the strategies for a strip from a sample. The sample is some rows
 * from the middle of the strip. It is deflated twice: with run-length encoding, and with LZ77. CPU
 * and GPU make the same choice. */
#ifndef IMGTOOL_IO_PNG_ENCODE_SAMPLE_RULE_H
#define IMGTOOL_IO_PNG_ENCODE_SAMPLE_RULE_H

#include "io/png/encode/estimate_rule.h"

enum {
    /* Largest sizes of a sample in bytes: of gray or colour samples of 8 or 16 bits, and of palette
     * indices or samples of fewer than 8 bits. */
    IMG_SAMPLE_OF_VALUES = 1 << 16,
    IMG_SAMPLE_OF_INDICES = 1 << 14,
    /* If LZ77 makes the sample larger than this percentage of its size with run-length encoding,
     * LZ77 is not tried on the strip. */
    IMG_SAMPLE_HOPE_PERCENT = 102,
    /* A sample that run-length encoding shrinks to less than 1/32 does not represent its strip, so
     * both strategies are tried on the strip. */
    IMG_SAMPLE_EMPTY_SHARE = 32,
    /* For palette indices. A sample that LZ77 does not shrink to a third is probably from a
     * photograph that was dithered to a palette. Such a strip needs a deeper search. */
    IMG_SAMPLE_NOISE_SHARE = 3,
    /* For palette indices. If LZ77 makes the sample larger than this percentage of its size with
     * run-length encoding, the two sizes are close. Run-length encoding is then also tried on the
     * strip. */
    IMG_SAMPLE_CLOSE_PERCENT = 98,
};

/* Sizes of a sample in bytes: filtered, deflated with run-length encoding, and deflated with
 * LZ77. */
typedef struct ImgSampleSizes {
    uint32_t bytes, runs, matches;
} ImgSampleSizes;

/* Returns the window that is the sample of the strip with `rows` rows from row `from` onwards. */
IMG_HOST_DEVICE ImgWindow img_sample(size_t row_bytes, size_t pixel, int32_t from, int32_t rows,
                                     int by_value)
{
    const size_t most = by_value ? IMG_SAMPLE_OF_VALUES : IMG_SAMPLE_OF_INDICES;
    return img_window_of(row_bytes, pixel, from, rows, 0, 1, most - 1, most);
}

/* Returns true if LZ77 should be tried on a strip of pixels, according to its sample. At least one
 * of this function and img_sample_is_for_runs returns true. */
IMG_HOST_DEVICE int img_sample_is_for_matches(const ImgSampleSizes *sizes)
{
    return sizes->runs < sizes->bytes / IMG_SAMPLE_EMPTY_SHARE ||
           (uint64_t)sizes->matches * 100 < (uint64_t)sizes->runs * IMG_SAMPLE_HOPE_PERCENT;
}

IMG_HOST_DEVICE int img_sample_is_for_runs(const ImgSampleSizes *sizes)
{
    return sizes->runs < sizes->bytes / IMG_SAMPLE_EMPTY_SHARE || sizes->matches >= sizes->runs;
}

/* Returns true if a strip of palette indices needs a deeper search than the matches of
 * match_rule.h, according to its sample. */
IMG_HOST_DEVICE int img_sample_is_noise(const ImgSampleSizes *sizes)
{
    return sizes->matches > sizes->bytes / IMG_SAMPLE_NOISE_SHARE;
}

/* Returns true if run-length encoding should also be tried on a strip of palette indices, according
 * to its sample. */
IMG_HOST_DEVICE int img_sample_is_close(const ImgSampleSizes *sizes)
{
    return (uint64_t)sizes->runs * IMG_SAMPLE_CLOSE_PERCENT < (uint64_t)sizes->matches * 100;
}

#endif
