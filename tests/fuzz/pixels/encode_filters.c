/* Checks the filters of the encoder and their inverse in the decoder: see judge_codec.h. */
#include <string.h>

#include "io/png/filter/filter.h"
#include "tests/checkcodec/filter_versions.h"
#include "tests/fuzz/pixels/judge_codec.h"

enum { WIDTH_MOST = 400, ROWS_MOST = 40, GUARD = 16, GUARD_BYTE = 0xa7 };

static const size_t PIXELS[] = {1, 2, 3, 4, 6, 8};

static size_t choose_pixel(Choices *choices)
{
    return PIXELS[choose_below(choices, sizeof PIXELS / sizeof PIXELS[0])];
}

/* Fills `bytes` with repeated copies of the rest of the input. To each byte of copy number n,
 * counted from 0, 31 * n is added. */
static void fill(Choices *choices, uint8_t *bytes, size_t size)
{
    const uint8_t *material = choices->at;
    const size_t count = choices->left;
    for (size_t i = 0; i < size; i++)
        bytes[i] = count == 0 ? (uint8_t)(7 * i) : (uint8_t)(material[i % count] + i / count * 31);
}

/* --- Filters ---------------------------------------------------------------------------------- */

/* A row and the row above it. Each is at the end of its allocation, so that reads past it are
 * found. */
typedef struct Row {
    size_t pixel, bytes;  /* number of bytes per pixel, and per row */
    uint8_t *row, *above; /* the two rows, owned; `above` is NULL for a row of zeros */
} Row;

static uint64_t sum_of(const uint8_t *filtered, size_t bytes)
{
    uint64_t sum = 0;
    for (size_t i = 1; i <= bytes; i++)
        sum += filtered[i] < 128 ? filtered[i] : 256U - filtered[i];
    return sum;
}

static void judge_filter(const Row *row, ImgFilter filter, uint64_t *sum)
{
    const ImgFilterLoops *loops[FILTER_VERSIONS_MOST];
    const int count = row->bytes >= IMG_FILTER_LEAST_BYTES ? filter_versions(loops) : 0;
    uint8_t *expected = allocate(1 + row->bytes), *got = allocate(1 + row->bytes);
    img_png_filter_row_reference(filter, row->pixel, row->bytes, row->row, row->above, expected);
    img_png_filter_row(filter, row->pixel, row->bytes, row->row, row->above, got);
    expect(memcmp(got, expected, 1 + row->bytes) == 0, "filter %d", (int)filter);
    for (int i = 0; i < count; i++) {
        memset(got, 0, 1 + row->bytes);
        loops[i]->filter_row(filter, row->pixel, row->bytes, row->row, row->above, got);
        expect(memcmp(got, expected, 1 + row->bytes) == 0, "filter %d, version %d", (int)filter, i);
    }
    *sum = sum_of(expected, row->bytes);
    free(expected);
    free(got);
}

static void judge_sums(const Row *row, unsigned allowed, const uint64_t sums[IMG_FILTERS])
{
    const ImgFilterLoops *loops[FILTER_VERSIONS_MOST];
    const int count = row->bytes >= IMG_FILTER_LEAST_BYTES ? filter_versions(loops) : 0;
    for (int i = 0; i < count; i++) {
        uint64_t got[IMG_FILTERS] = {0};
        loops[i]->sums(allowed, row->pixel, row->bytes, row->row, row->above, got);
        for (int filter = 0; filter < IMG_FILTERS; filter++)
            expect((allowed >> filter & 1) == 0 || got[filter] == sums[filter],
                   "version %d: sum of filter %d is %llu, expected %llu", i, filter,
                   (unsigned long long)got[filter], (unsigned long long)sums[filter]);
    }
}

static void judge_choice(const Row *row, unsigned allowed)
{
    uint8_t *expected = allocate(1 + row->bytes), *got = allocate(1 + row->bytes);
    const ImgFilter best = img_png_filter_best_reference(allowed, row->pixel, row->bytes, row->row,
                                                         row->above, expected);
    const ImgFilter ours =
        img_png_filter_best(allowed, row->pixel, row->bytes, row->row, row->above, got);
    expect(best == ours && memcmp(got, expected, 1 + row->bytes) == 0,
           "filter %d is the best of %02x, but %d was chosen", (int)best, allowed, (int)ours);
    free(expected);
    free(got);
}

void judge_filters(Choices *choices)
{
    Row row = {.pixel = choose_pixel(choices)};
    row.bytes = row.pixel * (1 + choose_16(choices) % WIDTH_MOST);
    const bool has_above = choose_below(choices, 4) != 0;
    const unsigned allowed = 1 + choose_below(choices, (1 << IMG_FILTERS) - 1),
                   skew = choose_below(choices, 8);
    uint64_t sums[IMG_FILTERS];
    uint8_t *both = allocate(2 * row.bytes), *memory = allocate(row.bytes + skew);
    fill(choices, both, 2 * row.bytes);
    row.row = memory + skew;
    memcpy(row.row, both, row.bytes);
    row.above = has_above ? allocate(row.bytes) : NULL;
    if (has_above)
        memcpy(row.above, both + row.bytes, row.bytes);
    for (int filter = 0; filter < IMG_FILTERS; filter++)
        judge_filter(&row, (ImgFilter)filter, &sums[filter]);
    judge_sums(&row, allowed, sums);
    judge_choice(&row, allowed);
    free(row.above);
    free(memory);
    free(both);
}

