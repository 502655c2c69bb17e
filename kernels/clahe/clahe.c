/* clahe: its descriptor, and the plan of numbers that all implementations share. */
#include "kernels/clahe/clahe.h"

#include "kernels/core/color/luma.h"

static const ImgParam params[] = {
    {.name = "clip-limit",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(ImgClaheParams, clip_limit),
     .default_value = "2",
     .min = 0,
     .max = 1000000,
     .help = "largest count of a histogram bin, as a multiple of the average, like OpenCV's "
             "clipLimit; 0: no limit"},
    {.name = "tiles",
     .type = IMG_PARAM_INT,
     .offset = offsetof(ImgClaheParams, tiles),
     .default_value = "8",
     .min = 1,
     .max = IMG_CLAHE_TILES_MAX,
     .help = "number of tiles across, and as many down"},
    {.name = "luma",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgClaheParams, luma),
     .default_value = "709",
     .choices = img_luma_choices,
     .help = "weights of luma (brightness): ITU-R BT.709, or BT.601 as in Pillow and OpenCV"},
    {.name = NULL}};

static int32_t tiles_of(int32_t size, int32_t tiles)
{
    return size < tiles ? size : tiles;
}

ImgClahePlan img_clahe_plan(const ImgCall *call)
{
    const ImgClaheParams *own = call->params;
    ImgFormat format = call->src.format;
    int32_t channels = img_format_channels(format);
    int32_t bin_bits = format.bits < IMG_CLAHE_BIN_BITS_MAX ? format.bits : IMG_CLAHE_BIN_BITS_MAX;
    return (ImgClahePlan){
        .width = call->src.width,
        .height = call->src.height,
        .across = tiles_of(call->src.width, own->tiles),
        .down = tiles_of(call->src.height, own->tiles),
        .bits = format.bits,
        .bin_bits = bin_bits,
        .fine_bits = format.bits - bin_bits,
        .weight_bits = format.bits == 16 ? 16 : 12,
        .colors = channels - (img_format_has_alpha(format) ? 1 : 0),
        .channels = channels,
        .clip_limit = own->clip_limit,
        .weights = img_luma_weights((ImgLuma)own->luma),
    };
}

void img_clahe_table(const ImgClahePlan *plan, const uint32_t *counts, uint16_t *table)
{
    uint32_t bins = 1U << plan->bin_bits, total = 0, excess = 0, below = 0;
    for (uint32_t b = 0; b < bins; b++)
        total += counts[b];
    uint32_t limit = img_clahe_limit(plan, total);
    for (uint32_t b = 0; b < bins; b++)
        excess += counts[b] > limit ? counts[b] - limit : 0;
    ImgClaheSpread spread = img_clahe_spread(plan, limit, excess);
    for (uint32_t b = 0; b < bins; b++) {
        below += img_clahe_spread_count(spread, b, counts[b]);
        table[b] = img_clahe_entry(plan, b, below, total);
    }
}

/* Computes the shape of the result. Rejects a tile size at which 32-bit counters could overflow. */
static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const ImgClaheParams *own = params_of_call;
    if (src.format.color == IMG_COLOR_PALETTE)
        return img_fail(
            err, IMG_E_UNSUPPORTED,
            "clahe: needs channels, not the indices of a palette; expand the palette first");
    if (src.format.color == IMG_COLOR_COUNTS)
        return img_fail(err, IMG_E_UNSUPPORTED, "clahe: a table of counts is not a picture");
    int64_t width = src.width / tiles_of(src.width, own->tiles) + 1;
    int64_t height = src.height / tiles_of(src.height, own->tiles) + 1;
    if (width * height > UINT32_MAX)
        return img_fail(
            err, IMG_E_UNSUPPORTED,
            "clahe: tiles of %d x %d pixels in a picture of %d x %d are too large; use more tiles",
            src.width, src.height, own->tiles, own->tiles);
    *dst = img_prepass_shape(IMG_PREPASS_WIDEN, src);
    return IMG_OK;
}

/* Returns the number of bytes that a call reads and writes. A call reads the picture twice, to
 * count and to change pixels, and writes it once. The tables are negligible. */
static uint64_t traffic(ImgShape src, const void *params_of_call)
{
    (void)params_of_call;
    return 3 * (uint64_t)src.width * (uint64_t)src.height * img_format_pixel_size(src.format);
}

static ImgEffect effect(ImgShape src, const void *params_of_call)
{
    (void)src, (void)params_of_call;
    return (ImgEffect){.turn = IMG_TURN_NONE, .values_changed = true};
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = img_clahe_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads; tables of 8 bits blended vertically once per row",
     .run = img_clahe_cpu,
     .two_passes = &img_clahe_two_passes},
    {.name = "cuda-tiled",
     .backend = IMG_BACKEND_CUDA,
     .note = "blocks count tiles in shared memory, then one pixel per thread",
     .run = IMG_CUDA_RUN(img_clahe_cuda_tiled),
     .workspace = IMG_CUDA_RUN(img_clahe_cuda_workspace)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "two kernels; counters and tables per lane, 16 bytes per access",
     .run = IMG_CUDA_RUN(img_clahe_cuda_fast),
     .applies = img_clahe_cuda_fast_applies,
     .workspace = IMG_CUDA_RUN(img_clahe_cuda_fast_workspace)},
    {.name = NULL},
};

const ImgOp img_op_clahe = {
    .name = "clahe",
    .group = IMG_GROUP_TONE,
    .synopsis = "Enhance local contrast (CLAHE)",
    .help = "Contrast limited adaptive histogram equalisation (Zuiderveld 1994): each tile of "
            "the picture has its own equalised histogram. Between the centres of tiles the "
            "results are interpolated. The clip limit caps each bin of a histogram, which "
            "limits noise in flat areas; the excess is spread over all bins.\n\n"
            "If the size of the picture is not a multiple of --tiles, tiles differ by one pixel "
            "in size. Very small pictures have fewer tiles. Samples of 16 bits are counted in "
            "256 bins, like those of 8 bits.\n\n"
            "In colour pictures luma changes, and the difference is added to red, green and "
            "blue. Alpha is kept, and fully transparent pixels do not count. Gray pictures of "
            "1, 2 or 4 bits become 8-bit gray.",
    .example = "--clip-limit 3 --tiles 8",
    .params = params,
    .params_size = sizeof(ImgClaheParams),
    .shape = shape,
    .cost = {.cpu_ns_per_byte = 1.0, .traffic = traffic, .scratch = img_clahe_scratch},
    .effect = {.get = effect},
    .bands = {.part_constants = img_clahe_part_constants},
    .impls = impls,
};
