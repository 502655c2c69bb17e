/* Private to quantize, and to palette, the measurement that it needs.
 *
 * palette reads the whole picture and makes the colours of the palette: it sorts pixels into cells
 * of similar colours (cells.h), divides the cells into boxes (cut.c), and improves the boxes by
 * k-means (means.c). quantize then maps each pixel to an entry of the palette. Everything is
 * computed in whole numbers, or in doubles in a fixed order, so all implementations give the same
 * bytes.
 *
 * Pixels are RGBA of 8 bits each, red in the lowest byte of a uint32_t. All fully transparent
 * pixels are 0. */
#ifndef IMGTOOL_KERNELS_QUANTIZE_QUANTIZE_H
#define IMGTOOL_KERNELS_QUANTIZE_QUANTIZE_H

#include "kernels/core/color/palette.h"
#include "kernels/core/op.h"
#include "kernels/quantize/quantize_arithmetic.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgDither {
    IMG_DITHER_NONE,    /* each pixel gets the nearest entry */
    IMG_DITHER_FLOYD,   /* Floyd-Steinberg: errors go to the neighbours that follow */
    IMG_DITHER_ORDERED, /* a pattern of 8 x 8 offsets is added before the search */
} ImgDither;

typedef struct ImgQuantizeParams {
    int32_t colors; /* largest number of entries, 2 to 256 */
    int32_t dither; /* ImgDither value */
    int32_t bits;   /* bits of an index: 1, 2, 4 or 8; 0: as few as the entries need */
    ImgRange quality;
    ImgFile palette; /* picture whose colours are the palette; no path: the palette is made */
    /* The following members are not options. The caller chooses the form of the result; the others
     * are results of the measurement. */
    int32_t as_colors; /* 1: the result consists of channels; 0: of palette indices */
    int32_t count;     /* number of entries; 0: nothing was measured; -1: the file has too many */
    int32_t reached;   /* quality of the palette, 0 to 100 */
    int32_t is_exact;  /* 1: the palette has all colours of the picture, so nothing is dithered */
    uint32_t entries[IMG_PALETTE_MAX];
} ImgQuantizeParams;

extern const ImgOp img_op_quantize, img_measure_palette;

/* Columns of the table of the measurement, which has one row. */
enum { IMG_PALETTE_COUNT, IMG_PALETTE_REACHED, IMG_PALETTE_EXACT, IMG_PALETTE_ENTRIES };
enum { IMG_PALETTE_COLUMNS = IMG_PALETTE_ENTRIES + IMG_PALETTE_MAX };

/* Options that quantize and palette have in common. */
extern const ImgParam img_quantize_params[];

/* --- Cells ------------------------------------------------------------------------------------ */

/* Sums over pixels: their number, and the sums of their three colour coordinates and of alpha. */
typedef struct ImgColorSums {
    int64_t count;
    int64_t sums[4];
} ImgColorSums;

/* Pixels of similar colours. */
typedef struct ImgCell {
    ImgColorSums sums;
    uint64_t squares; /* sum of the squares of the coordinates (img_color_square) */
    uint32_t key;     /* the colour without its lowest bits */
} ImgCell;

/* Largest number of cells. */
enum { IMG_CELLS_MAX = 1 << 16 };

/* The cells of a picture. Each has colours that are equal without their lowest `level` bits.
 * `level` is the smallest with which there are at most IMG_CELLS_MAX cells, so the cells do not
 * depend on the order of the pixels. At level 0 each cell is one colour. */
typedef struct ImgCells {
    ImgCell *cells;
    uint32_t count;
    int level;
    uint64_t clear;  /* number of fully transparent pixels, which are in no cell */
    uint32_t *table; /* hash table: 1 plus the index of a cell, or 0 */
    uint32_t room;   /* number of cells that fit */
    int table_bits;
} ImgCells;

/* Allocates memory for a picture of `pixels` pixels. The caller releases it with img_cells_free,
 * which does nothing for zeros. Returns false when memory is short. */
bool img_cells_alloc(uint64_t pixels, ImgCells *cells);
void img_cells_free(ImgCells *cells);
uint64_t img_cells_bytes(uint64_t pixels);
void img_cells_add(ImgCells *cells, const uint32_t *pixels, size_t count);
/* Adds the cells of another part of the picture. */
void img_cells_merge(ImgCells *cells, const ImgCells *more);

