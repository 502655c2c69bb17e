#include "kernels/resize/rows/resize_wide_avx2.h"
#define WIDE img_resize_wide_avx2
#include "kernels/resize/rows/resize_wide_source.h"
