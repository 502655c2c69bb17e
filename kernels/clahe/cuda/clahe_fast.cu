/* clahe on the GPU, fast version: sets up the parameters of its kernels and launches them. */
#include "kernels/clahe/clahe_exact.h"
#include "kernels/clahe/cuda/clahe_fast.cuh"

namespace
{

/* The pixels of a tile are counted in parts. Up to this number of parts per tile, the blocks of the
 * last kernel sum the counts themselves. With more parts, the optional table kernel sums them. */
constexpr int32_t PARTS_MOST = 8;

int32_t parts_of(const ClaheCuts &cuts)
{
    return cuts.tile.chunks * cuts.tile.strips;
}

size_t counts_size(const ImgClahePlan &plan, const ClaheCuts &cuts)
{
    return (size_t)(plan.across * plan.down) * (size_t)parts_of(cuts) * CLAHE_BINS *
           sizeof(uint32_t);
}

bool tables_first(const ImgClahePlan &plan, const ClaheCuts &cuts)
{
    const int64_t patches = (int64_t)clahe_patches(&cuts, plan.across) *
                            clahe_patches(&cuts, plan.down) * cuts.patch.chunks * cuts.patch.strips;
    return parts_of(cuts) > PARTS_MOST || patches > CLAHE_BLOCKS;
}

ClaheLuma luma_of(ImgLumaWeights weights)
{
    ClaheLuma luma;
    luma.weights = weights;
    luma.high = weights.red >> 8 | weights.green >> 8 << 8 | weights.blue >> 8 << 16;
    luma.low = (weights.red & 0xff) | (weights.green & 0xff) << 8 | (weights.blue & 0xff) << 16;
    return luma;
}

ClaheRun run_of(const ImgCall *call)
{
    ClaheRun run;
    run.src = call->src.data;
    run.dst = call->dst.data;
    run.src_stride = call->src.stride;
    run.dst_stride = call->dst.stride;
    run.plan = img_clahe_plan(call);
    run.luma = luma_of(run.plan.weights);
    run.cuts = img_clahe_cuts(&run.plan, img_clahe_unit_pixels(call->src.format));
    run.counts = static_cast<uint32_t *>(call->workspace);
    run.parts = parts_of(run.cuts);
    run.tables = NULL;
    if (tables_first(run.plan, run.cuts))
        run.tables = reinterpret_cast<uint16_t *>(static_cast<uint8_t *>(call->workspace) +
                                                  counts_size(run.plan, run.cuts));
    for (int32_t i = 0; i <= run.plan.across; i++)
        run.border_x[i] = img_clahe_border(i, run.plan.width, run.plan.across);
    for (int32_t i = 0; i <= run.plan.down; i++)
        run.border_y[i] = img_clahe_border(i, run.plan.height, run.plan.down);
    for (int32_t i = 0; i <= run.plan.across; i++)
        run.slope_x[i] = clahe_slope(run.border_x, run.plan.across, i);
    for (int32_t i = 0; i <= run.plan.down; i++)
        run.slope_y[i] = clahe_slope(run.border_y, run.plan.down, i);
    return run;
}

} // namespace

size_t img_clahe_cuda_fast_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    (void)op;
    ImgCall call = {};
    call.src = img_view_make(NULL, 0, img_prepass_shape(IMG_PREPASS_WIDEN, src));
    call.params = params;
    const ImgClahePlan plan = img_clahe_plan(&call);
    const ClaheCuts cuts = img_clahe_cuts(&plan, img_clahe_unit_pixels(call.src.format));
    const size_t tables = (size_t)(plan.across * plan.down) * CLAHE_BINS * sizeof(uint16_t);
    return img_prepass_workspace(IMG_PREPASS_WIDEN, src) + counts_size(plan, cuts) +
           (tables_first(plan, cuts) ? tables : 0);
}

ImgStatus img_clahe_cuda_fast(const ImgCall *call, ImgError *err)
{
    ImgCall own;
    ImgStatus status = img_prepass_cuda(IMG_PREPASS_WIDEN, call, &own, err);
    if (status != IMG_OK)
        return status;
    const ClaheRun run = run_of(&own);
    status = clahe_count(&own, run, err);
    if (status == IMG_OK && run.tables != NULL)
        status = clahe_tabulate(&own, run, err);
    return status == IMG_OK ? clahe_blend(&own, run, err) : status;
}
