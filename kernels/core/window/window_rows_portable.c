#include "kernels/core/window/vector_portable.h"
#define ROWS img_window_rows_portable
#include "kernels/core/window/window_rows_source.h"
