/* The stage that looks colours up in a lattice. Its nodes are copied only once, into the packed
 * program. */
#include "kernels/core/point/points_priv.h"

ImgStatus img_points_cube(ImgPoints *points, const uint16_t *nodes, int32_t size, ImgError *err)
{
    ImgPointStage *stage = img_points_add_stage(points, IMG_POINT_CUBE, err);
    if (stage == NULL)
        return IMG_E_LIMIT;
    stage->size = size;
    for (int c = 0; c < IMG_POINT_CHANNELS; c++)
        stage->table[c] = c == 0 ? points->lent_count : -1;
    points->lent[points->lent_count++] = nodes;
    return IMG_OK;
}
