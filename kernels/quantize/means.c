/* Makes a palette of cells: divides them into boxes, improves the means of the boxes by k-means (S.
 * P. Lloyd, "Least squares quantization in PCM", 1982), and rounds them to colours. */
#include <stdlib.h>
#include <string.h>

#include "kernels/core/minmax.h"
#include "kernels/quantize/quantize.h"

/* Rounds of k-means. A few colours need more rounds until they hardly move. */
enum { ROUNDS = 6, ROUNDS_OF_FEW = 12, FEW = 32 };

/* A squared error of QUALITY_ERROR / 10 per channel and pixel, in squared levels, takes 1 from a
 * quality of 100. */
enum { QUALITY_ERROR = 13, QUALITY_BEST = 100 };

/* The boxes, or clusters, and their colours. */
typedef struct Clusters {
    ImgColorSums sums[IMG_PALETTE_MAX];
    ImgColorEntries entries;
    int32_t count;
} Clusters;

typedef struct Palette {
    uint32_t colors[IMG_PALETTE_MAX];
    int32_t count, reached;
    bool is_exact;
} Palette;

uint64_t img_palette_work_bytes(uint64_t pixels)
{
    const uint64_t most = img_min64(pixels, IMG_CELLS_MAX);
    return most * (2 * sizeof(int16_t[4]) + 2 * sizeof(uint32_t));
}

bool img_palette_work_alloc(uint64_t pixels, ImgPaletteWork *work)
{
    const size_t count = (size_t)img_min64(pixels, IMG_CELLS_MAX);
    *work = (ImgPaletteWork){.means = malloc(count * sizeof *work->means)};
    work->points.low = malloc(count * sizeof *work->points.low);
    work->points.high = malloc(count * sizeof *work->points.high);
    work->order = malloc(count * sizeof *work->order);
    work->found = malloc(count * sizeof *work->found);
    if (work->means != NULL && work->points.low != NULL && work->points.high != NULL &&
        work->order != NULL && work->found != NULL)
        return true;
    img_palette_work_free(work);
    return false;
}

void img_palette_work_free(ImgPaletteWork *work)
{
    free(work->means);
    free(work->points.low);
    free(work->points.high);
    free(work->order);
    free(work->found);
    *work = (ImgPaletteWork){.means = NULL};
}

/* --- Means ------------------------------------------------------------------------------------ */

static void mean_point(const ImgColorSums *sums, int16_t point[4])
{
    for (int c = 0; c < 3; c++)
        point[c] = (int16_t)img_rounded_quotient(sums->sums[c], sums->count);
    point[3] = (int16_t)img_rounded_quotient(sums->sums[3] * IMG_ALPHA_WEIGHT,
                                             sums->count * IMG_ALPHA_UNIT);
}

/* Returns the mean colour, rounded to 8 bits. */
static uint32_t mean_color(const ImgColorSums *sums)
{
    const int64_t alpha = img_rounded_quotient(sums->sums[3], sums->count);
    uint32_t color = (uint32_t)alpha << 24;
    for (int c = 0; c < 3 && alpha > 0; c++) {
        const int64_t premultiplied = sums->sums[c] + IMG_COLOR_SCALE / 2 * sums->sums[3];
        const int64_t value =
            img_rounded_quotient(premultiplied * 255, IMG_COLOR_SCALE * sums->sums[3]);
        color |= (uint32_t)(value < 0 ? 0 : value > 255 ? 255 : value) << (8 * c);
    }
    return color;
}

static void find_means(ImgPaletteWork *work)
{
    for (uint32_t i = 0; i < work->cells->count; i++) {
        int16_t *mean = work->means[i];
        mean_point(&work->cells->cells[i].sums, mean);
        memcpy(work->points.low[i], mean, sizeof work->points.low[i]);
        memcpy(work->points.high[i], mean + 2, sizeof work->points.high[i]);
    }
}

/* --- k-means ---------------------------------------------------------------------------------- */

static void set_entries(Clusters *clusters)
{
    for (int32_t i = 0; i < clusters->count; i++) {
        int16_t point[4];
        mean_point(&clusters->sums[i], point);
        img_color_entry_set(&clusters->entries, i, point);
    }
    clusters->entries.count = clusters->count;
    img_color_entries_fill(&clusters->entries);
}

