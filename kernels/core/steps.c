/* What a series of steps will do, and take, worked out before any pixel is there. */
#include "kernels/core/exec.h"

enum { LINE = 128, PAGE = 4096, STEP_ASIDE = 1024 };

size_t img_device_pitch(ImgShape shape)
{
    size_t pixel = img_format_pixel_size(shape.format);
    size_t row = (size_t)shape.width * pixel;
    size_t unit = row < LINE ? (size_t)IMG_DEVICE_ALIGNMENT : (size_t)LINE;
    size_t pitch = (row + unit - 1) / unit * unit;
    /* Tiles of 3-byte pixels are no power of two wide, and rows a power of two apart then share
     * memory banks unevenly: a transpose of 16384 x 16384 gains half a percent on an H100. */
    return pixel == 3 && pitch % PAGE == 0 ? pitch + STEP_ASIDE : pitch;
}

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
        if (op->effect(from, steps[i].params.bytes).upright)
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
        if (steps[i].op->needs_channels)
            return true;
    return false;
}

ImgEffect img_steps_effect(const ImgStep *steps, size_t count, ImgShape src)
{
    ImgEffect all = {.turn = IMG_TURN_NONE};
    for (size_t i = 0; i < count; i++) {
        ImgEffect one = steps[i].op->effect(src, steps[i].params.bytes);
        all.turn = img_turn_then(all.turn, one.turn);
        all.cut |= one.cut;
        all.upright |= one.upright;
        all.recoloured |= one.recoloured;
        all.grayed |= one.grayed;
        ImgShape dst;
        if (steps[i].op->shape(src, steps[i].params.bytes, &dst, NULL) == IMG_OK)
            src = dst;
    }
    return all;
}
