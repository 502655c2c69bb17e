#include "kernels/denoise/lanes_portable.h"
#define ROWS img_weighed_rows_portable
#include "kernels/denoise/weighed_rows_source.h"
