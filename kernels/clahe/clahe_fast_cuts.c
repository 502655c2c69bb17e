/* Into how many pieces `cuda-fast` cuts tiles: such that the blocks keep a GPU busy to the end. */
#include "kernels/clahe/clahe_fast.h"

/* Two for each multiprocessor of a large GPU: as many as run at once. */
enum { BLOCKS = 264 };
/* What starting a block costs, in passes of its threads over units. */
enum { START = 2 };
/* Numbers of chunks, and of strips, that are tried from the least one on. */
enum { CHUNKS_TRIED = 4, STRIPS_TRIED = 16 };

static int64_t up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Equal pieces that are to be cut: how many, and the units across and rows of the largest. */
typedef struct Pieces {
    int64_t count, across, rows;
} Pieces;

/* Passes over units until the last block is done. */
static int64_t cost(Pieces pieces, ClaheCut cut)
{
    const int64_t across = up(pieces.across, cut.chunks), rows = up(pieces.rows, cut.strips);
    const int64_t rounds = up(pieces.count * cut.chunks * cut.strips, BLOCKS);
    return rounds * (up(rows, CLAHE_THREADS / across) + START);
}

static ClaheCut best_cut(Pieces pieces, ClaheCut least)
{
    ClaheCut best = least;
    int64_t best_cost = cost(pieces, best);
    for (int32_t chunks = least.chunks; chunks < least.chunks + CHUNKS_TRIED; chunks++) {
        for (int32_t strips = least.strips; strips < least.strips + STRIPS_TRIED; strips++) {
            const ClaheCut cut = {chunks, strips};
            const int64_t cost_of_cut = cost(pieces, cut);
            if (chunks <= pieces.across && strips <= pieces.rows && cost_of_cut < best_cost) {
                best = cut;
                best_cost = cost_of_cut;
            }
        }
    }
    return best;
}

int32_t clahe_unit_pixels(ImgFormat format)
{
    const int32_t bytes = img_format_channels(format) == 3 ? 48 : 16;
    return bytes / (int32_t)img_format_pixel_size(format);
}

ClaheCuts clahe_cuts(const ImgClahePlan *plan, int32_t unit_pixels)
{
    /* Tiles differ by a pixel at most, and begin and end within units. */
    const int64_t width = (int64_t)plan->width / plan->across + 1;
    const int64_t height = (int64_t)plan->height / plan->down + 1;
    const int64_t tiles = (int64_t)plan->across * plan->down;
    const int64_t most =
        CLAHE_COLUMNS_MAX / unit_pixels; /* units of a block of the second kernel */
    const Pieces tile = {tiles, up(width, unit_pixels) + 1, height};
    const Pieces quarter = {4 * tiles, up(up(width, 2), unit_pixels), up(height, 2)};
    const ClaheCut of_tile = {(int32_t)up(tile.across, CLAHE_THREADS / 4), 1};
    const ClaheCut of_quarter = {
        (int32_t)up(quarter.across, most < CLAHE_THREADS / 4 ? most : CLAHE_THREADS / 4),
        (int32_t)up(quarter.rows, CLAHE_ROWS_MAX)};
    return (ClaheCuts){best_cut(tile, of_tile), best_cut(quarter, of_quarter)};
}

bool clahe_fast_applies(const ImgOp *op, ImgShape src, const void *params)
{
    (void)op;
    const ImgClaheParams *own = params;
    return src.width / 2 / clahe_unit_pixels(src.format) >= own->tiles;
}
