#define ROWS img_morphology_rows_portable
#include "kernels/morphology/morphology_rows_source.h"
