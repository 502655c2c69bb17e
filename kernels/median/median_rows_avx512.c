#define NETWORK_ROW img_median_network_avx512
#define COUNTS_ROW  img_median_counts_avx512
#include "kernels/median/median_rows_source.h"
