/* Chooses the number of pieces into which `cuda-fast` divides tiles. Good numbers keep all
 * multiprocessors of the GPU busy until the end. */
#include "kernels/clahe/clahe.h"

/* Cost of starting a block of START_THREADS threads, in multiples of the time in which a thread
 * processes one unit of pixels. */
enum { START = 2, START_THREADS = 512 };
/* Largest number of units that are side by side in a block. With more units, each thread would have
 * too few rows. */
enum { UNITS_MAX = 128 };
/* The search tries CHUNKS_TRIED different numbers of chunks, each with 1 to ROUNDS_TRIED rounds of
 * blocks. A round is CLAHE_BLOCKS blocks that run at the same time. */
enum { CHUNKS_TRIED = 2, ROUNDS_TRIED = 6 };

static int64_t up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Pieces of a picture, such as tiles, which are all divided in the same way: their number, the
 * width of the largest piece in units (`across`), its height in rows, and the number of threads per
 * block. */
typedef struct Pieces {
    int64_t count, across, rows, threads;
} Pieces;

/* Returns the estimated time until the last block has finished, in multiples of the time in which a
 * thread processes one unit of pixels. */
static int64_t cost(Pieces pieces, ClaheCut cut)
{
    const int64_t across = up(pieces.across, cut.chunks), rows = up(pieces.rows, cut.strips);
    const int64_t rounds = up(pieces.count * cut.chunks * cut.strips, CLAHE_BLOCKS);
    return rounds * (up(rows, pieces.threads / across) + START * START_THREADS / pieces.threads);
}

static ClaheCut best_cut(Pieces pieces, ClaheCut least)
{
    ClaheCut best = least;
    int64_t best_cost = cost(pieces, best);
    for (int32_t chunks = least.chunks; chunks < least.chunks + CHUNKS_TRIED; chunks++) {
        for (int64_t rounds = 1; rounds <= ROUNDS_TRIED; rounds++) {
            const int64_t strips = rounds * CLAHE_BLOCKS / (pieces.count * chunks);
            if (chunks > pieces.across || strips < least.strips || strips > pieces.rows)
                continue;
            const ClaheCut cut = {chunks, (int32_t)strips};
            const int64_t cost_of_cut = cost(pieces, cut);
            if (cost_of_cut < best_cost) {
                best = cut;
                best_cost = cost_of_cut;
            }
        }
    }
    return best;
}

/* Returns the division into the fewest pieces that fit the shared memory of the kernel that
 * computes new pixels (clahe_blend.cu). */
static ClaheCut least_cut(Pieces pieces, int32_t unit_pixels)
{
    const int64_t fitting = CLAHE_COLUMNS_MAX / unit_pixels;
    const int64_t most = fitting < UNITS_MAX ? fitting : UNITS_MAX;
    return (ClaheCut){(int32_t)up(pieces.across, most), (int32_t)up(pieces.rows, CLAHE_ROWS_MAX)};
}

int32_t img_clahe_unit_pixels(ImgFormat format)
{
    const int32_t bytes = img_format_channels(format) == 3 ? 48 : 16;
    return bytes / (int32_t)img_format_pixel_size(format);
}

ClaheCuts img_clahe_cuts(const ImgClahePlan *plan, int32_t unit_pixels)
{
    /* Tiles may be a pixel wider than `width` / `across`. They may begin and end inside units, so
     * they may touch one unit more than their width needs. */
    const int64_t width = (int64_t)plan->width / plan->across + 1;
    const int64_t height = (int64_t)plan->height / plan->down + 1;
    const int64_t tiles = (int64_t)plan->across * plan->down;
    const Pieces tile = {tiles, up(width, unit_pixels) + 1, height, CLAHE_THREADS};
    const Pieces quarter = {4 * tiles, up(up(width, 2), unit_pixels), up(height, 2),
                            CLAHE_PATCH_THREADS};
    const Pieces cell = {(plan->across + 1) * (plan->down + 1), up(width, unit_pixels), height,
                         CLAHE_PATCH_THREADS};
    const ClaheCut of_tile = best_cut(tile, (ClaheCut){(int32_t)up(tile.across, UNITS_MAX), 1});
    const ClaheCut of_quarter = best_cut(quarter, least_cut(quarter, unit_pixels));
    const ClaheCut of_cell = best_cut(cell, least_cut(cell, unit_pixels));
    const bool cells = cost(cell, of_cell) < cost(quarter, of_quarter);
    return (ClaheCuts){of_tile, cells ? of_cell : of_quarter, cells};
}

/* Implements ImgImpl.applies. Returns true if no unit spans the centres of two tiles. Also, pixel
 * indices must fit 32 bits, including those past the end of a row that a unit contains. */
bool img_clahe_cuda_fast_applies(const ImgOp *op, ImgShape src, const void *params)
{
    (void)op;
    const ImgClaheParams *own = params;
    const int32_t unit_pixels = img_clahe_unit_pixels(src.format);
    return src.width / 2 / unit_pixels >= own->tiles &&
           src.width <= INT32_MAX - CLAHE_COLUMNS_MAX - unit_pixels;
}
