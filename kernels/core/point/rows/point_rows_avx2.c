#define ROWS img_point_rows_avx2
#include "kernels/core/point/rows/point_rows_source.h"
