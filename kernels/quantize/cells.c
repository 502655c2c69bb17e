/* Sorts the pixels of a picture into cells of similar colours, with a hash table. */
#include <stdlib.h>
#include <string.h>

#include "kernels/quantize/quantize.h"

/* Number of slots of the hash table for each cell: at most half of them are in use. */
enum { SLOTS_PER_CELL = 2, TABLE_BITS_LEAST = 4 };

static uint32_t room_for(uint64_t pixels)
{
    return pixels < IMG_CELLS_MAX ? (uint32_t)pixels : IMG_CELLS_MAX;
}

static int table_bits(uint32_t room)
{
    int bits = TABLE_BITS_LEAST;
    while (UINT64_C(1) << bits < (uint64_t)SLOTS_PER_CELL * room)
        bits++;
    return bits;
}

uint64_t img_cells_bytes(uint64_t pixels)
{
    const uint32_t room = room_for(pixels);
    return room * sizeof(ImgCell) + (sizeof(uint32_t) << table_bits(room));
}

bool img_cells_alloc(uint64_t pixels, ImgCells *cells)
{
    const uint32_t room = room_for(pixels);
    *cells = (ImgCells){.room = room, .table_bits = table_bits(room)};
    cells->cells = malloc(room * sizeof *cells->cells);
    cells->table = calloc((size_t)1 << cells->table_bits, sizeof *cells->table);
    if (cells->cells != NULL && cells->table != NULL)
        return true;
    img_cells_free(cells);
    return false;
}

void img_cells_free(ImgCells *cells)
{
    free(cells->cells);
    free(cells->table);
    *cells = (ImgCells){.cells = NULL};
}

/* Returns the part of a colour that is equal for all colours of a cell. */
static uint32_t key_of(uint32_t pixel, int level)
{
    return pixel & UINT32_C(0x01010101) * (0xffU << level & 0xffU);
}

/* Returns the slot of the cell `key`, or the free slot where it belongs. */
static uint32_t *find_slot(const ImgCells *cells, uint32_t key)
{
    const uint32_t mask = (UINT32_C(1) << cells->table_bits) - 1;
    uint32_t at = key * UINT32_C(0x9e3779b1) >> (32 - cells->table_bits);
    while (cells->table[at] != 0 && cells->cells[cells->table[at] - 1].key != key)
        at = (at + 1) & mask;
    return &cells->table[at];
}

static void add_sums(ImgCell *cell, const ImgCell *more)
{
    cell->sums.count += more->sums.count;
    for (int c = 0; c < 4; c++)
        cell->sums.sums[c] += more->sums.sums[c];
    cell->squares += more->squares;
}

/* Ignores more bits of each channel, and merges the cells that are equal without them. The new
 * cells take the places of the old ones from the first one on. */
static void set_level(ImgCells *cells, int level)
{
    const uint32_t before = cells->count;
    cells->level = level;
    cells->count = 0;
    memset(cells->table, 0, sizeof *cells->table << cells->table_bits);
    for (uint32_t i = 0; i < before; i++) {
        ImgCell cell = cells->cells[i];
        cell.key = key_of(cell.key, level);
        uint32_t *slot = find_slot(cells, cell.key);
        if (*slot != 0) {
            add_sums(&cells->cells[*slot - 1], &cell);
            continue;
        }
        cells->cells[cells->count++] = cell;
        *slot = cells->count;
    }
}

/* Returns the cell of a colour that is not fully transparent. Makes it if there is none. */
static ImgCell *cell_of(ImgCells *cells, uint32_t pixel)
{
    for (;;) {
        const uint32_t key = key_of(pixel, cells->level);
        uint32_t *slot = find_slot(cells, key);
        if (*slot != 0)
            return &cells->cells[*slot - 1];
        if (cells->count < cells->room) {
            ImgCell *cell = &cells->cells[cells->count++];
            *cell = (ImgCell){.key = key};
            *slot = cells->count;
            return cell;
        }
        set_level(cells, cells->level + 1);
    }
}

static void add_pixels(ImgCells *cells, uint32_t pixel, int64_t count)
{
    if (pixel >> 24 == 0) {
        cells->clear += (uint64_t)count;
        return;
    }
    ImgCell *cell = cell_of(cells, pixel);
    const int64_t alpha = img_channel(pixel, 3);
    int64_t squares = IMG_ALPHA_SQUARE * alpha * alpha;
    cell->sums.count += count;
    for (int c = 0; c < 3; c++) {
        const int64_t value = img_color_coordinate(pixel, c);
        cell->sums.sums[c] += value * count;
        squares += value * value;
    }
    cell->sums.sums[3] += alpha * count;
    cell->squares += (uint64_t)(squares * count);
}

void img_cells_add(ImgCells *cells, const uint32_t *pixels, size_t count)
{
    size_t end;
    for (size_t i = 0; i < count; i = end) {
        for (end = i + 1; end < count && pixels[end] == pixels[i];)
            end++;
        add_pixels(cells, pixels[i], (int64_t)(end - i));
    }
}

void img_cells_merge(ImgCells *cells, const ImgCells *more)
{
    if (cells->level < more->level)
        set_level(cells, more->level);
    cells->clear += more->clear;
    for (uint32_t i = 0; i < more->count; i++)
        add_sums(cell_of(cells, more->cells[i].key), &more->cells[i]);
}
