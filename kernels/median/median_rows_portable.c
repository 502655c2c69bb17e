#define NETWORK_ROW img_median_network_portable
#define COUNTS_ROW  img_median_counts_portable
#include "kernels/median/median_rows_source.h"
