/* Private to those who add stages to an ImgPoints. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_POINTS_PRIV_H
#define IMGTOOL_KERNELS_CORE_POINT_POINTS_PRIV_H

#include "kernels/core/point/points.h"

/* Names its format's channels and bits, both before and after. NULL: there is no room. */
ImgPointStage *img_points_add_stage(ImgPoints *points, ImgPointKind kind, ImgError *err);

/* Entries of each table of the stage. */
size_t img_points_entries(const ImgPointStage *stage);

/* Undefined content, at the end of all tables. NULL as img_points_table. The pointer is good until
 * the next are added. */
uint16_t *img_points_add_entries(ImgPoints *points, size_t entries, ImgError *err);

#endif