static void move_cell(ImgColorSums *sums, const ImgColorSums *cell, int64_t sign)
{
    sums->count += sign * cell->count;
    for (int c = 0; c < 4; c++)
        sums->sums[c] += sign * cell->sums[c];
}

/* Returns the cell with the largest error that is not alone in its cluster: of several, the one
 * with the lowest key. Returns NULL if there is none. */
static const ImgCell *worst_cell(const ImgPaletteWork *work, const Clusters *clusters,
                                 uint32_t *index)
{
    const ImgCell *worst = NULL;
    uint64_t largest = 0;
    for (uint32_t i = 0; i < work->cells->count; i++) {
        const ImgCell *cell = &work->cells->cells[i];
        const uint64_t error = (work->found[i] >> 8) * (uint64_t)cell->sums.count;
        const bool is_alone = clusters->sums[work->found[i] & 255].count == cell->sums.count;
        if (is_alone || error == 0 ||
            (worst != NULL && (error < largest || (error == largest && cell->key > worst->key))))
            continue;
        worst = cell;
        largest = error;
        *index = i;
    }
    return worst;
}

/* Gives each cluster without cells the cell with the largest error. Drops those that get none. */
static void fill_empty(ImgPaletteWork *work, Clusters *clusters)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < clusters->count; i++) {
        uint32_t index;
        if (clusters->sums[i].count == 0) {
            const ImgCell *cell = worst_cell(work, clusters, &index);
            if (cell == NULL)
                continue;
            move_cell(&clusters->sums[work->found[index] & 255], &cell->sums, -1);
            move_cell(&clusters->sums[i], &cell->sums, 1);
            work->found[index] = (uint32_t)i;
        }
        clusters->sums[kept++] = clusters->sums[i];
    }
    clusters->count = kept;
}

static void run_round(ImgPaletteWork *work, Clusters *clusters)
{
    const ImgCells *cells = work->cells;
    set_entries(clusters);
    work->nearest(&work->points, cells->count, &clusters->entries, work->found);
    memset(clusters->sums, 0, sizeof clusters->sums);
    for (uint32_t i = 0; i < cells->count; i++)
        move_cell(&clusters->sums[work->found[i] & 255], &cells->cells[i].sums, 1);
    fill_empty(work, clusters);
}

/* --- The palette ------------------------------------------------------------------------------ */

/* Returns a number by which entries are sorted: those that are not opaque first, so that tRNS is
 * short, then dark before bright. */
static uint64_t rank(uint32_t color)
{
    const uint64_t luma = 2 * (uint64_t)img_channel(color, 0) +
                          5 * (uint64_t)img_channel(color, 1) + (uint64_t)img_channel(color, 2);
    const uint64_t is_opaque = color >> 24 == 255;
    return is_opaque << 63 | luma << 32 | color;
}

static int by_rank(const void *a, const void *b)
{
    const uint64_t first = rank(*(const uint32_t *)a), second = rank(*(const uint32_t *)b);
    return first < second ? -1 : first > second;
}

/* Sorts the entries, and drops all but one of equal ones. */
static void tidy(Palette *palette)
{
    int32_t kept = 0;
    qsort(palette->colors, (size_t)palette->count, sizeof palette->colors[0], by_rank);
    for (int32_t i = 0; i < palette->count; i++)
        if (i == 0 || palette->colors[i] != palette->colors[i - 1])
            palette->colors[kept++] = palette->colors[i];
    palette->count = kept;
}

/* Returns the squared error of a cell whose pixels all get `color`. */
static uint64_t error_of(const ImgCell *cell, uint32_t color)
{
    const int64_t alpha = img_channel(color, 3);
    int64_t product = IMG_ALPHA_SQUARE * alpha * cell->sums.sums[3];
    int64_t square = IMG_ALPHA_SQUARE * alpha * alpha;
    for (int c = 0; c < 3; c++) {
        const int64_t value = img_color_coordinate(color, c);
        product += value * cell->sums.sums[c];
        square += value * value;
    }
    return cell->squares + (uint64_t)(square * cell->sums.count) - 2 * (uint64_t)product;
}

