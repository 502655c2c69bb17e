/* Included by weighed_loops.c: computes a tile of non-local means. The pixels of a tile are
 * split into planes. The first planes have the numbers to compare, one plane per channel. The
 * colours follow, unless they equal the numbers to compare, as in 8-bit pictures without alpha.
 * Colours of 16 bits have planes of high bytes and then planes of low bytes. The last plane has
 * alpha, as img_alpha_15 returns it.
 *
 * For each offset, the squared differences between the tile and the tile at that offset are summed
 * over patches. Vertical sums are updated by adding one row and subtracting another. Horizontal
 * sums are combined from sums of 1, 2, 4 ... columns. So the cost hardly depends on the size of
 * patches.
 *
 * Two offsets are processed together: one instruction multiplies the two pixels by their two
 * weights and adds both products (`accumulate`). */

typedef struct DenoiseKind {
    int colors;
    bool wide, has_alpha;
} DenoiseKind;

typedef struct DenoiseRun {
    const ImgDenoise *own;
    const ImgDenoiseTile *tile;
    ImgDenoiseScratch *scratch;
} DenoiseRun;

/* --- Sums of patches -------------------------------------------------------------------------- */

/* Computes the squared differences of `count` pixels, between the rows that begin at `a` and at
 * `b`. The differences of all channels are added up. `plane` is the distance between planes. */
ALWAYS_INLINE void square_row(const DenoiseKind kind, const uint16_t *a, const uint16_t *b,
                              size_t plane, int32_t count, uint32_t *to)
{
    const int planes = kind.colors + (kind.has_alpha ? 1 : 0);
    for (int32_t x = 0; x < count; x += V_WORDS) {
        vu16 differences[4] = {all_u16(0), all_u16(0), all_u16(0), all_u16(0)};
        VSums sums = sums_all(0);
        for (int p = 0; p < planes; p++)
            differences[p] =
                apart(load_u16(a + (size_t)p * plane + x), load_u16(b + (size_t)p * plane + x));
        for (int p = 0; p < planes; p += 2) {
            const VPairs both = pairs(differences[p], differences[p + 1]);
            sums = sums_add(sums, both, both);
        }
        store_u8(to + x, zip_low((vu8)sums.low, (vu8)sums.high, V_LANE));
        store_u8(to + x + V_LONGS, zip_high((vu8)sums.low, (vu8)sums.high, V_LANE));
    }
}

static void add_row(uint32_t *restrict sums, const uint32_t *restrict row, uint32_t *restrict old,
                    int32_t count)
{
    for (int32_t x = 0; x < count; x++) {
        sums[x] += row[x] - old[x];
        old[x] = row[x];
    }
}

/* Computes the sum of `side` neighbouring numbers, for `width` positions; `side` must be odd.
 * `parts` is scratch memory. */
static void sum_across(const uint32_t *restrict from, int32_t side, int32_t width,
                       uint32_t *restrict parts, uint32_t *restrict to)
{
    const int32_t count = width + side;
    int32_t done = 1, size = 2;
    memcpy(to, from, (size_t)width * sizeof *to);
    for (int32_t x = 0; x < count - 1; x++)
        parts[x] = from[x] + from[x + 1];
    while (done < side) {
        if ((side & size) != 0) {
            for (int32_t x = 0; x < width; x++)
                to[x] += parts[x + done];
            done += size;
        }
        if (done < side)
            for (int32_t x = 0; x + 2 * size <= count; x++)
                parts[x] += parts[x + size];
        size *= 2;
    }
}

/* --- Weights and sums of colours -------------------------------------------------------------- */

ALWAYS_INLINE void weigh_row(const DenoiseRun *run, const DenoiseKind kind, const uint16_t *other,
                             uint32_t *sums, uint16_t *weights)
{
    const ImgDenoise own = *run->own;
    const ImgDenoiseTile *tile = run->tile;
    uint16_t near[IMG_DENOISE_TILE];
    for (int32_t x = 0; x < tile->padded; x++) {
        const uint32_t sum = sums[x] < own.farthest ? sums[x] : own.farthest;
        near[x] = (uint16_t)(sum << own.up >> own.down);
    }
    for (int32_t x = 0; x < tile->padded; x += V_WORDS) {
        vu16 weight = decay(high_u16(load_u16(near + x), all_u16(own.factor)));
        if (kind.has_alpha)
            weight = scale(weight, load_u16(other + (size_t)(tile->planes - 1) * tile->plane + x));
        store_u16(weights + x, weight);
    }
}

/* Computes the weights of row `y` at an offset. It must be called for all rows in order, beginning
 * with row -patch. Above row 0 it only adds to the vertical sums, without computing weights. */
ALWAYS_INLINE void advance(const DenoiseRun *run, const DenoiseKind kind, int32_t y,
                           ptrdiff_t offset, ImgDenoiseColumns *columns, uint16_t *weights)
{
    const int32_t patch = run->own->patch, side = 2 * patch + 1;
    const ImgDenoiseTile *tile = run->tile;
    ImgDenoiseScratch *scratch = run->scratch;
    const uint16_t *row = tile->pixels + (ptrdiff_t)y * (ptrdiff_t)tile->pitch;
    const uint16_t *next = row + (ptrdiff_t)patch * (ptrdiff_t)tile->pitch - patch;
    const int32_t count = tile->padded + 2 * patch;
    square_row(kind, next, next + offset, tile->plane, count, scratch->squares);
    add_row(columns->sums, scratch->squares, columns->old[(y + 2 * patch) % side], count);
    if (y < 0)
        return;
    sum_across(columns->sums, side, tile->padded, scratch->parts, scratch->across);
    weigh_row(run, kind, row + offset, scratch->across, weights);
}

