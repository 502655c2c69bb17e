/* The references of palette and quantize: plain C. */
#include <stdlib.h>
#include <string.h>

#include "kernels/quantize/quantize.h"

/* --- palette ---------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return first < second ? -1 : first > second;
}

static uint32_t key_of(uint32_t pixel, int level)
{
    uint32_t key = 0;
    for (int c = 0; c < 4; c++)
        key |= (pixel >> (8 * c) & 255) >> level << level << (8 * c);
    return key;
}

/* Sorts the keys of all pixels that are not fully transparent, and returns the number of different
 * ones. */
static uint64_t count_keys(const uint32_t *pixels, size_t count, int level, uint32_t *keys)
{
    size_t used = 0;
    uint64_t different = 0;
    for (size_t i = 0; i < count; i++)
        if (pixels[i] != 0)
            keys[used++] = key_of(pixels[i], level);
    qsort(keys, used, sizeof *keys, by_value);
    for (size_t i = 0; i < used; i++)
        if (i == 0 || keys[i] != keys[i - 1])
            keys[different++] = keys[i];
    return different;
}

static void add_pixel(uint32_t pixel, ImgCell *cell)
{
    const int64_t alpha = img_channel(pixel, 3);
    cell->sums.count++;
    cell->sums.sums[3] += alpha;
    cell->squares += (uint64_t)(IMG_ALPHA_SQUARE * alpha * alpha);
    for (int c = 0; c < 3; c++) {
        const int64_t value = img_color_coordinate(pixel, c);
        cell->sums.sums[c] += value;
        cell->squares += (uint64_t)(value * value);
    }
}

/* Finds the cells of the pixels. `keys` has room for as many. */
static void find_cells(const uint32_t *pixels, size_t count, uint32_t *keys, ImgCells *cells)
{
    uint64_t different = count_keys(pixels, count, 0, keys);
    while (different > IMG_CELLS_MAX)
        different = count_keys(pixels, count, ++cells->level, keys);
    cells->count = (uint32_t)different;
    for (uint32_t i = 0; i < cells->count; i++)
        cells->cells[i] = (ImgCell){.key = keys[i]};
    for (size_t i = 0; i < count; i++) {
        const uint32_t key = key_of(pixels[i], cells->level);
        if (pixels[i] == 0)
            cells->clear++;
        else
            add_pixel(pixels[i], &cells->cells[(const uint32_t *)bsearch(&key, keys, cells->count,
                                                                         sizeof *keys, by_value) -
                                               keys]);
    }
}

ImgStatus img_palette_reference(const ImgCall *call, ImgError *err)
{
    const ImgQuantizeParams *own = call->params;
    const ImgView *src = &call->src;
    const size_t width = (size_t)src->width, count = width * (size_t)src->height;
    uint64_t *table = img_view_counts(&call->dst, 0);
    if (own->palette.content != NULL) {
        img_palette_of_file(own, table);
        return IMG_OK;
    }
    uint32_t *pixels = calloc(count, sizeof *pixels), *keys = malloc(count * sizeof *keys);
    ImgCells cells = {.cells = malloc(IMG_CELLS_MAX * sizeof *cells.cells)};
    ImgPaletteWork work = {.means = NULL};
    ImgStatus status = IMG_OK;
    if (pixels == NULL || keys == NULL || cells.cells == NULL ||
        !img_palette_work_alloc(count, &work))
        status = img_fail(err, IMG_E_MEMORY, "no memory for the colours of the picture");
    for (size_t y = 0; status == IMG_OK && y < (size_t)src->height; y++)
        img_quantize_load(src->data + y * src->stride, src->format, src->width, pixels + y * width);
    if (status == IMG_OK) {
        find_cells(pixels, count, keys, &cells);
        img_palette_make(&cells, own, img_nearest_plain, &work, table);
    }
    free(pixels);
    free(keys);
    free(cells.cells);
    img_palette_work_free(&work);
    return status;
}

/* --- quantize --------------------------------------------------------------------------------- */

/* Rows of pixels and errors. The errors of a row begin one pixel before its first pixel. */
typedef struct Rows {
    uint32_t *above, *at, *below;
    int32_t (*errors_above)[4], (*errors)[4];
} Rows;

