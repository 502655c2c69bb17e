#include "kernels/denoise/lanes_avx512.h"
#define ROWS img_weighed_rows_avx512
#include "kernels/denoise/weighed_rows_source.h"