/* Returns the quality of a palette: 100 minus the mean squared error of all pixels, in units of
 * QUALITY_ERROR / 10, rounded up. */
static int32_t quality_of(ImgPaletteWork *work, const Palette *palette)
{
    ImgColorEntries entries = {.count = palette->count};
    uint64_t pixels = work->cells->clear, error = 0;
    for (int32_t i = 0; i < palette->count; i++) {
        int16_t point[4];
        img_color_point(palette->colors[i], point);
        img_color_entry_set(&entries, i, point);
    }
    img_color_entries_fill(&entries);
    work->nearest(&work->points, work->cells->count, &entries, work->found);
    for (uint32_t i = 0; i < work->cells->count; i++) {
        pixels += (uint64_t)work->cells->cells[i].sums.count;
        error += error_of(&work->cells->cells[i], palette->colors[work->found[i] & 255]);
    }
    const uint64_t mean = error / pixels + (error % pixels > 0 ? 1 : 0);
    const uint64_t unit = QUALITY_ERROR * 3 * IMG_COLOR_SCALE * IMG_COLOR_SCALE;
    const uint64_t lost = (mean * 10 + unit - 1) / unit;
    return lost < QUALITY_BEST ? QUALITY_BEST - (int32_t)lost : 0;
}

/* Makes the best palette of at most `most` colours. */
static void make(ImgPaletteWork *work, int32_t most, Palette *palette)
{
    const ImgCells *cells = work->cells;
    const int32_t reserved = cells->clear > 0 ? 1 : 0;
    Clusters clusters = {.count = 0};
    *palette = (Palette){.count = reserved, .reached = QUALITY_BEST}; /* colors[0] is transparent */
    if (cells->level == 0 && cells->count + (uint32_t)reserved <= (uint32_t)most) {
        for (uint32_t i = 0; i < cells->count; i++)
            palette->colors[palette->count++] = cells->cells[i].key;
        palette->is_exact = true;
    } else {
        clusters.count = img_cut_cells(cells, (const int16_t(*)[4])work->means, work->order,
                                       most - reserved, clusters.sums);
        const int rounds = most <= FEW ? ROUNDS_OF_FEW : ROUNDS;
        for (int i = 0; i < rounds; i++)
            run_round(work, &clusters);
        for (int32_t i = 0; i < clusters.count; i++)
            palette->colors[palette->count++] = mean_color(&clusters.sums[i]);
    }
    tidy(palette);
}

/* Makes a palette of few colours that reaches the quality `wanted`, if `most` colours do. Halves
 * the range of numbers of colours until one is left. */
static void make_least(ImgPaletteWork *work, int32_t most, int32_t wanted, Palette *palette)
{
    int32_t low = 1, high = most;
    make(work, most, palette);
    palette->reached = quality_of(work, palette);
    while (palette->reached >= wanted && low + 1 < high) {
        const int32_t middle = low + (high - low) / 2;
        Palette smaller;
        make(work, middle, &smaller);
        smaller.reached = quality_of(work, &smaller);
        if (smaller.reached >= wanted) {
            *palette = smaller;
            high = middle;
        } else {
            low = middle;
        }
    }
}

void img_palette_make(const ImgCells *cells, const ImgQuantizeParams *own,
                      ImgNearestFunction *nearest, ImgPaletteWork *work, uint64_t *table)
{
    Palette palette;
    const int32_t room = own->bits > 0 ? 1 << own->bits : IMG_PALETTE_MAX;
    const int32_t most = own->colors < room ? own->colors : room;
    work->cells = cells;
    work->nearest = nearest;
    find_means(work);
    if (own->quality.is_given != 0)
        make_least(work, most, own->quality.to, &palette);
    else
        make(work, most, &palette);
    memset(table, 0, IMG_PALETTE_COLUMNS * sizeof *table);
    table[IMG_PALETTE_COUNT] = (uint64_t)palette.count;
    table[IMG_PALETTE_REACHED] = (uint64_t)palette.reached;
    table[IMG_PALETTE_EXACT] = palette.is_exact ? 1 : 0;
    for (int32_t i = 0; i < palette.count; i++)
        table[IMG_PALETTE_ENTRIES + i] = palette.colors[i];
}
