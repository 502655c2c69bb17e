#include "kernels/core/window/vector_avx512.h"
#define ROWS img_window_rows_avx512
#include "kernels/core/window/window_rows_source.h"
