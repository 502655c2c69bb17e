/* What steps take of host memory at a time. */
#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/minmax.h"
#include "kernels/core/point/points.h"

uint64_t img_image_bytes(ImgShape shape)
{
    size_t bytes = 0;
    (void)img_shape_bytes(shape, &bytes, NULL);
    return bytes;
}

/* Of the pass that so many of the steps become, *joined; where that cannot be told, all. *shape is
 * of its source, and then of its result. Of a sketch nothing is allocated. */
static ImgConstantsNeed constants_of_points(const ImgStep *steps, size_t count, ImgShape *shape,
                                            size_t *joined)
{
    ImgPoints points = img_points_start(shape->format);
    points.is_sketch = true;
    if (img_points_join(steps, count, &points, shape, joined, NULL) != IMG_OK)
        *joined = count;
    return (ImgConstantsNeed){img_points_packed_bytes(&points),
                              points.room * sizeof *points.tables};
}

ImgConstantsNeed img_steps_constants(const ImgStep *steps, size_t count, ImgShape src)
{
    ImgConstantsNeed all = {0, 0};
    for (size_t i = 0; i < count;) {
        const void *params = steps[i].params.bytes;
        if (img_op_is_points(steps[i].op, params)) {
            size_t joined;
            const ImgConstantsNeed own = constants_of_points(steps + i, count - i, &src, &joined);
            all.bytes += own.bytes;
            all.making = img_max64(all.making, own.making);
            i += joined;
            continue;
        }
        all.bytes += img_op_constants_bytes(steps[i].op, src, params);
        if (steps[i++].op->shape(src, params, &src, NULL) != IMG_OK)
            break;
    }
    return all;
}

/* Of point operations what is there, which is no more than was planned. */
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

/* Its measurement first, if it has one. */
static uint64_t bytes_of_step(const ImgStep *step, ImgShape src, ImgShape dst, uint64_t others,
                              ImgRoom room)
{
    const void *params = step->params.bytes;
    const uint64_t all = others + img_image_bytes(src) + img_image_bytes(dst);
    const uint64_t needed = img_step_bytes(step->op, src, params, all, room);
    if (step->op->measure == NULL)
        return needed;
    return img_max64(needed, img_step_bytes(step->op->measure, src, params, all, room));
}

uint64_t img_steps_run_bytes(const ImgStep *steps, size_t count, ImgShape src, uint64_t others,
                             ImgRoom room)
{
    uint64_t peak = 0;
    ImgShape dst;
    for (size_t i = 0; i < count; i++) {
        if (steps[i].op->shape(src, steps[i].params.bytes, &dst, NULL) != IMG_OK)
            break;
        peak = img_max64(peak, bytes_of_step(&steps[i], src, dst, others, room));
        src = dst;
    }
    return peak;
}

/* Pictures that are there while constants are made: the source, before the first step runs; and the
 * source of a step that measures, before those of what follows, with memory of one before it. */
static uint64_t held_while_making(const ImgStep *steps, size_t count, ImgShape src)
{
    uint64_t most = img_image_bytes(src), before = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t held = img_image_bytes(src);
        if (steps[i].op->measure != NULL)
            most = img_max64(most, held + before);
        if (steps[i].op->shape(src, steps[i].params.bytes, &src, NULL) != IMG_OK)
            break;
        before = img_max64(before, held);
    }
    return most;
}

uint64_t img_steps_bytes(const ImgStep *steps, size_t count, ImgShape src, uint64_t others,
                         ImgRoom room)
{
    const ImgConstantsNeed constants = img_steps_constants(steps, count, src);
    const uint64_t all = others + constants.bytes;
    const uint64_t making = all + constants.making + held_while_making(steps, count, src);
    const uint64_t running = img_steps_run_bytes(steps, count, src, all, room);
    return count > 0 ? img_max64(making, running) : 0;
}
