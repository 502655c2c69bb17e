/* NEON variant of point_rows_source.h; every 64-bit ARM processor has NEON. */
#define POINT_NEON 1
#define ROWS       img_point_rows_neon
#include "kernels/core/point/rows/point_rows_source.h"
