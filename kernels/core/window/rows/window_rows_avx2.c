#include "kernels/core/window/rows/vector_avx2.h"
#define ROWS img_window_rows_avx2
#include "kernels/core/window/rows/window_rows_source.h"
