#include "io/png/optimize/filter_plan.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/deflate/logarithm.h"
#include "io/png/encode/rows.h"
#include "io/png/filter/filter.h"

enum {
    ALL = (1 << IMG_FILTERS) - 1,
    VALUES = 256,
    PAIRS = VALUES * VALUES,
    WORD_BITS = 64,
    BRUTE_ROWS = 4,  /* rows that are deflated together with the row to choose for */
    BRUTE_LEVEL = 2, /* level of libdeflate */
    BRUTE_SLACK = 1024,
};

struct ImgFilterWork {
    size_t room;      /* largest size of a row in bytes */
    uint8_t *rows[2]; /* rows in the form of the file, of which one is the row above */
    uint8_t *tried;   /* a filtered row; for IMG_PLAN_BRUTE with the rows before it */
    uint8_t *deflated;
    size_t deflated_room;
    struct libdeflate_compressor *compressor; /* for IMG_PLAN_BRUTE; NULL until it is needed */
    uint64_t pairs[PAIRS / WORD_BITS];        /* the pairs of bytes that a row has, as bits */
};

const char *img_filter_plan_name(ImgFilterPlan plan)
{
    static const char *const names[] = {"none", "sub",     "up",      "average", "paeth",
                                        "sum",  "entropy", "bigrams", "brute",   "mixed"};
    return names[plan];
}

static size_t tried_bytes(size_t row_bytes)
{
    return (BRUTE_ROWS + 1) * (row_bytes + 1);
}

size_t img_filter_work_bytes(size_t row_bytes)
{
    return sizeof(ImgFilterWork) + 2 * row_bytes + 2 * tried_bytes(row_bytes) + BRUTE_SLACK;
}

ImgFilterWork *img_filter_work_create(size_t row_bytes)
{
    ImgFilterWork *work = calloc(1, sizeof *work);
    if (work == NULL)
        return NULL;
    work->room = row_bytes;
    work->deflated_room = tried_bytes(row_bytes) + BRUTE_SLACK;
    work->rows[0] = malloc(row_bytes);
    work->rows[1] = malloc(row_bytes);
    work->tried = malloc(tried_bytes(row_bytes));
    work->deflated = malloc(work->deflated_room);
    if (work->rows[0] != NULL && work->rows[1] != NULL && work->tried != NULL &&
        work->deflated != NULL)
        return work;
    img_filter_work_free(work);
    return NULL;
}

void img_filter_work_free(ImgFilterWork *work)
{
    if (work == NULL)
        return;
    libdeflate_free_compressor(work->compressor);
    free(work->rows[0]);
    free(work->rows[1]);
    free(work->tried);
    free(work->deflated);
    free(work);
}

/* --- What a row costs ------------------------------------------------------------------------- */

/* Returns the entropy of `size` bytes, times their number, in sixteenths of a bit: the sum of
 * n * (log size - log n) over all values, each of which occurs n times. */
static uint64_t entropy(const uint8_t *data, size_t size)
{
    uint32_t counts[VALUES] = {0};
    for (size_t i = 0; i < size; i++)
        counts[data[i]]++;
    const uint64_t whole = img_logarithm((uint32_t)size);
    uint64_t bits = 0;
    for (int i = 0; i < VALUES; i++)
        bits += counts[i] * (whole - (counts[i] > 0 ? img_logarithm(counts[i]) : whole));
    return bits;
}

static uint64_t count_pairs(ImgFilterWork *work, const uint8_t *data, size_t size)
{
    uint64_t count = 0;
    memset(work->pairs, 0, sizeof work->pairs);
    for (size_t i = 1; i < size; i++)
        work->pairs[(data[i - 1] * VALUES + data[i]) / WORD_BITS] |= UINT64_C(1)
                                                                     << data[i] % WORD_BITS;
    for (size_t i = 0; i < PAIRS / WORD_BITS; i++)
        count += (uint64_t)__builtin_popcountll(work->pairs[i]);
    return count;
}

/* --- Choosing a filter for a row -------------------------------------------------------------- */

/* One row in the form of the file, and the row above; NULL: there is none. */
typedef struct Row {
    size_t pixel, size;
    const uint8_t *data, *above;
} Row;

static uint64_t cost_of(ImgFilterWork *work, ImgFilterPlan plan, const uint8_t *data, size_t size)
{
    return plan == IMG_PLAN_ENTROPY ? entropy(data, size) : count_pairs(work, data, size);
}

