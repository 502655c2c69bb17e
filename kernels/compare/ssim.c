/* Computes SSIM in several threads. The picture is divided into bands of rows, and each band into
 * strips of columns. A strip is so narrow that the sums of eleven rows stay in the cache. */
#include "kernels/compare/ssim.h"

#include <stdlib.h>

#include "kernels/compare/compare_rows.h"
#include "kernels/core/cpu.h"
#include "kernels/core/minmax.h"

enum { BAND = 256, SAMPLES = IMG_SSIM_STRIP + IMG_SSIM_WINDOW - 1 };

/* Buffers of one thread, with a ring of eleven rows of sums for each plane. */
typedef struct Scratch {
    ImgSsimRow ring[IMG_COMPARE_PLANES][IMG_SSIM_WINDOW];
    uint16_t samples[2 * IMG_COMPARE_PLANES * SAMPLES];
    ImgWide similarity[IMG_COMPARE_PLANES];
} Scratch;

typedef struct SsimTiles {
    const ImgView *a, *b;
    const ImgComparison *result;
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
    for (int p = 0; p < ssim->result->planes; p++) {
        repeat_edges(rows->a[p], width);
        repeat_edges(rows->b[p], width);
    }
}

/* Returns true if a plane is the same in both pictures, so that its SSIM is 1. */
static bool is_equal(const SsimTiles *ssim, int plane)
{
    return ssim->result->plane[plane].differing == 0;
}

static void add_tile(const SsimTiles *ssim, const Tile *tile, Scratch *scratch)
{
    ImgRowPlanes rows = img_compare_layout(scratch->samples, SAMPLES);
    for (int32_t i = 0; i < tile->height + IMG_SSIM_WINDOW - 1; i++) {
        fetch(ssim, tile, tile->y + i, &rows);
        for (int p = 0; p < ssim->result->planes; p++) {
            if (is_equal(ssim, p))
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

/* Computes the tiles `part`, `part` + `parts`, and so on. All sums are integers, so the result is
 * the same for any number of parts. */
static void add_tiles(void *context, int part)
{
    const SsimTiles *ssim = context;
    int64_t across = (ssim->across + IMG_SSIM_STRIP - 1) / IMG_SSIM_STRIP;
    int64_t down = (ssim->down + BAND - 1) / BAND;
    for (int64_t i = part; i < across * down; i += ssim->parts) {
        Tile tile = {(int32_t)(i % across) * IMG_SSIM_STRIP, (int32_t)(i / across) * BAND, 0, 0};
        tile.width = img_min32(IMG_SSIM_STRIP, ssim->across - tile.x);
        tile.height = img_min32(BAND, ssim->down - tile.y);
        add_tile(ssim, &tile, &ssim->scratch[part]);
    }
}

uint64_t img_ssim_bytes(int threads)
{
    return (uint64_t)threads * sizeof(Scratch);
}

ImgStatus img_ssim(const ImgView *a, const ImgView *b, ImgTeam *team, int threads,
                   ImgComparison *result, ImgError *err)
{
    SsimTiles ssim = {
        .a = a,
        .b = b,
        .result = result,
        .loops = best_loops(),
        .constants = img_ssim_constants(img_format_maximum(a->format)),
        .across = a->width < IMG_SSIM_WINDOW ? 1 : a->width - IMG_SSIM_WINDOW + 1,
        .down = a->height < IMG_SSIM_WINDOW ? 1 : a->height - IMG_SSIM_WINDOW + 1,
    };
    Scratch *scratch = calloc((size_t)threads, sizeof *scratch);
    if (scratch == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory to compare the pictures");
    ssim.parts = threads;
    ssim.scratch = scratch;
    (void)img_parallel_run(team, threads, add_tiles, &ssim);
    for (int p = 0; p < result->planes; p++) {
        result->plane[p].similarity =
            is_equal(&ssim, p) ? (ImgWide)result->windows * 2 * IMG_SSIM_ONE : 0;
        for (int t = 0; t < threads; t++)
            result->plane[p].similarity += scratch[t].similarity[p];
    }
    free(scratch);
    return IMG_OK;
}
