#include "kernels/resize/resize_vector_avx2.h"
#define ROWS img_resize_rows_avx2
#include "kernels/resize/resize_rows_source.h"
