/* clahe in two passes over its source. In the first pass, the pixels of rows are counted as the
 * rows arrive, and the counts give tables. In the second pass, img_clahe_cpu computes rows of the
 * result from these tables. */
#include <stdlib.h>
#include <string.h>

#include "kernels/clahe/clahe.h"

/* Returns the plan for the whole picture, after it was converted to the bit depth of the
 * result. */
static ImgClahePlan plan_of(ImgShape src, const void *params)
{
    const ImgView view = img_view_make(NULL, 0, img_prepass_shape(IMG_PREPASS_WIDEN, src));
    const ImgCall call = {.src = view, .dst = view, .params = params};
    return img_clahe_plan(&call);
}

static size_t row_bins(const ImgClahePlan *plan)
{
    return (size_t)plan->across << plan->bin_bits;
}

/* --- The measurement: a table with a row of bins for each tile -------------------------------- */

typedef struct ByRows {
    ImgClahePlan plan;
    /* Factor that scales samples of fewer than 8 bits to 8 bits; otherwise 1. */
    uint32_t scale;
    ImgView dst;
    int32_t tile;      /* index of the current row of tiles */
    uint32_t counts[]; /* counts of the current row of tiles */
} ByRows;

static ImgStatus begin(const ImgCall *call, void **state, ImgError *err)
{
    const ImgShape src = img_view_shape(&call->src);
    const ImgClahePlan plan = plan_of(src, call->params);
    ByRows *own = *state = calloc(1, sizeof *own + row_bins(&plan) * sizeof *own->counts);
    if (own == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    own->plan = plan;
    own->scale = ((1U << plan.bits) - 1) / img_format_maximum(src.format);
    own->dst = call->dst;
    return IMG_OK;
}

/* Moves the counts of a complete row of tiles to `dst`, the result of the measurement. */
static void end_tiles(ByRows *own)
{
    const ImgClahePlan *plan = &own->plan;
    const uint32_t bins = 1U << plan->bin_bits;
    for (int32_t i = 0; i < plan->across; i++) {
        uint64_t *to = img_view_counts(&own->dst, own->tile * plan->across + i);
        const uint32_t *from = own->counts + (size_t)i * bins;
        memset(to, 0, bins * sizeof *to);
        for (uint32_t b = 0; b * own->scale < bins; b++)
            to[b * own->scale] = from[b];
    }
    memset(own->counts, 0, row_bins(plan) * sizeof *own->counts);
    own->tile++;
}

static void take(void *state, const ImgView *rows, int32_t first)
{
    ByRows *own = state;
    const ImgClahePlan *plan = &own->plan;
    for (int32_t y = 0; y < rows->height; y++) {
        for (int32_t i = 0; i < plan->across; i++)
            img_clahe_count_row(plan, rows->data + (size_t)y * rows->stride,
                                img_clahe_border(i, plan->width, plan->across),
                                img_clahe_border(i + 1, plan->width, plan->across),
                                own->counts + ((size_t)i << plan->bin_bits));
        if (first + y + 1 == img_clahe_border(own->tile + 1, plan->height, plan->down))
            end_tiles(own);
    }
}

static uint64_t bytes(ImgShape src, const void *params)
{
    const ImgClahePlan plan = plan_of(src, params);
    return sizeof(ByRows) + row_bins(&plan) * sizeof(uint32_t);
}

static ImgStatus run_counts(const ImgCall *call, ImgError *err)
{
    void *state;
    const ImgStatus status = begin(call, &state, err);
    if (status != IMG_OK)
        return status;
    take(state, &call->src, 0);
    free(state);
    return IMG_OK;
}

static ImgStatus counts_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err)
{
    const ImgClahePlan plan = plan_of(src, params);
    return img_measure_shape("clahe", src, 1 << plan.bin_bits, plan.across * plan.down, dst, err);
}

