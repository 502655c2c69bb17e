#define ROWS img_point_rows_avx512
#include "kernels/core/point/point_rows_source.h"
