/* Computes rows of medians. This file is compiled once for each instruction set (core/cpu.h). */
#include "kernels/core/cpu.h"
#include "kernels/median/median_rows.h"
#include "kernels/median/median_vector.h"

#define NAME(word) word##_8
#define MINIMUM    MINIMUM_8
#define MAXIMUM    MAXIMUM_8
#include "kernels/median/median_small_source.h"
/* This file calls functions of median_small_source.h. */
#include "kernels/median/median_network_source.h"

#define NAME(word) word##_16
#define MINIMUM    MINIMUM_16
#define MAXIMUM    MAXIMUM_16
#include "kernels/median/median_small_source.h"
/* This file calls functions of median_small_source.h. */
#include "kernels/median/median_network_source.h"

void IMG_VARIANT(img_median_network)(const ImgMedianTile *tile, uint8_t *to)
{
    if (tile->bytes == 1)
        network_8(tile, to);
    else
        network_16(tile, to);
}

#include "kernels/median/median_counts_source.h"
