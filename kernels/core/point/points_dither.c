/* The stage that dithers, with the thresholds of B. E. Bayer, "An optimum method for two-level
 * rendition of continuous-tone pictures", IEEE Int. Conf. on Communications (1973). */
#include "kernels/core/point/points_priv.h"

/* Returns the rank, 0..63, in which positions become lighter: bits of x ^ y and of y alternate, the
 * lowest first. */
static uint32_t order_of(uint32_t x, uint32_t y)
{
    uint32_t order = 0;
    for (uint32_t edge = 1; edge < IMG_POINT_DITHER_EDGE; edge *= 2)
        order = order << 2 | ((x ^ y) & edge ? 2u : 0) | (y & edge ? 1u : 0);
    return order;
}

ImgStatus img_points_dither(ImgPoints *points, ImgError *err)
{
    const uint32_t edge = IMG_POINT_DITHER_EDGE, places = edge * edge;
    const int32_t first = (int32_t)points->entries;
    ImgPointStage *stage = img_points_add_stage(points, IMG_POINT_DITHER, err);
    if (stage == NULL)
        return IMG_E_LIMIT;
    uint16_t *thresholds = img_points_add_entries(points, places, err);
    for (uint32_t i = 0; thresholds != NULL && i < places; i++)
        thresholds[i] = (uint16_t)((2 * order_of(i % edge, i / edge) + 1) * IMG_POINT_DITHER_STEP /
                                   (2 * places));
    for (int c = 0; c < IMG_POINT_CHANNELS; c++)
        stage->table[c] = c == 0 ? first : -1;
    stage->to_bits = 8;
    points->format.bits = 8;
    return img_points_filled(points, thresholds);
}
