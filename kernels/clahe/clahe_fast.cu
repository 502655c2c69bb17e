/* clahe on the GPU, fast: what its two kernels are told. */
#include "kernels/clahe/clahe_fast.cuh"

namespace
{

/* So many parts of a tile each block of the second kernel may add up itself. */
constexpr int32_t PARTS_MOST = 8;

ClaheRun run_of(const ImgCall *call)
{
    ClaheRun run;
    run.src = call->src.data;
    run.dst = call->dst.data;
    run.src_stride = call->src.stride;
    run.dst_stride = call->dst.stride;
    run.plan = img_clahe_plan(call);
    run.cuts = clahe_cuts(&run.plan, clahe_unit_pixels(call->src.format));
    run.counts = static_cast<uint32_t *>(call->workspace);
    run.parts = run.cuts.tile.chunks * run.cuts.tile.strips;
    run.summed = run.parts > PARTS_MOST ? 1 : run.parts;
    for (int32_t i = 0; i <= run.plan.across; i++)
        run.border_x[i] = img_clahe_border(i, run.plan.width, run.plan.across);
    for (int32_t i = 0; i <= run.plan.down; i++)
        run.border_y[i] = img_clahe_border(i, run.plan.height, run.plan.down);
    return run;
}

} // namespace

size_t img_clahe_cuda_fast_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    (void)op;
    ImgCall call = {};
    call.src = img_view_make(NULL, 0, src);
    call.params = params;
    const ImgClahePlan plan = img_clahe_plan(&call);
    const ClaheCut cut = clahe_cuts(&plan, clahe_unit_pixels(src.format)).tile;
    const size_t parts = (size_t)(plan.across * plan.down) * (size_t)(cut.chunks * cut.strips);
    return parts * CLAHE_BINS * sizeof(uint32_t);
}

ImgStatus img_clahe_cuda_fast(const ImgCall *call, ImgError *err)
{
    const ClaheRun run = run_of(call);
    ImgStatus status = clahe_count(call, run, err);
    return status == IMG_OK ? clahe_blend(call, run, err) : status;
}
