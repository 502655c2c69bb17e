/* Computes the peak of host memory that steps need, before they are planned. */
#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/minmax.h"
#include "kernels/point/points.h"

uint64_t img_room_image_bytes(ImgShape shape, ImgRoom room)
{
    return room.stores ? 0 : img_image_bytes(shape);
}

/* Joins point operations as plan_points (exec_plan.c) does, but without allocating tables
 * (ImgPoints.is_sketch). No pictures exist between point operations that become one pass. */
static void look_at_points(const ImgStep *steps, size_t count, ImgFormat format, ImgAhead *ahead)
{
    ImgPoints points = img_points_start(format);
    points.is_sketch = true;
    ahead->is_known =
        img_points_join(steps, count, &points, &ahead->dst, &ahead->steps, NULL) == IMG_OK;
    if (ahead->steps > 1)
        ahead->op = &img_op_points;
    ahead->constants =
        (ImgConstantsNeed){img_points_packed_bytes(&points), points.room * sizeof *points.tables};
}

ImgAhead img_steps_look_ahead(const ImgStep *steps, size_t count, ImgShape src)
{
    const void *params = steps->params.bytes;
    ImgAhead ahead = {.op = steps->op, .steps = 1, .dst = src};
    if (img_op_is_points(ahead.op, params)) {
        look_at_points(steps, count, src.format, &ahead);
        return ahead;
    }
    ahead.constants.bytes = img_op_constants_bytes(ahead.op, src, params);
    ahead.is_known = ahead.op->shape(src, params, &ahead.dst, NULL) == IMG_OK;
    return ahead;
}

ImgConstantsNeed img_steps_constants(const ImgStep *steps, size_t count, ImgShape src)
{
    ImgConstantsNeed all = {0, 0};
    ImgAhead ahead = {.is_known = true};
    for (size_t i = 0; i < count && ahead.is_known; i += ahead.steps) {
        ahead = img_steps_look_ahead(steps + i, count - i, src);
        all.bytes += ahead.constants.bytes;
        all.making = img_max64(all.making, ahead.constants.making);
        src = ahead.dst;
    }
    return all;
}

/* For point operations, counts the actual size of the constants. It is at most the size that
 * img_steps_constants plans, because equal tables are stored once. */
uint64_t img_plan_constants(const ImgPlan *plan)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const ImgPass *pass = &plan->passes[i];
        bytes += pass->is_points ? pass->constants.size
                                 : img_op_constants_bytes(pass->op, pass->src, pass->params);
    }
    return bytes;
}

uint64_t img_step_bytes(const ImgOp *op, ImgShape src, const void *params, uint64_t others,
                        ImgRoom room)
{
    const uint64_t left = room.bytes > others ? room.bytes - others : 0;
    const int threads = img_op_threads_within(op, src, params, room.threads, left);
    return others + img_op_scratch(op, src, params, threads);
}

/* Returns the memory, in bytes, of the pass that begins with `step`, or of its measuring pass if
 * that pass needs more. */
static uint64_t bytes_of_pass(const ImgStep *step, const ImgAhead *ahead, ImgShape src,
                              uint64_t others, ImgRoom room)
{
    const void *params = step->params.bytes;
    const uint64_t all =
        others + img_room_image_bytes(src, room) + img_room_image_bytes(ahead->dst, room);
    const uint64_t needed = img_step_bytes(ahead->op, src, params, all, room);
    if (step->op->measured.by == NULL)
        return needed;
    return img_max64(needed, img_step_bytes(step->op->measured.by, src, params, all, room));
}

uint64_t img_steps_run_bytes(const ImgStep *steps, size_t count, ImgShape src, uint64_t others,
                             ImgRoom room)
{
    uint64_t peak = 0;
    ImgAhead ahead;
    for (size_t i = 0; i < count; i += ahead.steps) {
        ahead = img_steps_look_ahead(steps + i, count - i, src);
        if (!ahead.is_known)
            break;
        peak = img_max64(peak, bytes_of_pass(&steps[i], &ahead, src, others, room));
        src = ahead.dst;
    }
    return peak;
}

/* Returns the largest number of bytes of pictures that exist while constants are computed.
 * Constants are computed before the first step, when only the source exists. They are also computed
 * after each measurement. Then the measured picture exists, and the memory of the picture before
 * it, which is kept for reuse. */
static uint64_t held_while_making(const ImgStep *steps, size_t count, ImgShape src)
{
    uint64_t most = img_image_bytes(src), before = 0;
    ImgAhead ahead;
    for (size_t i = 0; i < count; i += ahead.steps) {
        const uint64_t held = img_image_bytes(src);
        if (steps[i].op->measured.by != NULL)
            most = img_max64(most, held + before);
        ahead = img_steps_look_ahead(steps + i, count - i, src);
        if (!ahead.is_known)
            break;
        src = ahead.dst;
        before = img_max64(before, held);
    }
    return most;
}

uint64_t img_steps_bytes(const ImgStep *steps, size_t count, ImgShape src, uint64_t others,
                         ImgRoom room)
{
    const ImgConstantsNeed constants = img_steps_constants(steps, count, src);
    const uint64_t all = others + constants.bytes;
    const uint64_t held = room.stores ? 0 : held_while_making(steps, count, src);
    const uint64_t making = all + constants.making + held;
    const uint64_t running = img_steps_run_bytes(steps, count, src, all, room);
    return count > 0 ? img_max64(making, running) : 0;
}
