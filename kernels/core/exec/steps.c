/* Plans a series of steps before any pixel is read: shapes, memory and effects on the picture. */
#include "kernels/core/exec/exec_priv.h"

/* Completes the parameters of a step with facts about the input file and with `src`, the shape of
 * the step's source. */
static void bind(ImgStep *step, ImgShape src, const ImgFacts *facts)
{
    if (step->op->facts.bind != NULL)
        step->op->facts.bind(step->params.bytes, facts);
    if (step->op->facts.bind_light != NULL)
        step->op->facts.bind_light(step->params.bytes, facts->light);
    if (step->op->measured.by != NULL)
        step->op->measured.take(step->params.bytes, src, NULL);
}

ImgStatus img_steps_plan(ImgStep *steps, size_t count, ImgShape src, const ImgFacts *facts,
                         ImgRoom room, ImgShape *dst, uint64_t *peak_bytes, ImgError *err)
{
    ImgFacts now = *facts;
    size_t bytes, i = 0;
    bool is_known = true;
    *dst = src;
    ImgStatus status = img_shape_bytes(src, &bytes, err);
    for (; status == IMG_OK && i < count; i++) {
        const ImgOp *op = steps[i].op;
        const ImgShape from = *dst;
        bind(&steps[i], from, &now);
        status = op->shape(from, steps[i].params.bytes, dst, is_known ? err : NULL);
        if (status != IMG_OK && !is_known) {
            *dst = from;
            status = IMG_OK;
            break;
        }
        is_known &= op->measured.by == NULL;
        if (status == IMG_OK)
            status = img_shape_bytes(*dst, &bytes, err);
        if (status == IMG_OK && img_op_effect(op, from, steps[i].params.bytes).upright)
            now.orientation = 1;
    }
    *peak_bytes = status == IMG_OK ? img_steps_bytes(steps, i, src, 0, room) : 0;
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
        if (steps[i].op->measured.by != NULL)
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

/* Returns the shape of the step's result. Its size is 0 if it is known only after the step has been
 * bound or has measured the picture. */
static ImgShape shape_after(const ImgStep *step, ImgShape src)
{
    ImgShape dst;
    if (src.width > 0 && step->op->facts.bind == NULL && step->op->measured.by == NULL &&
        step->op->shape(src, step->params.bytes, &dst, NULL) == IMG_OK)
        return dst;
    return (ImgShape){0, 0, src.format};
}

bool img_steps_bind_palette(ImgStep *steps, size_t count, ImgShape src, struct ImgPalette *palette)
{
    bool has_room = true;
    ImgShape now = src;
    for (size_t i = 0; i < count; i++) {
        if (steps[i].op->palette.bind != NULL)
            has_room &= steps[i].op->palette.bind(steps[i].params.bytes, now, palette);
        now = shape_after(&steps[i], now);
    }
    if (palette == NULL || (has_room && !img_steps_need_channels(steps, count)))
        return palette != NULL;
    return img_steps_bind_palette(steps, count, src, NULL);
}

void img_steps_choose_form(ImgStep *steps, size_t count, bool has_palette)
{
    for (size_t i = 0; i < count; i++)
        if (steps[i].op->palette.choose != NULL)
            steps[i].op->palette.choose(steps[i].params.bytes,
                                        !has_palette ||
                                            img_steps_need_channels(steps + i + 1, count - i - 1));
}

bool img_steps_palette(const ImgStep *steps, size_t count, struct ImgPalette *palette)
{
    for (size_t i = count; i > 0; i--)
        if (steps[i - 1].op->palette.get != NULL)
            return steps[i - 1].op->palette.get(steps[i - 1].params.bytes, palette);
    return false;
}

/* Multiplies the scale in `all`, the effect of all earlier steps, by the scale of the step with the
 * effect `one`. The scales x and y of that step are along the axes of its own source. They are
 * exchanged first if earlier steps have swapped the axes. */
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
        all.reshaped |= one.reshaped;
        all.values_changed |= one.values_changed;
        all.looks_changed |= one.looks_changed;
        all.to_gray |= one.to_gray;
        all.to_color |= one.to_color;
        /* Indices of a palette are another form of samples, even if colours follow. */
        all.depth_changed |= one.depth_changed || steps[i].op->palette.get != NULL;
        ImgShape dst;
        if (steps[i].op->shape(src, steps[i].params.bytes, &dst, NULL) == IMG_OK)
            src = dst;
    }
    return all;
}
