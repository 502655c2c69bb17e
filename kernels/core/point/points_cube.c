/* The stage that sends colours through a lattice. */
#include <string.h>

#include "kernels/core/point/points_priv.h"

ImgStatus img_points_cube(ImgPoints *points, const uint16_t *nodes, int32_t size, ImgError *err)
{
    const size_t edge = (size_t)size, entries = edge * edge * edge * IMG_POINT_NODE;
    const int32_t first = (int32_t)points->entries;
    ImgPointStage *stage = img_points_add_stage(points, IMG_POINT_CUBE, err);
    uint16_t *own = stage != NULL ? img_points_add_entries(points, entries, err) : NULL;
    if (own == NULL)
        return IMG_E_MEMORY;
    memcpy(own, nodes, entries * sizeof *own);
    stage->size = size;
    for (int c = 0; c < IMG_POINT_CHANNELS; c++)
        stage->table[c] = c == 0 ? first : -1;
    return IMG_OK;
}
