/* The inner loops, compiled for x86-64-v4; only called where img_cpu_level() says so. */
#define BLOCKS_TABLE img_turn_blocks_avx512
#include "kernels/turn/simd_avx512.h"

#include "kernels/turn/blocks_source.h"
