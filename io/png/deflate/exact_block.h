/* Private: the smallest form of a deflate block, and its bits. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_EXACT_BLOCK_H
#define IMGTOOL_IO_PNG_DEFLATE_EXACT_BLOCK_H

#include "io/png/deflate/exact_symbols.h"

typedef enum ImgExactKind { IMG_EXACT_STORED, IMG_EXACT_FIXED, IMG_EXACT_DYNAMIC } ImgExactKind;

/* How a block is written. For a stored block, codes.bits is an upper bound: the number of bits up
 * to the next byte boundary depends on where the block begins. */
typedef struct ImgExactPlan {
    ImgExactKind kind;
    ImgBlockPlan codes;
} ImgExactPlan;

/* Plans a block of `bytes` bytes of data with these counts, which include the end of the block. */
void img_exact_plan(const ImgBlockCounts *counts, size_t bytes, ImgExactPlan *plan);

/* Writes a block of at most plan->codes.bits bits. `data` is its data. */
void img_exact_put(ImgBits *to, const ImgExactPlan *plan, const uint8_t *data, size_t bytes,
                   const ImgExactSymbol *symbols, size_t count, bool last);

#endif
