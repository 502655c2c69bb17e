#define ROWS img_point_rows_vbmi
#include "kernels/core/point/rows/point_rows_source.h"
