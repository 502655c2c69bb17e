/* The inner loops of turns, compiled for x86-64-v4. They may be called only if img_cpu_level()
 * allows it. */
#define BLOCKS_TABLE img_turn_blocks_avx512
#include "kernels/turn/simd_avx512.h"

#include "kernels/turn/blocks_source.h"
