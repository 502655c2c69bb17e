/* The inner loops, compiled for what every processor of this architecture has. */
#define BLOCKS_TABLE img_turn_blocks_portable
#include "kernels/turn/simd_portable.h"

#include "kernels/turn/blocks_source.h"
