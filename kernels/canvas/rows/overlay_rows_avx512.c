#define ROWS img_overlay_rows_avx512
#include "kernels/canvas/rows/overlay_rows_source.h"
