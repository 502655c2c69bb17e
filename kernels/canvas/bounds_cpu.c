/* bounds on the CPU, in several threads. In a photograph, the outermost pixels usually differ from
 * the background already. So the bounds are soon wide, and in most rows the search tests only the
 * few pixels to the left and right of the bounds found so far. The loops are written for
 * vectorisation. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/canvas/trim.h"
#include "kernels/core/op.h"
#include "kernels/core/sample.h"

/* Returns true if any of the pixels `from` to `end` - 1 of a row differs from the background. */
typedef bool AnyDiffers(const uint8_t *row, int32_t from, int32_t end, const ImgTrimTest *test);

#define ANY_DIFFERS(NAME, SAMPLE, CHANNELS)                                                        \
    static bool NAME(const uint8_t *row, int32_t from, int32_t end, const ImgTrimTest *test)       \
    {                                                                                              \
        const ImgTrimTest own = *test;                                                             \
        uint32_t any = 0;                                                                          \
        for (int32_t x = from; x < end; x++) {                                                     \
            SAMPLE samples[CHANNELS];                                                              \
            uint32_t pixel[4] = {0};                                                               \
            memcpy(samples, row + (size_t)x * sizeof samples, sizeof samples);                     \
            for (int c = 0; c < (CHANNELS); c++)                                                   \
                pixel[c] = samples[c];                                                             \
            any |= img_trim_differs(&own, pixel, own.background, CHANNELS);                        \
        }                                                                                          \
        return any != 0;                                                                           \
    }
ANY_DIFFERS(differs_8_1, uint8_t, 1)
ANY_DIFFERS(differs_8_2, uint8_t, 2)
ANY_DIFFERS(differs_8_3, uint8_t, 3)
ANY_DIFFERS(differs_8_4, uint8_t, 4)
ANY_DIFFERS(differs_16_1, uint16_t, 1)
ANY_DIFFERS(differs_16_2, uint16_t, 2)
ANY_DIFFERS(differs_16_3, uint16_t, 3)
ANY_DIFFERS(differs_16_4, uint16_t, 4)

/* --- Single samples ---------------------------------------------------------------------------
 *
 * If all pixels of a block have the alpha `a` of the background, samples can be tested one by one
 * in the order of memory. A pixel differs if |c a - b a| > t m for a colour c, with the
 * background's colour b, the threshold t and the maximum m. This is equivalent to |c - b| > t m /
 * a, rounded down. If some pixel has another alpha, the functions above test whole pixels. */

enum {
    /* Number of pixels that are tested together. With any number of channels, their number of
     * samples is a multiple of PERIOD. */
    BLOCK = 192,
    /* Number of samples after which the pattern of background and thresholds repeats: a multiple of
     * every number of channels and of the number of samples in a vector. */
    PERIOD = 192,
};

typedef struct Flat {
    uint16_t background[PERIOD], threshold[PERIOD];
    uint8_t background_8[PERIOD], threshold_8[PERIOD];
} Flat;

static void make_flat(const ImgTrimTest *test, int channels, Flat *flat)
{
    const bool has_alpha = channels % 2 == 0;
    const uint32_t alpha = has_alpha ? test->background[channels - 1] : test->maximum;
    /* If the background is fully transparent, its colours do not matter. */
    const uint64_t of_colors =
        alpha > 0 ? (uint64_t)test->threshold * test->maximum / alpha : test->maximum;
    for (int i = 0; i < PERIOD; i++) {
        const int c = i % channels;
        const uint64_t most = has_alpha && c == channels - 1 ? 0 : of_colors;
        flat->background[i] = (uint16_t)test->background[c];
        flat->threshold[i] = (uint16_t)(most < test->maximum ? most : test->maximum);
        flat->background_8[i] = (uint8_t)flat->background[i];
        flat->threshold_8[i] = (uint8_t)flat->threshold[i];
    }
}

/* Defines a function that returns true if any of `count` samples differs from the background by
 * more than the threshold of its channel. */
