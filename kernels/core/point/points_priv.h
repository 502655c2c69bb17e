/* Private to the files that add stages to an ImgPoints. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_POINTS_PRIV_H
#define IMGTOOL_KERNELS_CORE_POINT_POINTS_PRIV_H

#include "kernels/core/point/points.h"

/* Adds a stage whose channels and bits, both before and after, are those of the current format.
 * Returns NULL if there is no room. */
ImgPointStage *img_points_add_stage(ImgPoints *points, ImgPointKind kind, ImgError *err);

/* Returns the number of entries of each table of the stage. */
size_t img_points_entries(const ImgPointStage *stage);

/* Appends `entries` uninitialised entries after all tables and returns a pointer to them, which is
 * valid until entries are added again. Returns NULL in the same cases as img_points_table. */
uint16_t *img_points_add_entries(ImgPoints *points, size_t entries, ImgError *err);

#endif