/* --- The palette ------------------------------------------------------------------------------ */

/* Points for the search of the nearest entry: coordinates 0 and 1, and 2 and 3 of each point, as
 * pairs. */
typedef struct ImgColorPoints {
    int16_t (*low)[2], (*high)[2];
} ImgColorPoints;

/* The entries of a palette as points. After the last entry it is repeated up to a multiple of
 * IMG_ENTRIES_STEP entries. */
enum { IMG_ENTRIES_STEP = 16 };
typedef struct ImgColorEntries {
    int16_t low[IMG_PALETTE_MAX][2], high[IMG_PALETTE_MAX][2];
    int32_t count;
} ImgColorEntries;

void img_color_entry_set(ImgColorEntries *entries, int32_t index, const int16_t point[4]);
void img_color_entries_fill(ImgColorEntries *entries);

/* Finds for each of `count` points the nearest entry; of several, the one with the lowest index.
 * Writes 256 times the squared distance, plus the index. */
typedef void ImgNearestFunction(const ImgColorPoints *points, size_t count,
                                const ImgColorEntries *entries, uint32_t *nearest);
ImgNearestFunction img_nearest_plain;

/* Divides cells into at most `most` boxes, so that colours in a box differ little. Each box is
 * written as its sums. If `most` is smaller, the result is the same as after fewer cuts. `means`
 * are the mean colours of the cells. `order` has room for one number per cell, and is changed.
 * Returns the number of boxes, at least 1; there must be a cell. */
int32_t img_cut_cells(const ImgCells *cells, const int16_t (*means)[4], uint32_t *order,
                      int32_t most, ImgColorSums boxes[IMG_PALETTE_MAX]);

/* Memory to make a palette of a picture of `pixels` pixels. The caller releases it with
 * img_palette_work_free, which does nothing for zeros. */
typedef struct ImgPaletteWork {
    int16_t (*means)[4];   /* mean colour of each cell */
    ImgColorPoints points; /* the means as pairs */
    uint32_t *order;       /* the order of cells in boxes */
    uint32_t *found;       /* the nearest entry of each cell */
    const ImgCells *cells; /* borrowed during a call */
    ImgNearestFunction *nearest;
} ImgPaletteWork;

bool img_palette_work_alloc(uint64_t pixels, ImgPaletteWork *work);
void img_palette_work_free(ImgPaletteWork *work);
uint64_t img_palette_work_bytes(uint64_t pixels);

/* Makes a palette of at most own->colors entries, and writes it to `table`, which has
 * IMG_PALETTE_COLUMNS numbers. Pictures may have up to 2^40 pixels. */
void img_palette_make(const ImgCells *cells, const ImgQuantizeParams *own,
                      ImgNearestFunction *nearest, ImgPaletteWork *work, uint64_t *table);

/* Writes the palette of the file own->palette to `table`. */
void img_palette_of_file(const ImgQuantizeParams *own, uint64_t *table);

/* Returns the bits of an index to `count` entries: 1, 2, 4 or 8. */
int img_quantize_bits(int32_t count);

/* --- Pixels ----------------------------------------------------------------------------------- */

/* Converts `width` pixels of a row to RGBA of 8 bits. */
void img_quantize_load(const uint8_t *row, ImgFormat format, int32_t width, uint32_t *pixels);

/* Constants of quantize. */
typedef struct ImgQuantizeConstants {
    uint32_t colors[IMG_PALETTE_MAX]; /* the entries */
    ImgColorEntries entries;
    /* For each entry: the largest offset of ordered dithering, by which a colour moves half of the
     * way to the nearest other entry. */
    int32_t amplitudes[IMG_PALETTE_MAX];
    int32_t dither; /* ImgDither value */
} ImgQuantizeConstants;

/* Stores the result for `width` pixels whose entries are `indices`. */
void img_quantize_store(const ImgQuantizeConstants *own, const uint8_t *indices, int32_t width,
                        ImgFormat format, uint8_t *row);

ImgRunFunction img_palette_reference, img_quantize_reference;
ImgRunFunction img_palette_cpu, img_quantize_cpu;
extern const ImgByRows img_palette_by_rows; /* the row-by-row form of img_palette_cpu */
uint64_t img_palette_scratch(ImgShape src, const void *params, int threads);
uint64_t img_quantize_scratch(ImgShape src, const void *params, int threads);

#ifdef __cplusplus
}
#endif
#endif