/* --- Undoing filters -------------------------------------------------------------------------- */

/* Undoes the filters of the bytes `from` to `to` of each row. `loops` is a version of the loops, or
 * NULL for the version that the program chooses. */
static void undo(ImgUnfilterLoops *loops, const ImgUnfilter *unfilter, size_t from, size_t to)
{
    if (loops != NULL)
        loops(unfilter, from, to);
    else
        expect(img_png_unfilter(unfilter, from, to), "a valid filter type is rejected");
}

/* Undoes the filters in columns of `step` pixels. Checks that the bytes outside a column do not
 * change. */
static void judge_columns(ImgUnfilterLoops *loops, ImgUnfilter unfilter, const uint8_t *expected,
                          size_t step)
{
    const size_t bytes = unfilter.row_bytes, count = (size_t)unfilter.count,
                 size = unfilter.stride * count;
    unfilter.rows = allocate(size);
    memset(unfilter.rows, GUARD_BYTE, size);
    for (size_t from = 0; from < bytes; from += step * unfilter.pixel) {
        const size_t to =
            from + step * unfilter.pixel < bytes ? from + step * unfilter.pixel : bytes;
        undo(loops, &unfilter, from, to);
        for (size_t y = 0; y < count; y++) {
            const uint8_t *row = unfilter.rows + y * unfilter.stride;
            expect(memcmp(row, expected + y * bytes, to) == 0,
                   "row %zu of %zu, up to byte %zu of %zu", y, count, to, bytes);
            for (size_t i = to; i < unfilter.stride; i++)
                expect(row[i] == GUARD_BYTE, "row %zu of %zu: byte %zu is written, past byte %zu",
                       y, count, i, to);
        }
    }
    free(unfilter.rows);
}

/* Undoes the filters in place, and checks that the filter types do not change. */
static void judge_in_place(ImgUnfilterLoops *loops, ImgUnfilter unfilter, const uint8_t *expected)
{
    const size_t row = 1 + unfilter.row_bytes, size = row * (size_t)unfilter.count;
    const uint8_t *before = unfilter.filtered;
    uint8_t *copy = allocate(size);
    memcpy(copy, before, size);
    unfilter.filtered = copy;
    unfilter.rows = copy + 1;
    unfilter.stride = row;
    undo(loops, &unfilter, 0, unfilter.row_bytes);
    for (size_t y = 0; y < (size_t)unfilter.count; y++)
        expect(copy[y * row] == before[y * row] &&
                   memcmp(copy + y * row + 1, expected + y * unfilter.row_bytes,
                          unfilter.row_bytes) == 0,
               "row %zu of %d in place", y, unfilter.count);
    free(copy);
}

static void judge_unfilter(const ImgUnfilter *unfilter, size_t step, size_t pad)
{
    ImgUnfilterLoops *loops[1 + UNFILTER_VERSIONS_MOST] = {NULL};
    const int count = 1 + unfilter_versions(loops + 1);
    ImgUnfilter reference = *unfilter;
    uint8_t *expected = allocate(unfilter->row_bytes * (size_t)unfilter->count);
    reference.rows = expected;
    reference.stride = unfilter->row_bytes;
    expect(img_png_unfilter_reference(&reference, 0, unfilter->row_bytes),
           "the reference rejects a valid filter type");
    ImgUnfilter padded = *unfilter;
    padded.stride = unfilter->row_bytes + pad;
    for (int i = 0; i < count; i++) {
        judge_columns(loops[i], padded, expected, step);
        judge_in_place(loops[i], *unfilter, expected);
    }
    free(expected);
}

void judge_unfilters(Choices *choices)
{
    ImgUnfilter unfilter = {.pixel = choose_pixel(choices)};
    unfilter.row_bytes = unfilter.pixel * (1 + choose_byte(choices));
    unfilter.count = 1 + (int32_t)choose_below(choices, ROWS_MOST);
    const bool has_above = choose_below(choices, 4) != 0;
    const unsigned types = choose_byte(choices);
    const size_t step = 1 + choose_byte(choices), pad = choose_below(choices, GUARD);
    const size_t row = 1 + unfilter.row_bytes, size = row * (size_t)unfilter.count;
    uint8_t *filtered = allocate(size), *above = has_above ? allocate(unfilter.row_bytes) : NULL;
    fill(choices, filtered, size);
    if (has_above)
        fill(choices, above, unfilter.row_bytes);
    unfilter.filtered = filtered;
    unfilter.above = above;
    /* Either all rows get the same filter type, or the type changes by a constant from row to row.
     */
    for (size_t y = 0; y < (size_t)unfilter.count; y++)
        filtered[y * row] =
            (uint8_t)(types < IMG_FILTERS ? types : (types + y * (types / 8)) % IMG_FILTERS);
    judge_unfilter(&unfilter, step, pad);
    filtered[row * (types % (size_t)unfilter.count)] = (uint8_t)(IMG_FILTERS + types % 251);
    uint8_t *rows = allocate(unfilter.row_bytes * (size_t)unfilter.count);
    unfilter.rows = rows;
    unfilter.stride = unfilter.row_bytes;
    expect(!img_png_unfilter(&unfilter, 0, unfilter.row_bytes),
           "an invalid filter type is accepted");
    free(rows);
    free(filtered);
    free(above);
}
