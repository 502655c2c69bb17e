#include "kernels/resize/rows/resize_vector_avx512.h"
#define ROWS img_resize_rows_avx512
#include "kernels/resize/rows/resize_rows_source.h"
