/* Private to points.c and points_pack.c, which build and pack the stages of an ImgPoints. */
#ifndef IMGTOOL_KERNELS_POINT_POINTS_PRIV_H
#define IMGTOOL_KERNELS_POINT_POINTS_PRIV_H

#include "kernels/point/points.h"

/* Adds a stage of the given kind. It has the channels and bits of the current format, both before
 * and after the stage. Returns NULL if IMG_POINT_STAGES_MAX stages exist. */
ImgPointStage *img_points_add_stage(ImgPoints *points, ImgPointKind kind, ImgError *err);

/* Returns the number of entries of each table of the stage; 0 for a kind without tables. */
size_t img_points_entries(const ImgPointStage *stage);

/* Appends `entries` uninitialised entries after all tables. Returns a pointer to them, which is
 * valid until entries are added again. Returns NULL when memory is short, or in a sketch. */
uint16_t *img_points_add_entries(ImgPoints *points, size_t entries, ImgError *err);

#endif