#define ANY_FAR(NAME, SAMPLE, BACKGROUND, THRESHOLD)                                               \
    static bool NAME(const SAMPLE *samples, size_t count, const Flat *flat)                        \
    {                                                                                              \
        const SAMPLE *const background = flat->BACKGROUND, *const threshold = flat->THRESHOLD;     \
        SAMPLE any = 0;                                                                            \
        while (count > 0) {                                                                        \
            const size_t part = count < PERIOD ? count : PERIOD;                                   \
            for (size_t i = 0; i < part; i++) {                                                    \
                const SAMPLE own = samples[i], other = background[i];                              \
                const SAMPLE larger = own > other ? own : other;                                   \
                const SAMPLE smaller = own > other ? other : own;                                  \
                const SAMPLE far = (SAMPLE)(larger - smaller);                                     \
                any |= far > threshold[i] ? (SAMPLE)-1 : 0;                                        \
            }                                                                                      \
            count -= part;                                                                         \
            samples += part;                                                                       \
        }                                                                                          \
        return any != 0;                                                                           \
    }
ANY_FAR(any_far_8, uint8_t, background_8, threshold_8)
ANY_FAR(any_far_16, ImgSample16, background, threshold)

/* --- The search ------------------------------------------------------------------------------- */

typedef struct Search {
    const ImgView *src;
    AnyDiffers *differs;
    ImgTrimTest test;
    Flat flat;
    int channels;
    atomic_int_fast32_t bounds[IMG_BOUNDS_COUNT];
} Search;

static const uint8_t *row_at(const Search *search, int64_t y)
{
    return search->src->data + (size_t)y * search->src->stride;
}

static bool any_in_block(const Search *search, const uint8_t *row, int32_t from, int32_t end)
{
    const size_t first = (size_t)from * (size_t)search->channels;
    const size_t count = (size_t)(end - from) * (size_t)search->channels;
    const bool any =
        search->src->format.bits == 16
            ? any_far_16((const ImgSample16 *)(const void *)row + first, count, &search->flat)
            : any_far_8(row + first, count, &search->flat);
    if (!any || search->channels % 2 == 1)
        return any;
    return search->differs(row, from, end, &search->test);
}

/* Returns the first of the pixels `from` to `end` - 1 that differs from the background, or `end` if
 * there is none. */
static int32_t first_of(const Search *search, const uint8_t *row, int32_t from, int32_t end)
{
    /* end of the block; computing it in the loop header could overflow, because `end` may be
     * INT32_MAX */
    int32_t block_end;
    for (int32_t x = from; x < end; x = block_end) {
        block_end = end - x < BLOCK ? end : x + BLOCK;
        if (!any_in_block(search, row, x, block_end))
            continue;
        while (!search->differs(row, x, x + 1, &search->test))
            x++;
        return x;
    }
    return end;
}

/* Searches the pixels `from` to `end` - 1 for the last one that differs from the background.
 * Returns the index after it, or `from` if no pixel differs. */
static int32_t end_of(const Search *search, const uint8_t *row, int32_t from, int32_t end)
{
    for (int32_t x = end; x > from;) {
        const int32_t block = x - from < BLOCK ? from : x - BLOCK;
        if (any_in_block(search, row, block, x)) {
            while (!search->differs(row, x - 1, x, &search->test))
                x--;
            return x;
        }
        x = block;
    }
    return from;
}

static void note(Search *search, int which, int64_t value)
{
    int_fast32_t known = atomic_load(&search->bounds[which]);
    while (known < value &&
           !atomic_compare_exchange_weak(&search->bounds[which], &known, (int_fast32_t)value))
        continue;
}

static void search_rows(void *context, int64_t first, int64_t end)
{
    Search *search = context;
    const int32_t width = search->src->width;
    while (first < end && first_of(search, row_at(search, first), 0, width) == width)
        first++;
    while (first < end && first_of(search, row_at(search, end - 1), 0, width) == width)
        end--;
    if (first == end)
        return;
    int32_t left = width, right = 0;
    for (int64_t y = first; y < end; y++) {
        left = first_of(search, row_at(search, y), 0, left);
        right = end_of(search, row_at(search, y), right, width);
    }
    note(search, IMG_BOUNDS_LEFT, width - left);
    note(search, IMG_BOUNDS_TOP, search->src->height - first);
    note(search, IMG_BOUNDS_RIGHT, right);
    note(search, IMG_BOUNDS_BOTTOM, end);
}

