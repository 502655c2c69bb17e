#include "kernels/core/window/vector_avx2.h"
#define ROWS img_window_rows_avx2
#include "kernels/core/window/window_rows_source.h"
