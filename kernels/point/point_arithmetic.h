/* Arithmetic of each stage of a point operation on one pixel. CPU and GPU share it, and it defines
 * the results of all implementations. */
#ifndef IMGTOOL_KERNELS_POINT_POINT_ARITHMETIC_H
#define IMGTOOL_KERNELS_POINT_POINT_ARITHMETIC_H

#include "kernels/core/cuda/host_device.h"
#include "kernels/point/points.h"

/* In this file, loops over channels have a fixed length, so that the compiler can keep samples in
 * registers. */

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

/* Returns value * share / maximum, rounded to nearest. `maximum` is odd, so there are no ties. */
IMG_HOST_DEVICE uint32_t img_point_share(uint32_t value, uint32_t share, uint32_t maximum)
{
    /* the sum is at most 65535 * 65535 + 32767, which fits 32 bits */
    return (value * share + maximum / 2) / maximum;
}

IMG_HOST_DEVICE uint32_t img_point_over(uint32_t value, uint32_t background, uint32_t alpha,
                                        uint32_t maximum)
{
    return (value * alpha + background * (maximum - alpha) + maximum / 2) / maximum;
}

/* Returns value * maximum / alpha, rounded to nearest (ties up) and clamped to `maximum`. Returns 0
 * if alpha is 0. */
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

/* --- Cubes ------------------------------------------------------------------------------------ */

/* The four nodes of a lattice that surround a colour, and their weights. The weights add up to the
 * largest sample. */
typedef struct ImgPointCell {
    uint32_t node[4], weight[4];
} ImgPointCell;

/* Returns the index of the lattice cell that contains a sample, along one axis of `size` nodes.
 * Sets *fraction to the position inside the cell, from 0 to `maximum`. */
IMG_HOST_DEVICE uint32_t img_point_axis(uint32_t sample, uint32_t size, uint32_t maximum,
                                        uint32_t *fraction)
{
    const uint32_t position = sample * (size - 1); /* at most 65535 * 128, which fits 32 bits */
    uint32_t cell = position / maximum;
    cell = cell < size - 2 ? cell : size - 2;
    *fraction = position - cell * maximum;
    return cell;
}

/* Returns four nodes around a colour and their weights. The nodes lie on a path from the lowest to
 * the highest node of the cell, which follows the axis with the largest fraction first and the axis
 * with the smallest last. If two fractions are equal, the order of their axes does not matter: the
 * node that depends on this order has weight 0. */
IMG_HOST_DEVICE ImgPointCell img_point_cell(uint32_t red, uint32_t green, uint32_t blue,
                                            uint32_t size, uint32_t maximum)
{
    uint32_t r, g, b;
    ImgPointCell cell;
    const uint32_t column = img_point_axis(red, size, maximum, &r);
    const uint32_t row = img_point_axis(green, size, maximum, &g);
    const uint32_t base = column + size * (row + size * img_point_axis(blue, size, maximum, &b));
    const uint32_t along_green = size, along_blue = size * size;
    uint32_t most = r > g ? r : g, along_most = r > g ? 1 : along_green;
    along_most = b > most ? along_blue : along_most;
    most = b > most ? b : most;
    uint32_t least = r < g ? r : g, along_least = r < g ? 1 : along_green;
    along_least = b < least ? along_blue : along_least;
    least = b < least ? b : least;
    const uint32_t middle = r + g + b - most - least, all = 1 + along_green + along_blue;
    cell.node[0] = base;
    cell.node[1] = base + along_most;
    cell.node[2] = base + all - along_least;
    cell.node[3] = base + all;
    cell.weight[0] = maximum - most;
    cell.weight[1] = most - middle;
    cell.weight[2] = middle - least;
    cell.weight[3] = least;
    return cell;
}

enum { IMG_POINT_NODE_ONE = 65535 };

/* Divides a weighted sum of node values by 65535, which represents full intensity, and rounds to
 * nearest. The sum is at most 65535 * 65535. There are no ties, because 65535 is odd. */
IMG_HOST_DEVICE uint32_t img_point_cube_rounded(uint32_t sum)
{
    return (sum + IMG_POINT_NODE_ONE / 2) / IMG_POINT_NODE_ONE;
}

IMG_HOST_DEVICE void img_point_cube_stage(const ImgPointStage *stage, const uint16_t *tables,
                                          uint32_t *sample)
{
    const uint16_t *nodes = tables + stage->table[0];
    const ImgPointCell cell = img_point_cell(sample[0], sample[1], sample[2], (uint32_t)stage->size,
                                             (1u << stage->from_bits) - 1);
    for (int32_t c = 0; c < IMG_POINT_CHANNELS - 1; c++) {
        uint32_t sum = 0;
        for (int32_t k = 0; k < 4; k++)
            sum += cell.weight[k] * nodes[cell.node[k] * IMG_POINT_NODE + (uint32_t)c];
        sample[c] = img_point_cube_rounded(sum);
    }
}

/* --- Dithering -------------------------------------------------------------------------------- */

/* Converts a value to fewer bits. Consecutive new samples are `step` old ones apart. The result is
 * the next lower sample, or the next higher one if the remainder plus `threshold` (0 to step - 1)
 * reaches a whole step. */
IMG_HOST_DEVICE uint32_t img_point_dithered(uint32_t value, uint32_t threshold, uint32_t step)
{
    return (value + threshold) / step;
}

/* Returns the eight thresholds for row `y`. A pixel in column x uses threshold x % 8. */
IMG_HOST_DEVICE const uint16_t *img_point_thresholds(const ImgPointStage *stage,
                                                     const uint16_t *tables, int32_t y)
{
    return tables + stage->table[0] + y % IMG_POINT_DITHER_EDGE * IMG_POINT_DITHER_EDGE;
}

IMG_HOST_DEVICE void img_point_dither_stage(const ImgPointStage *stage, const uint16_t *tables,
                                            int32_t x, int32_t y, uint32_t *sample)
{
    const uint32_t threshold = img_point_thresholds(stage, tables, y)[x % IMG_POINT_DITHER_EDGE];
    const int32_t colors = stage->from > 2 ? 3 : 1;
    const uint32_t step = (uint32_t)stage->size;
    for (int32_t c = 0; c < IMG_POINT_CHANNELS; c++)
        sample[c] = img_point_dithered(sample[c], c < colors ? threshold : step / 2, step);
}

/* --- Any of them ------------------------------------------------------------------------------ */

/* Applies a stage to the samples of the pixel at column `x` of row `y`, in place. `sample` must
 * have space for four samples. The position matters only for dithering. */
IMG_HOST_DEVICE void img_point_apply(const ImgPointStage *stage, const uint16_t *tables, int32_t x,
                                     int32_t y, uint32_t *sample)
{
    if (stage->kind == IMG_POINT_TABLE)
        img_point_table_stage(stage, tables, sample);
    else if (stage->kind == IMG_POINT_MATRIX)
        img_point_matrix_stage(stage, sample);
    else if (stage->kind == IMG_POINT_CUBE)
        img_point_cube_stage(stage, tables, sample);
    else if (stage->kind == IMG_POINT_DITHER)
        img_point_dither_stage(stage, tables, x, y, sample);
    else
        img_point_alpha_stage(stage, sample);
}

#endif
