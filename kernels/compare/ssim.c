/* Computes SSIM in several threads. The windows of a band are divided into tiles. A tile is so
 * narrow that the sums of eleven rows stay in the cache. */
#include "kernels/compare/ssim.h"

#include <stdlib.h>

#include "kernels/compare/compare_rows.h"
#include "kernels/core/minmax.h"
#include "kernels/core/parallel/cpu.h"

enum { TILE_ROWS = 256, SAMPLES = IMG_SSIM_STRIP + IMG_SSIM_WINDOW - 1 };

/* Buffers of one thread, with a ring of eleven rows of sums for each plane. */
typedef struct ImgSsimScratch {
    ImgSsimRow ring[IMG_COMPARE_PLANES][IMG_SSIM_WINDOW];
    uint16_t samples[2 * IMG_COMPARE_PLANES * SAMPLES];
    ImgWide similarity[IMG_COMPARE_PLANES];
} Scratch;

/* The windows of SSIM in one band, divided into tiles. */
typedef struct SsimTiles {
    const ImgView *a, *b;
    const bool *equal; /* true for each plane that is the same in both pictures: its SSIM is 1 */
    int planes;
    const ImgSsimLoops *loops;
    ImgSsimConstants constants;
    int32_t across, down; /* number of windows across and down */
    int parts;            /* number of parts into which the tiles are divided */
    Scratch *scratch;     /* one Scratch for each part */
} SsimTiles;

typedef struct Tile {
    int32_t x, y, width, height; /* position and size of the tile, in windows */
} Tile;

static const ImgSsimLoops *best_loops(void)
{
#ifdef IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX512)
        return &img_ssim_avx512;
    if (img_cpu_level() >= IMG_CPU_AVX2)
        return &img_ssim_avx2;
#endif
    return &img_ssim_portable;
}

static void repeat_edges(uint16_t *row, int32_t width)
{
    uint16_t wide[IMG_SSIM_WINDOW];
    for (int32_t i = 0; i < IMG_SSIM_WINDOW; i++)
        wide[i] = row[img_ssim_source(i, width)];
    for (int32_t i = 0; i < IMG_SSIM_WINDOW; i++)
        row[i] = wide[i];
}

/* Reads the samples that the windows of a tile need in row `y`. For n windows across, these are n +
 * 10 samples. */
static void fetch(const SsimTiles *ssim, const Tile *tile, int32_t y, const ImgRowPlanes *rows)
{
    int32_t width = ssim->a->width, count = tile->width + IMG_SSIM_WINDOW - 1;
    int32_t source = img_ssim_source(y, ssim->a->height);
    if (width >= IMG_SSIM_WINDOW) {
        img_compare_fetch(ssim->a, ssim->b, tile->x, source, count, rows);
        return;
    }
    img_compare_fetch(ssim->a, ssim->b, 0, source, width, rows);
    for (int p = 0; p < ssim->planes; p++) {
        repeat_edges(rows->a[p], width);
        repeat_edges(rows->b[p], width);
    }
}

static void add_tile(const SsimTiles *ssim, const Tile *tile, Scratch *scratch)
{
    ImgRowPlanes rows = img_compare_layout(scratch->samples, SAMPLES);
    for (int32_t i = 0; i < tile->height + IMG_SSIM_WINDOW - 1; i++) {
        fetch(ssim, tile, tile->y + i, &rows);
        for (int p = 0; p < ssim->planes; p++) {
            if (ssim->equal[p])
                continue;
            ImgSsimRow *ring = scratch->ring[p];
            ssim->loops->sum_rows(rows.a[p], rows.b[p], tile->width, &ring[i % IMG_SSIM_WINDOW]);
            if (i < IMG_SSIM_WINDOW - 1)
                continue;
            const ImgSsimRow *window[IMG_SSIM_WINDOW];
            for (int k = 0; k < IMG_SSIM_WINDOW; k++)
                window[k] = &ring[(i + 1 + k) % IMG_SSIM_WINDOW];
            scratch->similarity[p] += ssim->loops->add_up(window, tile->width, ssim->constants);
        }
    }
}

/* Computes the SSIM of the tiles `part`, `part` + `parts`, and so on. All sums are integers, so the
 * result is the same for any number of parts. */
static void add_tiles(void *context, int part)
{
    const SsimTiles *ssim = context;
    int64_t across = (ssim->across + IMG_SSIM_STRIP - 1) / IMG_SSIM_STRIP;
    int64_t down = (ssim->down + TILE_ROWS - 1) / TILE_ROWS;
    for (int64_t i = part; i < across * down; i += ssim->parts) {
        Tile tile = {(int32_t)(i % across) * IMG_SSIM_STRIP, (int32_t)(i / across) * TILE_ROWS, 0,
                     0};
        tile.width = img_min32(IMG_SSIM_STRIP, ssim->across - tile.x);
        tile.height = img_min32(TILE_ROWS, ssim->down - tile.y);
        add_tile(ssim, &tile, &ssim->scratch[part]);
    }
}

uint64_t img_ssim_bytes(int threads)
{
    return (uint64_t)threads * sizeof(Scratch);
}

ImgStatus img_ssim_begin(ImgShape shape, int planes, int threads, ImgSsim *ssim, ImgError *err)
{
    *ssim = (ImgSsim){.shape = shape, .planes = planes, .threads = threads};
    ssim->scratch = calloc((size_t)threads, sizeof *ssim->scratch);
    return ssim->scratch != NULL ? IMG_OK
                                 : img_fail(err, IMG_E_MEMORY, "no memory to compare the pictures");
}

/* Returns the number of windows along one axis of the band, which has `length` of the picture's
 * `all` pixels. A picture shorter than a window has one window; a shorter band of a longer picture
 * has none. */
static int32_t windows_along(int32_t length, int32_t all)
{
    if (length >= IMG_SSIM_WINDOW)
        return length - IMG_SSIM_WINDOW + 1;
    return length == all ? 1 : 0;
}

void img_ssim_add(ImgSsim *ssim, const ImgView *a, const ImgView *b, const bool *equal,
                  ImgTeam *team)
{
    SsimTiles tiles = {
        .a = a,
        .b = b,
        .equal = equal,
        .planes = ssim->planes,
        .loops = best_loops(),
        .constants = img_ssim_constants(img_format_maximum(a->format)),
        .across = windows_along(a->width, ssim->shape.width),
        .down = windows_along(a->height, ssim->shape.height),
        .parts = ssim->threads,
        .scratch = ssim->scratch,
    };
    bool any = false;
    for (int p = 0; p < ssim->planes; p++) {
        any |= !equal[p];
        if (equal[p])
            ssim->equal[p] += (ImgWide)tiles.across * (ImgWide)tiles.down * 2 * IMG_SSIM_ONE;
    }
    if (any)
        (void)img_parallel_run(team, ssim->threads, add_tiles, &tiles);
}

ImgWide img_ssim_sum(const ImgSsim *ssim, int plane)
{
    ImgWide sum = ssim->equal[plane];
    for (int t = 0; t < ssim->threads; t++)
        sum += ssim->scratch[t].similarity[plane];
    return sum;
}

void img_ssim_end(ImgSsim *ssim)
{
    free(ssim->scratch);
    ssim->scratch = NULL;
}
