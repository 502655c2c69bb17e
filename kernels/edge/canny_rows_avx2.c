/* See canny_rows_source.h. */
#define ROWS   img_canny_rows_avx2
#define WINDOW img_window_rows_avx2
#include "kernels/edge/canny_rows_source.h"