/* Tries all filters, and leaves the row with the least cost in `out`. */
static ImgFilter choose_by_cost(ImgFilterWork *work, const Row *row, ImgFilterPlan plan,
                                uint8_t *out)
{
    ImgFilter best = IMG_FILTER_NONE;
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < IMG_FILTERS; i++) {
        img_png_filter_row((ImgFilter)i, row->pixel, row->size, row->data, row->above, work->tried);
        const uint64_t cost = cost_of(work, plan, work->tried + 1, row->size);
        if (cost >= least)
            continue;
        least = cost;
        best = (ImgFilter)i;
        memcpy(out, work->tried, row->size + 1);
    }
    return best;
}

/* Deflates up to BRUTE_ROWS filtered rows, which lie before `out`, and the row with each filter. */
static ImgFilter choose_by_brute(ImgFilterWork *work, const Row *row, size_t before, uint8_t *out)
{
    ImgFilter best = IMG_FILTER_NONE;
    size_t least = SIZE_MAX;
    memcpy(work->tried, out - before, before);
    for (int i = 0; i < IMG_FILTERS; i++) {
        img_png_filter_row((ImgFilter)i, row->pixel, row->size, row->data, row->above,
                           work->tried + before);
        const size_t size =
            libdeflate_deflate_compress(work->compressor, work->tried, before + row->size + 1,
                                        work->deflated, work->deflated_room);
        if (size >= least || size == 0)
            continue;
        least = size;
        best = (ImgFilter)i;
        memcpy(out, work->tried + before, row->size + 1);
    }
    return best;
}

static ImgFilter choose(ImgFilterWork *work, const Row *row, ImgFilterPlan plan, size_t before,
                        uint8_t *out)
{
    if (plan == IMG_PLAN_BRUTE)
        return choose_by_brute(work, row, before, out);
    if (plan == IMG_PLAN_SUM)
        return img_png_filter_best(ALL, row->pixel, row->size, row->data, row->above, out);
    if (plan == IMG_PLAN_ENTROPY || plan == IMG_PLAN_BIGRAMS)
        return choose_by_cost(work, row, plan, out);
    img_png_filter_row((ImgFilter)plan, row->pixel, row->size, row->data, row->above, out);
    return (ImgFilter)plan;
}

/* --- Filtering rows --------------------------------------------------------------------------- */

/* Returns row `y`, or NULL for the row above the first one. The two rows of a pair have different
 * buffers. */
static const uint8_t *row_of(ImgFilterWork *work, const ImgView *view, int32_t y)
{
    return y < 0 ? NULL : img_png_row(view, y, work->rows[y % 2]);
}

static Row start_row(ImgFilterWork *work, const ImgView *view, int32_t first)
{
    const ImgFormat format = view->format;
    return (Row){.pixel = format.bits < 8 ? 1 : img_format_pixel_size(format),
                 .size = img_png_row_bytes(view->width, format),
                 .data = row_of(work, view, first - 1)};
}

bool img_filter_by_plan(ImgFilterWork *work, const ImgView *view, int32_t first, int32_t end,
                        ImgFilterPlan plan, uint8_t *out, uint8_t *types)
{
    Row row = start_row(work, view, first);
    if (plan == IMG_PLAN_BRUTE && work->compressor == NULL)
        work->compressor = libdeflate_alloc_compressor(BRUTE_LEVEL);
    if (plan == IMG_PLAN_BRUTE && work->compressor == NULL)
        return false;
    for (int32_t y = first; y < end; y++) {
        const int32_t before = y - first < BRUTE_ROWS ? y - first : BRUTE_ROWS;
        row.above = row.data;
        row.data = row_of(work, view, y);
        types[y - first] = (uint8_t)choose(work, &row, plan, (size_t)before * (row.size + 1), out);
        out += row.size + 1;
    }
    return true;
}

void img_filter_by_types(ImgFilterWork *work, const ImgView *view, int32_t first, int32_t end,
                         const uint8_t *types, uint8_t *out)
{
    Row row = start_row(work, view, first);
    for (int32_t y = first; y < end; y++) {
        row.above = row.data;
        row.data = row_of(work, view, y);
        img_png_filter_row((ImgFilter)types[y - first], row.pixel, row.size, row.data, row.above,
                           out);
        out += row.size + 1;
    }
}
