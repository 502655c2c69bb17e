#include "kernels/core/exec/bands/chain.h"

#include "kernels/core/minmax.h"

size_t img_chain_row_bytes(ImgShape shape)
{
    return ((size_t)shape.width * img_format_pixel_size(shape.format) + 63) / 64 * 64;
}

/* If the result is collected in memory and no pass runs in bands, rows go directly to a pass that
 * processes rows as they arrive. Then low bands suffice. If passes run in bands, bands are higher,
 * because rows near the border of two bands are computed for both. */
ImgBandHeights img_chain_heights(const ImgChain *chain)
{
    enum { BYTES = 2 << 20, BYTES_TO_TAKE = 1 << 18 };
    if (chain->heights.first > 0)
        return chain->heights;
    const uint64_t bytes = chain->count > 0 ? BYTES : BYTES_TO_TAKE;
    const uint64_t rows = img_max64(bytes / img_chain_row_bytes(chain->dst), IMG_ROWS_STEP);
    const uint64_t wanted = chain->heights.rest > 0 ? (uint64_t)chain->heights.rest : rows;
    const int32_t most = (int32_t)img_min64(wanted, (uint64_t)chain->dst.height);
    return (ImgBandHeights){most, most};
}

static ImgRows band_from(int32_t first, int32_t height, ImgBandHeights heights)
{
    const int32_t rows = first == 0 ? heights.first : heights.rest;
    return (ImgRows){first, rows < height - first ? first + rows : height};
}

int img_chain_bands(const ImgChain *chain, int most)
{
    const ImgBandHeights heights = img_chain_heights(chain);
    const int32_t after = chain->dst.height - heights.first;
    const int32_t bands = 1 + (after > 0 ? (after - 1) / heights.rest + 1 : 0);
    return bands < most ? bands : most;
}

ImgRows img_chain_band(const ImgChain *chain, int32_t first)
{
    return band_from(first, chain->dst.height, img_chain_heights(chain));
}

static ImgRows rows_of(ImgRect rect)
{
    return (ImgRows){rect.y, rect.y + rect.height};
}

/* Describes in *part how a pass computes the rows `wanted` of its result. Returns false if the pass
 * does not run in bands. Point operations, and steps that run in two passes (ImgTwoPasses), keep
 * the position of pixels: they compute the wanted rows from the same rows of the source. */
static bool find_part(const ImgChainPass *pass, ImgRows wanted, ImgPart *part)
{
    const bool has_part =
        !pass->is_points && img_op_part(pass->op, pass->src, pass->params, wanted, part);
    if (!pass->is_points && pass->two_passes == NULL)
        return has_part;
    part->src.x = 0;
    part->src.width = pass->src.width;
    return img_part_of_rows(wanted, wanted, part);
}

/* Describes in *part how pass number `number` of the chain computes the rows of `rect`. Returns the
 * rectangle of its source that the pass needs. If the first pass uses tiles (ImgChain.has_tiles),
 * each tile needs another rectangle of the source; for this pass the function returns the rows of
 * the result instead. */
static ImgRect part_of(const ImgChain *chain, size_t number, ImgRect rect, ImgPart *part)
{
    const ImgRows rows = rows_of(rect);
    if (number == 0 && chain->has_tiles) {
        part->src = (ImgRect){0, rows.first, chain->passes[0].dst.width, rows.end - rows.first};
        part->skip = 0;
    } else {
        (void)find_part(&chain->passes[number], rows, part);
    }
    return part->src;
}

static ImgRect whole_band(const ImgChain *chain, ImgRows band)
{
    return (ImgRect){0, band.first, chain->dst.width, band.end - band.first};
}

ImgRect img_chain_parts(const ImgChain *chain, ImgRows band, ImgPart *parts)
{
    ImgRect rect = whole_band(chain, band);
    for (size_t i = chain->count; i-- > 0;)
        rect = part_of(chain, i, rect, &parts[i]);
    return rect;
}

ImgRect img_chain_tile(const ImgChain *chain, ImgRect rows, int32_t x, ImgPart *part)
{
    enum { WIDTH = 2048 };
    const ImgChainPass *pass = &chain->passes[0];
    const int32_t rest = rows.width - x;
    const ImgRect tile = {x, rows.y, rest < WIDTH ? rest : WIDTH, rows.height};
    (void)img_op_tile(pass->op, pass->src, pass->params, tile, part);
    return tile;
}

