/* Private: a rule that chooses the strategies for a strip from a sample. The sample is some rows
 * from the middle of the strip. It is deflated twice: as run lengths, and with matches. CPU and GPU
 * make the same choice. */
#ifndef IMGTOOL_IO_PNG_ENCODE_SAMPLE_RULE_H
#define IMGTOOL_IO_PNG_ENCODE_SAMPLE_RULE_H

#include "io/png/encode/estimate_rule.h"

enum {
    IMG_SAMPLE_OF_VALUES = 1 << 16, /* largest size of a sample in bytes */
    IMG_SAMPLE_OF_INDICES = 1 << 14,
    /* If matches make the sample larger than this percentage of its size as run lengths, matches
     * are not tried on the strip. */
    IMG_SAMPLE_HOPE_PERCENT = 102,
    /* A sample that shrinks to less than 1/32 does not represent its strip. */
    IMG_SAMPLE_EMPTY_SHARE = 32,
    IMG_SAMPLE_NOISE_SHARE = 3, /* A photograph that was dithered does not shrink to a third. */
    /* For palette indices. If this percentage of the sample's size as run lengths is smaller than
     * its size with matches, the two sizes are close. Run lengths are then also tried on the
     * strip. */
    IMG_SAMPLE_CLOSE_PERCENT = 98,
};

/* Sizes of a sample in bytes: filtered, deflated as run lengths, and deflated with matches. */
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

/* Returns true if matches should be tried on a strip of pixels, according to its sample. At least
 * one of this function and img_sample_is_for_runs returns true. */
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

/* Returns true if run lengths should also be tried on a strip of palette indices, according to its
 * sample. */
IMG_HOST_DEVICE int img_sample_is_close(const ImgSampleSizes *sizes)
{
    return (uint64_t)sizes->runs * IMG_SAMPLE_CLOSE_PERCENT < (uint64_t)sizes->matches * 100;
}

#endif
