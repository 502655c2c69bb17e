/* transpose: mirrors a picture at its main diagonal, so that rows become columns. */
#include "kernels/turn/turn.h"

static const ImgParam params[] = {{.name = NULL}};

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    (void)params_of_call;
    (void)err;
    return img_turn_shape(src, IMG_TURN_TRANSPOSE, dst);
}

static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    (void)params_of_call;
    return img_turn_part(src, IMG_TURN_TRANSPOSE, wanted, part);
}

static ImgEffect effect(ImgShape src, const void *params_of_call)
{
    (void)src;
    (void)params_of_call;
    return (ImgEffect){.turn = IMG_TURN_TRANSPOSE};
}

const ImgOp img_op_transpose = {
    .name = "transpose",
    .group = IMG_GROUP_GEOMETRY,
    .synopsis = "Mirror across the diagonal from top left to bottom right",
    .help = "Rows become columns: the pixel at (x, y) moves to (y, x).",
    .example = "",
    .params = params,
    .params_size = 0,
    .shape = shape,
    .traffic = img_turn_traffic,
    .cpu_ns_per_byte = 0.035,
    .part = part,
    .effect = effect,
    .impls = img_transpose_impls,
};
