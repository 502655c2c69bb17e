/* What a series of steps will do, and take, worked out before any pixel is there. */
#include "kernels/core/exec/exec.h"

ImgStatus img_steps_plan(ImgStep *steps, size_t count, ImgShape src, const ImgFacts *facts,
                         ImgShape *dst, uint64_t *peak_bytes, ImgError *err)
{
    ImgFacts now = *facts;
    size_t before, after;
    *peak_bytes = 0;
    *dst = src;
    ImgStatus status = img_shape_bytes(src, &before, err);
    for (size_t i = 0; status == IMG_OK && i < count; i++) {
        const ImgOp *op = steps[i].op;
        if (op->bind != NULL)
            op->bind(steps[i].params.bytes, &now);
        ImgShape from = *dst;
        status = op->shape(from, steps[i].params.bytes, dst, err);
        if (status == IMG_OK)
            status = img_shape_bytes(*dst, &after, err);
        if (status != IMG_OK)
            break;
        if (img_op_effect(op, from, steps[i].params.bytes).upright)
            now.orientation = 1;
        if (before + after > *peak_bytes)
            *peak_bytes = before + after;
        before = after;
    }
    return status;
}

bool img_steps_need_channels(const ImgStep *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (img_op_needs_channels(steps[i].op, steps[i].params.bytes))
            return true;
    return false;
}

ImgEffect img_steps_effect(const ImgStep *steps, size_t count, ImgShape src)
{
    ImgEffect all = {.turn = IMG_TURN_NONE};
    for (size_t i = 0; i < count; i++) {
        ImgEffect one = img_op_effect(steps[i].op, src, steps[i].params.bytes);
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
