#include "kernels/core/window/rows/vector_portable.h"
#define ROWS img_window_rows_portable
#include "kernels/core/window/rows/window_rows_source.h"