static uint8_t nearest_entry(const ImgQuantizeConstants *own, const int16_t point[4])
{
    const ImgColorPoints points = {(int16_t(*)[2])point, (int16_t(*)[2])(point + 2)};
    uint32_t nearest;
    img_nearest_plain(&points, 1, &own->entries, &nearest);
    return nearest & 255;
}

static int32_t strength_at(const Rows *rows, int32_t x, int32_t width)
{
    const uint32_t pixel = rows->at[x];
    const uint32_t around[4] = {rows->at[x > 0 ? x - 1 : x], rows->at[x + 1 < width ? x + 1 : x],
                                rows->above[x], rows->below[x]};
    int32_t largest = 0;
    for (int i = 0; i < 4; i++) {
        const int32_t difference = img_pixel_difference(pixel, around[i]);
        largest = difference > largest ? difference : largest;
    }
    return img_dither_strength(largest, img_channel(pixel, 3));
}

/* Floyd-Steinberg dithering of one pixel. */
static uint8_t dither_pixel(const ImgQuantizeConstants *own, const Rows *rows, int32_t x,
                            int32_t width)
{
    const int32_t strength = strength_at(rows, x, width);
    int16_t point[4], entry[4];
    img_color_point(rows->at[x], point);
    for (int c = 0; c < 4; c++)
        point[c] =
            (int16_t)(point[c] + img_dither_share(rows->errors[x][c], rows->errors_above[x][c],
                                                  rows->errors_above[x + 1][c],
                                                  rows->errors_above[x + 2][c], strength));
    const uint8_t index = nearest_entry(own, point);
    img_color_point(own->colors[index], entry);
    for (int c = 0; c < 4; c++)
        rows->errors[x + 1][c] = img_clamped_error(point[c] - entry[c]);
    return index;
}

static uint8_t map_pixel(const ImgQuantizeConstants *own, uint32_t pixel, int32_t x, int32_t y)
{
    int16_t point[4];
    img_color_point(pixel, point);
    const uint8_t index = nearest_entry(own, point);
    if (own->dither != IMG_DITHER_ORDERED)
        return index;
    const int32_t offset = img_dither_offset(img_dither_threshold(x, y), own->amplitudes[index],
                                             img_channel(pixel, 3));
    for (int c = 0; c < 3; c++)
        point[c] = (int16_t)(point[c] + offset);
    return nearest_entry(own, point);
}

static void load_row(const ImgView *src, int32_t y, uint32_t *pixels)
{
    const int32_t within = y < src->height ? y : src->height - 1;
    img_quantize_load(src->data + (size_t)(within > 0 ? within : 0) * src->stride, src->format,
                      src->width, pixels);
}

static void run_row(const ImgCall *call, Rows *rows, int32_t y, uint8_t *indices)
{
    const ImgQuantizeConstants *own = call->constants.bytes;
    const int32_t width = call->src.width;
    load_row(&call->src, y - 1, rows->above);
    load_row(&call->src, y, rows->at);
    load_row(&call->src, y + 1, rows->below);
    for (int32_t x = 0; x < width; x++)
        indices[x] = own->dither == IMG_DITHER_FLOYD ? dither_pixel(own, rows, x, width)
                                                     : map_pixel(own, rows->at[x], x, y);
    int32_t(*const last)[4] = rows->errors;
    rows->errors = rows->errors_above;
    rows->errors_above = last;
    img_quantize_store(own, indices, width, call->dst.format,
                       call->dst.data + (size_t)y * call->dst.stride);
}

ImgStatus img_quantize_reference(const ImgCall *call, ImgError *err)
{
    const size_t width = (size_t)call->src.width;
    uint32_t *pixels = malloc(3 * width * sizeof *pixels);
    int32_t(*errors)[4] = calloc(2 * (width + 2), sizeof *errors);
    uint8_t *indices = malloc(width);
    Rows rows = {pixels, pixels + width, pixels + 2 * width, errors, errors + width + 2};
    ImgStatus status = IMG_OK;
    if (pixels == NULL || errors == NULL || indices == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory for rows");
    for (int32_t y = 0; status == IMG_OK && y < call->src.height; y++)
        run_row(call, &rows, y, indices);
    free(pixels);
    free(errors);
    free(indices);
    return status;
}