ImgShape img_chain_part_shape(const ImgChain *chain, size_t number, const ImgPart *part)
{
    const ImgChainPass *pass = &chain->passes[number];
    ImgShape src = pass->src, dst = pass->dst;
    src.width = part->src.width;
    src.height = dst.height = part->src.height;
    if (!pass->is_points && !(number == 0 && chain->has_tiles))
        (void)pass->op->shape(src, part->params.bytes, &dst, NULL);
    return dst;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static void enlarge(size_t *bytes, ImgShape shape)
{
    const size_t needed = (size_t)shape.height * img_chain_row_bytes(shape);
    *bytes = needed > *bytes ? needed : *bytes;
}

static void add_rect(const ImgChain *chain, ImgRect rect, bool copies, ImgChainNeeds *needs)
{
    ImgShape shape = chain->count > 0 ? chain->passes[0].src : chain->dst;
    const size_t bytes = (size_t)rect.width * img_format_pixel_size(shape.format);
    needs->is_narrow |= rect.width < shape.width && bytes < IMG_CHAIN_NARROW && !chain->has_tiles;
    /* Rows that come in order are copied with all their columns. */
    shape.width = chain->is_in_order ? shape.width : rect.width;
    shape.height = rect.height;
    if (copies)
        enlarge(&needs->buffer_bytes[0], shape);
    needs->source_rows = rect.height > needs->source_rows ? rect.height : needs->source_rows;
}

/* Adds to `needs` the rows and the buffer that reading the source for one band takes. `source` is
 * the result of img_chain_parts for the band. */
static void add_source(const ImgChain *chain, ImgRect source, bool copies, ImgChainNeeds *needs)
{
    ImgPart part;
    ImgRect tile;
    if (!chain->has_tiles) {
        add_rect(chain, source, copies, needs);
        return;
    }
    for (int32_t x = 0; x < source.width; x = tile.x + tile.width) {
        tile = img_chain_tile(chain, source, x, &part);
        add_rect(chain, part.src, copies, needs);
    }
}

/* Adds to `needs` the scratch memory, the buffer and the rows of pass number `number` for one band,
 * in which it computes `part`. */
static void add_pass(const ImgChain *chain, size_t number, const ImgPart *part, int threads,
                     ImgChainNeeds *needs)
{
    const ImgChainPass *pass = &chain->passes[number];
    const void *params = pass->is_points ? pass->params : part->params.bytes;
    ImgShape shape = pass->src;
    shape.width = part->src.width;
    shape.height = part->src.height;
    needs->scratch = img_max64(
        needs->scratch, pass->constants_bytes + img_op_scratch(pass->op, shape, params, threads));
    shape = img_chain_part_shape(chain, number, part);
    enlarge(&needs->buffer_bytes[(number + 1) % 2], shape);
    needs->rows[number] += shape.height;
}

ImgChainNeeds img_chain_needs(const ImgChain *chain, int threads, bool copies)
{
    const ImgBandHeights heights = img_chain_heights(chain);
    ImgChainNeeds needs = {.keeps_order = true};
    ImgRows band = {0, 0};
    ImgRect before = {0, 0, 0, 0};
    while (band.end < chain->dst.height) {
        band = band_from(band.end, chain->dst.height, heights);
        ImgRect rect = whole_band(chain, band);
        for (size_t i = chain->count; i-- > 0;) {
            ImgPart part = {.src = rect};
            rect = part_of(chain, i, rect, &part);
            add_pass(chain, i, &part, threads, &needs);
        }
        add_source(chain, rect, copies, &needs);
        needs.keeps_order &= rect.y >= before.y && rect.y + rect.height >= before.y + before.height;
        before = rect;
    }
    return needs;
}

double img_chain_work(const ImgChain *chain, const ImgChainNeeds *needs)
{
    double work = 0;
    for (size_t i = 0; i < chain->count; i++)
        work += (double)needs->rows[i] / chain->passes[i].dst.height;
    return chain->count > 0 ? work / (double)chain->count : 0;
}

/* --- Which passes run in bands ---------------------------------------------------------------- */

/* Returns false if the source delivers rows in order, but a band needs rows above the first source
 * row of the previous band. If the result is collected, also returns false if some pass before the
 * last one would compute too many rows twice, for two neighbouring bands: in all more than 1.5
 * times the rows of its result. */
static bool fits(const ImgChain *chain)
{
    const double most_work = 1.5;
    const ImgChainNeeds needs = img_chain_needs(chain, 1, false);
    if (chain->is_in_order && !needs.keeps_order)
        return false;
    /* The rows of one more band are allowed in addition; otherwise low pictures, which have few
     * bands, would exceed the limit. */
    const int32_t band = img_chain_heights(chain).rest;
    for (size_t i = 0; chain->heights.first == 0 && i + 1 < chain->count; i++)
        if ((double)needs.rows[i] > most_work * chain->passes[i].dst.height + band)
            return false;
    return true;
}

/* Returns the bytes of the constants that a worker makes for its part. */
static uint64_t part_constants_bytes(const ImgChainPass *pass)
{
    if (pass->op->bands.part_constants == NULL)
        return 0;
    return pass->two_passes != NULL
               ? pass->two_passes->constants_bytes(pass->op, pass->src, pass->params)
               : img_op_constants_bytes(pass->op, pass->src, pass->params);
}

bool img_chain_add(ImgChain *chain, const ImgChainPass *pass)
{
    ImgPart part;
    if (chain->count == IMG_STEPS_MAX || (pass->op->measured.by != NULL && !pass->is_measured) ||
        !find_part(pass, (ImgRows){0, 1}, &part))
        return false;
    const ImgShape before = chain->dst;
    const bool had_tiles = chain->has_tiles;
    if (chain->count == 0)
        chain->has_tiles =
            !chain->is_in_order && !pass->is_points &&
            img_op_tile(pass->op, pass->src, pass->params, (ImgRect){0, 0, 1, 1}, &part);
    chain->passes[chain->count] = *pass;
    chain->passes[chain->count++].constants_bytes = part_constants_bytes(pass);
    chain->dst = pass->dst;
    const bool runs = fits(chain);
    if (!runs) {
        chain->count--;
        chain->dst = before;
        chain->has_tiles = had_tiles;
    }
    return runs;
}
