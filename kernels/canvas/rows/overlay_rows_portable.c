#define ROWS img_overlay_rows_portable
#include "kernels/canvas/rows/overlay_rows_source.h"
