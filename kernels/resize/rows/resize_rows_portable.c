#include "kernels/resize/rows/resize_vector_portable.h"
#define ROWS img_resize_rows_portable
#include "kernels/resize/rows/resize_rows_source.h"
