#define ROWS img_overlay_rows_avx2
#include "kernels/canvas/rows/overlay_rows_source.h"
