/* The inner loops, compiled for x86-64-v3; only called where img_cpu_level() says so. */
#define BLOCKS_TABLE img_turn_blocks_avx2
#include "kernels/turn/simd_avx2.h"

#include "kernels/turn/blocks_source.h"
