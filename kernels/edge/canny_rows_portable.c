/* See canny_rows_source.h. */
#define ROWS   img_canny_rows_portable
#define WINDOW img_window_rows_portable
#include "kernels/edge/canny_rows_source.h"