/* Adds the pixels at two offsets to the sums of row `y` of the tile, times their weights. */
ALWAYS_INLINE void accumulate(const DenoiseRun *run, const DenoiseKind kind, int32_t y,
                              const ptrdiff_t offsets[2])
{
    const ImgDenoiseTile *tile = run->tile;
    const size_t colors = (size_t)kind.colors, sums = colors * (kind.wide ? 2 : 1) + 1;
    const size_t guides = kind.wide || kind.has_alpha ? colors + (kind.has_alpha ? 1 : 0) : 0;
    const uint16_t *row = tile->pixels + (size_t)y * tile->pitch + guides * tile->plane;
    uint32_t *to = run->scratch->sums + (size_t)y * sums * IMG_DENOISE_TILE;
    for (int32_t x = 0; x < tile->padded; x += V_WORDS)
        for (size_t s = 0; s < sums; s++, to += V_WORDS) {
            const uint16_t *from = row + (s == 0 ? 0 : s - 1) * tile->plane + x;
            const VPairs weights = pairs(load_u16(run->scratch->weights[0] + x),
                                         load_u16(run->scratch->weights[1] + x));
            const VPairs values =
                s == 0 ? pairs_all(1, 1)
                       : pairs(load_u16(from + offsets[0]), load_u16(from + offsets[1]));
            store_sums(to, sums_add(load_sums(to), weights, values));
        }
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/* Returns the distance between a pixel and the pixel at offset number `i` of the search, counted in
 * numbers of a plane. */
static ptrdiff_t offset_of(const DenoiseRun *run, int32_t i)
{
    const int32_t search = run->own->search, side = 2 * search + 1;
    return (ptrdiff_t)(i / side - search) * (ptrdiff_t)run->tile->pitch + i % side - search;
}

ALWAYS_INLINE void weigh_offsets(const DenoiseRun *run, const DenoiseKind kind, int32_t i,
                                 int32_t count)
{
    ImgDenoiseScratch *scratch = run->scratch;
    const ptrdiff_t offsets[2] = {offset_of(run, i), offset_of(run, count > 1 ? i + 1 : i)};
    memset(scratch->columns, 0, sizeof scratch->columns);
    memset(scratch->weights, 0, sizeof scratch->weights);
    for (int32_t y = -2 * run->own->patch; y < run->tile->height; y++) {
        for (int32_t k = 0; k < count; k++)
            advance(run, kind, y, offsets[k], &scratch->columns[k], scratch->weights[k]);
        if (y >= 0)
            accumulate(run, kind, y, offsets);
    }
}

ALWAYS_INLINE void finish_tile(const DenoiseRun *run, const DenoiseKind kind)
{
    const ImgDenoiseTile *tile = run->tile;
    const size_t colors = (size_t)kind.colors, sums = colors * (kind.wide ? 2 : 1) + 1;
    for (int32_t y = 0; y < tile->height; y++) {
        const uint32_t *from = run->scratch->sums + (size_t)y * sums * IMG_DENOISE_TILE;
        uint16_t *to = tile->to + (size_t)y * IMG_DENOISE_TILE;
        for (int32_t x = 0; x < tile->padded; x += V_WORDS, from += sums * V_WORDS)
            for (size_t c = 0; c < colors; c++) {
                const VSums weights = load_sums(from);
                const VSums high = load_sums(from + (c + 1) * V_WORDS);
                const VSums low = load_sums(from + (kind.wide ? c + 1 + colors : 0) * V_WORDS);
                store_u16(to + c * IMG_DENOISE_PLANE + x, mean_of(high, low, weights, kind.wide));
            }
    }
}

#define DENOISE_TILE(name, ...)                                                                    \
    static void name(const DenoiseRun *run)                                                        \
    {                                                                                              \
        const DenoiseKind kind = {__VA_ARGS__};                                                    \
        const int32_t side = 2 * run->own->search + 1, count = side * side;                        \
        memset(run->scratch->sums, 0, sizeof run->scratch->sums);                                  \
        for (int32_t i = 0; i < count; i += 2)                                                     \
            weigh_offsets(run, kind, i, i + 1 < count ? 2 : 1);                                    \
        finish_tile(run, kind);                                                                    \
    }

DENOISE_TILE(denoise_gray, 1, false, false)
DENOISE_TILE(denoise_gray_alpha, 1, false, true)
DENOISE_TILE(denoise_rgb, 3, false, false)
DENOISE_TILE(denoise_rgba, 3, false, true)
DENOISE_TILE(denoise_wide_gray, 1, true, false)
DENOISE_TILE(denoise_wide_gray_alpha, 1, true, true)
DENOISE_TILE(denoise_wide_rgb, 3, true, false)
DENOISE_TILE(denoise_wide_rgba, 3, true, true)

static void denoise(const ImgDenoise *own, const ImgDenoiseTile *tile, ImgDenoiseScratch *scratch)
{
    static void (*const kinds[2][4])(const DenoiseRun *) = {
        {denoise_gray, denoise_gray_alpha, denoise_rgb, denoise_rgba},
        {denoise_wide_gray, denoise_wide_gray_alpha, denoise_wide_rgb, denoise_wide_rgba}};
    const DenoiseRun run = {own, tile, scratch};
    kinds[own->weighed.bits == 16][own->weighed.channels - 1](&run);
}
