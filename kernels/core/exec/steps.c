/* What a series of steps will do, and take, worked out before any pixel is there. */
#include "kernels/core/exec/exec_priv.h"

uint64_t img_step_bytes(const ImgOp *op, ImgShape src, const void *params, uint64_t images,
                        ImgRoom room)
{
    const uint64_t left = room.bytes > images ? room.bytes - images : 0;
    const int threads = img_op_threads_within(op, src, params, room.threads, left);
    return images + img_op_scratch(op, src, params, threads);
}

/* Its measurement first, if it has one. */
static uint64_t bytes_of_step(const ImgStep *step, ImgShape src, uint64_t images, ImgRoom room)
{
    const void *params = step->params.bytes;
    const uint64_t needed = img_step_bytes(step->op, src, params, images, room);
    if (step->op->measure == NULL)
        return needed;
    const uint64_t measuring = img_step_bytes(step->op->measure, src, params, images, room);
    return needed > measuring ? needed : measuring;
}

ImgStatus img_steps_plan(ImgStep *steps, size_t count, ImgShape src, const ImgFacts *facts,
                         ImgRoom room, ImgShape *dst, uint64_t *peak_bytes, ImgError *err)
{
    ImgFacts now = *facts;
    size_t before, after;
    bool is_known = true;
    *peak_bytes = 0;
    *dst = src;
    ImgStatus status = img_shape_bytes(src, &before, err);
    for (size_t i = 0; status == IMG_OK && i < count; i++) {
        const ImgOp *op = steps[i].op;
        if (op->bind != NULL)
            op->bind(steps[i].params.bytes, &now);
        if (op->bind_light != NULL)
            op->bind_light(steps[i].params.bytes, now.light);
        if (op->measure != NULL)
            op->take_measured(steps[i].params.bytes, *dst, NULL);
        ImgShape from = *dst;
        status = op->shape(from, steps[i].params.bytes, dst, is_known ? err : NULL);
        if (status != IMG_OK && !is_known) {
            *dst = from;
            return IMG_OK;
        }
        is_known &= op->measure == NULL;
        if (status == IMG_OK)
            status = img_shape_bytes(*dst, &after, err);
        if (status != IMG_OK)
            break;
        if (img_op_effect(op, from, steps[i].params.bytes).upright)
            now.orientation = 1;
        const uint64_t needed = bytes_of_step(&steps[i], from, (uint64_t)before + after, room);
        if (needed > *peak_bytes)
            *peak_bytes = needed;
        before = after;
    }
    return status;
}

uint64_t img_steps_held(const ImgStep *steps, size_t count)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += steps[i].held;
    return bytes;
}

bool img_steps_measure(const ImgStep *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (steps[i].op->measure != NULL)
            return true;
    return false;
}

bool img_steps_need_channels(const ImgStep *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (img_op_needs_channels(steps[i].op, steps[i].params.bytes))
            return true;
    return false;
}

/* Later steps have the axes of what they are given, which may be turned. */
static void add_scale(ImgEffect *all, const ImgEffect *one)
{
    const bool swaps = img_turn_swaps(all->turn);
    const double x = swaps ? one->scale_y : one->scale_x, y = swaps ? one->scale_x : one->scale_y;
    all->scale_x *= x > 0 ? x : 1;
    all->scale_y *= y > 0 ? y : 1;
}

ImgEffect img_steps_effect(const ImgStep *steps, size_t count, ImgShape src)
{
    ImgEffect all = {.turn = IMG_TURN_NONE, .scale_x = 1, .scale_y = 1};
    for (size_t i = 0; i < count; i++) {
        ImgEffect one = img_op_effect(steps[i].op, src, steps[i].params.bytes);
        add_scale(&all, &one);
        all.turn = img_turn_then(all.turn, one.turn);
        all.cropped |= one.cropped;
        all.upright |= one.upright;
        all.values_changed |= one.values_changed;
        all.to_gray |= one.to_gray;
        all.depth_changed |= one.depth_changed;
        ImgShape dst;
        if (steps[i].op->shape(src, steps[i].params.bytes, &dst, NULL) == IMG_OK)
            src = dst;
    }
    return all;
}
