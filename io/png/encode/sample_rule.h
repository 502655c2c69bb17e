/* Private: a rule that chooses the strategies for a strip from a sample. The sample is some rows
 * from the strip's middle, deflated by runs and by matches. CPU and GPU make the same choice. */
#ifndef IMGTOOL_IO_PNG_ENCODE_SAMPLE_RULE_H
#define IMGTOOL_IO_PNG_ENCODE_SAMPLE_RULE_H

#include "io/png/encode/estimate_rule.h"

enum {
    IMG_SAMPLE_OF_VALUES = 1 << 16, /* largest size of a sample in bytes */
    IMG_SAMPLE_OF_INDICES = 1 << 14,
    /* If the sample coded by matches has more than this percentage of its size coded by runs,
     * matches are not tried on the strip. */
    IMG_SAMPLE_HOPE_PERCENT = 102,
    IMG_SAMPLE_EMPTY_SHARE = 32, /* a sample that shrinks below 1/32 does not represent its strip */
    IMG_SAMPLE_NOISE_SHARE = 3,  /* dithered photographs do not shrink to a third */
    /* If the size of a sample of palette indices coded by runs, times this percentage, is below its
     * size coded by matches, the two are close. Then runs are also tried on the whole strip. */
    IMG_SAMPLE_CLOSE_PERCENT = 98,
};

/* Sizes of a sample in bytes: filtered, deflated by runs, deflated by matches. */
typedef struct ImgSampleSizes {
    uint32_t bytes, runs, matches;
} ImgSampleSizes;

/* Returns the window of a strip that is its sample. */
IMG_HOST_DEVICE ImgWindow img_sample(size_t row_bytes, size_t pixel, int32_t from, int32_t rows,
                                     int by_value)
{
    const size_t most = by_value ? IMG_SAMPLE_OF_VALUES : IMG_SAMPLE_OF_INDICES;
    return img_window_of(row_bytes, pixel, from, rows, 0, 1, most - 1, most);
}

/* Returns true if a strip of values should be tried by matches. Either this or
 * img_sample_is_for_runs is true, or both. */
IMG_HOST_DEVICE int img_sample_is_for_matches(const ImgSampleSizes *sizes)
{
    return sizes->runs < sizes->bytes / IMG_SAMPLE_EMPTY_SHARE ||
           (uint64_t)sizes->matches * 100 < (uint64_t)sizes->runs * IMG_SAMPLE_HOPE_PERCENT;
}

IMG_HOST_DEVICE int img_sample_is_for_runs(const ImgSampleSizes *sizes)
{
    return sizes->runs < sizes->bytes / IMG_SAMPLE_EMPTY_SHARE || sizes->matches >= sizes->runs;
}

/* Returns true if a strip of palette indices needs a deeper search than matches. */
IMG_HOST_DEVICE int img_sample_is_noise(const ImgSampleSizes *sizes)
{
    return sizes->matches > sizes->bytes / IMG_SAMPLE_NOISE_SHARE;
}

/* Returns true if a strip of palette indices should also be tried by runs. */
IMG_HOST_DEVICE int img_sample_is_close(const ImgSampleSizes *sizes)
{
    return (uint64_t)sizes->runs * IMG_SAMPLE_CLOSE_PERCENT < (uint64_t)sizes->matches * 100;
}

#endif
