#include "kernels/resize/rows/resize_vector_avx2.h"
#define ROWS img_resize_rows_avx2
#include "kernels/resize/rows/resize_rows_source.h"
