#define ROWS img_point_rows_portable
#include "kernels/core/point/rows/point_rows_source.h"
