#include "kernels/denoise/lanes_avx2.h"
#define ROWS img_weighed_rows_avx2
#include "kernels/denoise/weighed_rows_source.h"
