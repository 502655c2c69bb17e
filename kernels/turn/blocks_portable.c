/* The inner loops, compiled for the baseline of this architecture. */
#define BLOCKS_TABLE img_turn_blocks_portable
#include "kernels/turn/simd_portable.h"

#include "kernels/turn/blocks_source.h"
