#include "kernels/resize/rows/resize_wide_portable.h"
#define WIDE img_resize_wide_portable
#include "kernels/resize/rows/resize_wide_source.h"
