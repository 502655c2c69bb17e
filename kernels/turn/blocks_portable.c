/* The inner loops of turns, compiled for the baseline of the architecture. */
#define BLOCKS_TABLE img_turn_blocks_portable
#include "kernels/turn/simd_portable.h"

#include "kernels/turn/blocks_source.h"
