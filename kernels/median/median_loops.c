/* Computes rows of medians. This file is compiled once for each instruction set
 * (core/parallel/cpu.h). */
#include <stdint.h>

#include "kernels/core/parallel/cpu.h"
#include "kernels/median/median_rows.h"
#include "kernels/simd/simd.h"

/* --- Minimum and maximum of vectors of unsigned integers of 8 and of 16 bits -------------------
 */

static inline vu8 minimum_16(vu8 a, vu8 b)
{
    return (vu8)min_u16((vu16)a, (vu16)b);
}

static inline vu8 maximum_16(vu8 a, vu8 b)
{
    return (vu8)max_u16((vu16)a, (vu16)b);
}

#define NAME(word) word##_8
#define MINIMUM    min_u8
#define MAXIMUM    max_u8
#include "kernels/median/median_small_source.h"
/* This include must follow median_small_source.h, whose functions it calls. */
#include "kernels/median/median_network_source.h"

#define NAME(word) word##_16
#define MINIMUM    minimum_16
#define MAXIMUM    maximum_16
#include "kernels/median/median_small_source.h"
/* This include must follow median_small_source.h, whose functions it calls. */
#include "kernels/median/median_network_source.h"

void IMG_VARIANT(img_median_network)(const ImgMedianTile *tile, uint8_t *to)
{
    if (tile->bytes == 1)
        network_8(tile, to);
    else
        network_16(tile, to);
}
