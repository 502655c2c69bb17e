#define NETWORK_ROW img_median_network_avx2
#define COUNTS_ROW  img_median_counts_avx2
#include "kernels/median/median_rows_source.h"
