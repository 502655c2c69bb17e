#include "kernels/core/window/rows/vector_neon.h"
#define ROWS img_window_rows_neon
#include "kernels/core/window/rows/window_rows_source.h"