static const ImgImpl counts_impls[] = {
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "one thread",
     .run = run_counts,
     .by_rows = &(const ImgByRows){.bytes = bytes, .begin = begin, .take = take, .end = free}},
    {.name = NULL},
};

/* Serves only clahe, so it is not in the list of measurements. */
static const ImgOp counts_op = {
    .name = "clahe-counts",
    .params_size = sizeof(ImgClaheParams),
    .shape = counts_shape,
    .cost = {.traffic = img_measure_traffic},
    .effect = {.get = img_measure_effect},
    .impls = counts_impls,
};

static void set_params(const ImgOp *op, ImgFormat src, const void *params, void *measured)
{
    (void)op, (void)src;
    memcpy(measured, params, sizeof(ImgClaheParams));
}

/* --- Constants -------------------------------------------------------------------------------- */

/* Allocates constants with space for the tables of `tile_rows` rows of tiles, and sets them to
 * 0. */
static ImgClaheMeasured *new_measured(int32_t height, size_t row_tables, int32_t tile_rows,
                                      ImgConstants *constants)
{
    const size_t size =
        sizeof(ImgClaheMeasured) + (size_t)tile_rows * row_tables * sizeof(uint16_t);
    ImgClaheMeasured *measured = calloc(1, size);
    if (measured == NULL)
        return NULL;
    measured->height = height;
    measured->row_tables = (int32_t)row_tables;
    *constants = (ImgConstants){measured, size};
    return measured;
}

static ImgStatus make_constants(const ImgOp *op, ImgShape src, const void *params,
                                const ImgView *table, ImgConstants *constants, ImgError *err)
{
    const ImgClahePlan plan = plan_of(src, params);
    ImgClaheMeasured *measured = new_measured(plan.height, row_bins(&plan), plan.down, constants);
    (void)op;
    if (measured == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    for (int32_t tile = 0; tile < plan.across * plan.down; tile++) {
        uint32_t counts[1 << IMG_CLAHE_BIN_BITS_MAX];
        for (int32_t b = 0; b < 1 << plan.bin_bits; b++)
            counts[b] = (uint32_t)img_view_counts(table, tile)[b];
        img_clahe_table(&plan, counts, measured->tables + ((size_t)tile << plan.bin_bits));
    }
    return IMG_OK;
}

static uint64_t constants_bytes(const ImgOp *op, ImgShape src, const void *params)
{
    const ImgClahePlan plan = plan_of(src, params);
    (void)op;
    return sizeof(ImgClaheMeasured) + (uint64_t)plan.down * row_bins(&plan) * sizeof(uint16_t);
}

/* Copies the tables that the rows of the part need: each row of pixels lies between the centres of
 * two rows of tiles and needs the tables of both. */
ImgStatus img_clahe_part_constants(ImgShape src, const ImgPart *part, const ImgConstants *whole,
                                   ImgConstants *constants, ImgError *err)
{
    const ImgClaheMeasured *all = whole->bytes;
    if (all == NULL)
        return IMG_OK;
    const ImgClahePlan plan = plan_of(src, part->params.bytes);
    const int32_t first =
        img_clahe_between(part->src.y, plan.height, plan.down, plan.weight_bits).first;
    const int32_t last = img_clahe_between(part->src.y + part->src.height - 1, plan.height,
                                           plan.down, plan.weight_bits)
                             .second;
    const size_t row_tables = (size_t)all->row_tables;
    ImgClaheMeasured *own = new_measured(all->height, row_tables, last - first + 1, constants);
    if (own == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    own->first = part->src.y;
    own->first_tile = first;
    memcpy(own->tables, all->tables + (size_t)first * row_tables,
           (size_t)(last - first + 1) * row_tables * sizeof *own->tables);
    return IMG_OK;
}

const ImgTwoPasses img_clahe_two_passes = {.measure = &counts_op,
                                           .set_params = set_params,
                                           .constants = make_constants,
                                           .constants_bytes = constants_bytes};
