/* boxblur on CUDA, fast version, for pictures without alpha. The "near" kernel, for small windows,
 * needs one pass over the picture (box_near.cuh). The "far" kernels are for large windows; their
 * cost hardly depends on the radius (box_far.cuh). */
#include "kernels/blur/cuda/box_far.cuh"
#include "kernels/blur/cuda/box_near.cuh"
#include "kernels/core/cuda/pixel_groups.cuh"

namespace
{

/* Returns true if a block can use 204 KB of shared memory, as on the H100. Other GPUs use the
 * simple version, which needs two passes over the picture. */
bool has_room()
{
    ImgError err;
    int shared;
    return device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, &err) == IMG_OK &&
           shared >= 204 * 1024;
}

enum Way { NEAR, FAR, TWO_PASSES };

/* Largest height in pixels for the near kernel. Bands of tall pictures have more than 64 rows, so
 * 2^24 rows keep the number of bands within the limits of a grid. */
constexpr int32_t NEAR_HEIGHT = 1 << 24;

Way way_of(const ImgBox &box, ImgShape src)
{
    if (!has_room())
        return TWO_PASSES;
    if (box.radius < box_far_from(src.format))
        return src.height <= NEAR_HEIGHT ? NEAR : TWO_PASSES;
    return src.width <= BOX_FAR_SIZE && src.height <= BOX_FAR_SIZE ? FAR : TWO_PASSES;
}

/* Sets the multiplier for an exact division of sums of bytes by the area. Returns the byte selector
 * that packs four quotients; for 16-bit samples it returns 0 and changes nothing.
 *
 * Let m = ceil(2^shift / area), for an area below 2^16, and let S = 255.5 * area, which is the
 * largest sum plus half the area. Then S * (m * area - 2^shift) < S * area < 2^shift. Therefore
 * floor(sum * m / 2^shift) is exact for sums up to S (see boxblur.c). The shift is 32 or 40, so the
 * quotient is the lowest or second byte of the product's upper half. */
uint32_t divide_exactly(ImgBox &box)
{
    if (box.lift.bits == 16)
        return 0;
    const int place = box.area < 256 ? 0 : 1;
    const uint64_t one = (uint64_t)1 << (32 + 8 * place);
    box.multiplier = (uint32_t)((one + box.area - 1) / box.area);
    return place == 0 ? 0x0040 : 0x0051;
}

ImgStatus run_near(const ImgCall *call, ImgError *err)
{
    BoxTask task;
    task.box = *static_cast<const ImgBox *>(call->constants.bytes);
    ImgStatus status = plan_box(task.box, img_view_shape(&call->src), task.plan, err);
    if (status != IMG_OK)
        return status;
    task.src = call->src;
    task.dst = call->dst;
    task.quotients = divide_exactly(task.box);
    task.background = static_cast<uint8_t *>(call->workspace);
    task.sides = task.background + task.plan.sides_at;
    task.parts = task.background + task.plan.parts_at;
    task.starts = reinterpret_cast<uint32_t *>(task.background + task.plan.starts_at);
    status = box_start(task, call->stream, err);
    return status == IMG_OK ? near_box_means(task, call->stream, err) : status;
}

ImgStatus run_far(const ImgCall *call, ImgError *err)
{
    BoxFarTask task;
    task.box = *static_cast<const ImgBox *>(call->constants.bytes);
    ImgStatus status = plan_far_box(task.box, img_view_shape(&call->src), task.plan, err);
    if (status != IMG_OK)
        return status;
    uint8_t *workspace = static_cast<uint8_t *>(call->workspace);
    task.src = call->src;
    task.dst = call->dst;
    task.inverse = 1.0 / task.box.area;
    task.sides = workspace;
    task.parts = workspace + task.plan.parts_at;
    task.starts = reinterpret_cast<uint32_t *>(workspace + task.plan.starts_at);
    task.rows = reinterpret_cast<uint32_t *>(workspace + task.plan.rows_at);
    task.prefixes = workspace + task.plan.prefixes_at;
    task.bases = workspace + task.plan.bases_at;
    task.lines = reinterpret_cast<int32_t *>(workspace + task.plan.lines_at);
    status = far_box_sides(task, call->stream, err);
    if (status == IMG_OK)
        status = far_box_cells(task, call->stream, err);
    if (status == IMG_OK)
        status = far_box_starts(task, call->stream, err);
    return status == IMG_OK ? far_box_means(task, call->stream, err) : status;
}

} // namespace

size_t img_box_fast_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    ImgConstants constants;
    ImgError err;
    BoxPlan near;
    BoxFarPlan far;
    if (img_op_prepare(op, src, params, &constants, nullptr) != IMG_OK)
        return 0;
    const ImgBox box = *static_cast<const ImgBox *>(constants.bytes);
    img_constants_free(&constants);
    switch (way_of(box, src)) {
    case NEAR:
        return plan_box(box, src, near, &err) == IMG_OK ? near.bytes : 0;
    case FAR:
        return plan_far_box(box, src, far, &err) == IMG_OK ? far.bytes : 0;
    default:
        return img_box_cuda_workspace(op, src, params);
    }
}

ImgStatus img_box_cuda_fast(const ImgCall *call, ImgError *err)
{
    switch (
        way_of(*static_cast<const ImgBox *>(call->constants.bytes), img_view_shape(&call->src))) {
    case NEAR:
        return run_near(call, err);
    case FAR:
        return run_far(call, err);
    default:
        return img_box_cuda_naive(call, err);
    }
}
