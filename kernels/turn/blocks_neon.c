/* The inner loops of turns, compiled for NEON, which every 64-bit ARM processor has. */
#define BLOCKS_TABLE img_turn_blocks_neon
#include "kernels/turn/simd_neon.h"

#include "kernels/turn/blocks_source.h"
