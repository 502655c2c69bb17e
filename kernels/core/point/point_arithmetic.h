/* A stage of a point operation on one pixel: the arithmetic that defines it, for CPU and GPU. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_POINT_ARITHMETIC_H
#define IMGTOOL_KERNELS_CORE_POINT_POINT_ARITHMETIC_H

#include "kernels/core/cuda/host_device.h"
#include "kernels/core/point/points.h"

/* Loops over channels have a fixed length, so that samples can be in registers. */

IMG_HOST_DEVICE uint32_t img_point_clamp(int64_t value, uint32_t maximum)
{
    return value < 0 ? 0 : value > (int64_t)maximum ? maximum : (uint32_t)value;
}

IMG_HOST_DEVICE uint32_t img_point_sum(const ImgPointSum *sum, const uint32_t *sample,
                                       int32_t channels, int32_t shift, uint32_t maximum)
{
    int64_t all = sum->offset;
    for (int32_t c = 0; c < IMG_POINT_CHANNELS; c++)
        all += c < channels ? (int64_t)sum->weight[c] * (int64_t)sample[c] : 0;
    return img_point_clamp(all >> shift, maximum);
}

/* round(value * share / maximum); a maximum is odd, so that there are no ties. */
IMG_HOST_DEVICE uint32_t img_point_share(uint32_t value, uint32_t share, uint32_t maximum)
{
    return (value * share + maximum / 2) / maximum; /* at most 65535 * 65535 + 32767: 32 bits */
}

IMG_HOST_DEVICE uint32_t img_point_over(uint32_t value, uint32_t background, uint32_t alpha,
                                        uint32_t maximum)
{
    return (value * alpha + background * (maximum - alpha) + maximum / 2) / maximum;
}

/* Ties are rounded up. */
IMG_HOST_DEVICE uint32_t img_point_unshare(uint32_t value, uint32_t alpha, uint32_t maximum)
{
    if (alpha == 0)
        return 0;
    const uint32_t whole = (value * maximum + alpha / 2) / alpha;
    return whole < maximum ? whole : maximum;
}

IMG_HOST_DEVICE void img_point_table_stage(const ImgPointStage *stage, const uint16_t *tables,
                                           uint32_t *sample)
{
    for (int32_t c = 0; c < IMG_POINT_CHANNELS; c++)
        if (c < stage->from && stage->table[c] >= 0)
            sample[c] = tables[(uint32_t)stage->table[c] + sample[c]];
}

IMG_HOST_DEVICE void img_point_matrix_stage(const ImgPointStage *stage, uint32_t *sample)
{
    const uint32_t maximum = (1u << stage->from_bits) - 1;
    uint32_t result[IMG_POINT_CHANNELS];
    for (int32_t c = 0; c < IMG_POINT_CHANNELS; c++)
        if (c < stage->to)
            result[c] = img_point_sum(&stage->sum[c], sample, stage->from, stage->shift, maximum);
    for (int32_t c = 0; c < IMG_POINT_CHANNELS; c++)
        if (c < stage->to)
            sample[c] = result[c];
}

IMG_HOST_DEVICE void img_point_alpha_stage(const ImgPointStage *stage, uint32_t *sample)
{
    const uint32_t maximum = (1u << stage->from_bits) - 1;
    const uint32_t alpha = stage->from == 2 ? sample[1] : sample[3];
    for (int32_t c = 0; c + 1 < IMG_POINT_CHANNELS; c++)
        if (c + 1 < stage->from)
            sample[c] = stage->kind == IMG_POINT_OVER
                            ? img_point_over(sample[c], stage->background[c], alpha, maximum)
                        : stage->kind == IMG_POINT_PREMULTIPLY
                            ? img_point_share(sample[c], alpha, maximum)
                            : img_point_unshare(sample[c], alpha, maximum);
}

/* Of a pixel's samples, which may be in registers, makes those behind the stage, in place; `sample`
 * has room for four. */
IMG_HOST_DEVICE void img_point_apply(const ImgPointStage *stage, const uint16_t *tables,
                                     uint32_t *sample)
{
    if (stage->kind == IMG_POINT_TABLE)
        img_point_table_stage(stage, tables, sample);
    else if (stage->kind == IMG_POINT_MATRIX)
        img_point_matrix_stage(stage, sample);
    else
        img_point_alpha_stage(stage, sample);
}

#endif
