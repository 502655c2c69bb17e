#include "kernels/resize/rows/resize_vector_neon.h"
#define ROWS img_resize_rows_neon
#include "kernels/resize/rows/resize_rows_source.h"
