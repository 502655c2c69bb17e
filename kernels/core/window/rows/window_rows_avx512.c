#include "kernels/core/window/rows/vector_avx512.h"
#define ROWS img_window_rows_avx512
#include "kernels/core/window/rows/window_rows_source.h"
