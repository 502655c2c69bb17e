#define ROWS img_point_rows_vbmi
#include "kernels/core/point/point_rows_source.h"
