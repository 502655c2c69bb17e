#define ROWS img_morphology_rows_avx2
#include "kernels/morphology/morphology_rows_source.h"
