/* Private to the reductions of palettes: replaces palette indices. */
#ifndef IMGTOOL_IO_PNG_OPTIMIZE_PALETTE_MAP_H
#define IMGTOOL_IO_PNG_OPTIMIZE_PALETTE_MAP_H

#include "io/png/optimize/reduce.h"

/* A new index for each old one. Several old entries may get the same index if they are equal. */
typedef struct ImgPaletteMap {
    uint8_t to[IMG_COLOURS_MAX];
    bool stays[IMG_COLOURS_MAX]; /* false: the old entry is removed, no pixel has its index */
    int entries;                 /* number of new entries */
} ImgPaletteMap;

/* Counts the pixels of each index. Returns false if a pixel has an index without an entry. */
bool img_palette_count(const ImgReduced *picture, uint64_t counts[IMG_COLOURS_MAX]);

/* Returns the fewest bits, 1, 2, 4 or 8, of an index into this number of entries. */
int img_palette_bits(int entries);

/* Replaces indices, entries and what refers to them. An index gets `bits` bits. */
ImgStatus img_palette_apply(const ImgReduced *from, const ImgPaletteMap *map, int bits,
                            unsigned done, ImgReduced *to, ImgError *err);

#endif
