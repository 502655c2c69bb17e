#include "kernels/resize/resize_vector_avx512.h"
#define ROWS img_resize_rows_avx512
#include "kernels/resize/resize_rows_source.h"