static void read_corner(const ImgView *src, ImgTrimTest *test)
{
    for (int c = 0; c < img_format_channels(src->format); c++) {
        uint16_t sample = src->data[c];
        if (src->format.bits == 16)
            memcpy(&sample, src->data + 2 * c, sizeof sample);
        test->background[c] = sample;
    }
}

/* Sets all members of `search` except `flat`. */
static void begin_search(const ImgCall *call, Search *search)
{
    static AnyDiffers *const functions[2][4] = {
        {differs_8_1, differs_8_2, differs_8_3, differs_8_4},
        {differs_16_1, differs_16_2, differs_16_3, differs_16_4}};
    const ImgFormat format = call->src.format;
    const int channels = img_format_channels(format);
    *search = (Search){.src = &call->src,
                       .differs = functions[format.bits == 16][channels - 1],
                       .channels = channels,
                       .test = img_trim_test(format, call->params)};
}

ImgStatus img_bounds_cpu(const ImgCall *call, ImgError *err)
{
    const ImgView *src = &call->src;
    Search search;
    (void)err;
    begin_search(call, &search);
    if (search.test.from_corner)
        read_corner(src, &search.test);
    make_flat(&search.test, search.channels, &search.flat);
    const bool small =
        img_measure_traffic(img_view_shape(src), call->params) < IMG_BYTES_WORTH_THREADS;
    img_parallel_for(call->team, small ? 1 : call->threads, src->height, search_rows, &search);
    for (int i = 0; i < IMG_BOUNDS_COUNT; i++)
        img_view_counts(&call->dst, 0)[i] = (uint64_t)atomic_load(&search.bounds[i]);
    return IMG_OK;
}

/* --- Row by row ------------------------------------------------------------------------------- */

typedef struct ByRows {
    Search search;
    ImgView dst;
    int32_t height;      /* number of rows of the picture */
    int32_t left, right; /* bounds of the pixels that differ so far, as columns */
} ByRows;

static ImgStatus begin(const ImgCall *call, void **state, ImgError *err)
{
    ByRows *own = *state = calloc(1, sizeof *own);
    if (own == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    begin_search(call, &own->search);
    if (!own->search.test.from_corner)
        make_flat(&own->search.test, own->search.channels, &own->search.flat);
    own->dst = call->dst;
    own->height = call->src.height;
    own->left = call->src.width;
    memset(img_view_counts(&call->dst, 0), 0, IMG_BOUNDS_COUNT * sizeof(uint64_t));
    return IMG_OK;
}

static bool row_differs(const Search *search, int32_t y)
{
    return first_of(search, row_at(search, y), 0, search->src->width) < search->src->width;
}

static void take(void *state, const ImgView *rows, int32_t first_row)
{
    ByRows *own = state;
    Search *search = &own->search;
    uint64_t *bounds = img_view_counts(&own->dst, 0);
    int32_t first = 0, end = rows->height;
    search->src = rows;
    if (first_row == 0 && search->test.from_corner) {
        read_corner(rows, &search->test);
        make_flat(&search->test, search->channels, &search->flat);
    }
    while (first < end && !row_differs(search, first))
        first++;
    while (first < end && !row_differs(search, end - 1))
        end--;
    if (first == end)
        return;
    for (int32_t y = first; y < end; y++) {
        own->left = first_of(search, row_at(search, y), 0, own->left);
        own->right = end_of(search, row_at(search, y), own->right, rows->width);
    }
    if (bounds[IMG_BOUNDS_TOP] == 0)
        bounds[IMG_BOUNDS_TOP] = (uint64_t)(own->height - (first_row + first));
    bounds[IMG_BOUNDS_LEFT] = (uint64_t)(rows->width - own->left);
    bounds[IMG_BOUNDS_RIGHT] = (uint64_t)own->right;
    bounds[IMG_BOUNDS_BOTTOM] = (uint64_t)first_row + (uint64_t)end;
}

static uint64_t bytes(ImgShape src, const void *params)
{
    (void)src, (void)params;
    return sizeof(ByRows);
}

const ImgByRows img_bounds_by_rows = {.bytes = bytes, .begin = begin, .take = take, .end = free};
