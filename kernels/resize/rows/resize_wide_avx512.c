#include "kernels/resize/rows/resize_wide_avx512.h"
#define WIDE img_resize_wide_avx512
#include "kernels/resize/rows/resize_wide_source.h"
