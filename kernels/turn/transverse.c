/* transverse: mirrors a picture at its other diagonal, from the lower left to the upper right
 * corner. */
#include "kernels/turn/turn.h"

static const ImgParam params[] = {{.name = NULL}};

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    (void)params_of_call;
    (void)err;
    return img_turn_shape(src, IMG_TURN_TRANSVERSE, dst);
}

static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    (void)params_of_call;
    return img_turn_part(src, IMG_TURN_TRANSVERSE, wanted, part);
}

static ImgEffect effect(ImgShape src, const void *params_of_call)
{
    (void)src;
    (void)params_of_call;
    return (ImgEffect){.turn = IMG_TURN_TRANSVERSE};
}

const ImgOp img_op_transverse = {
    .name = "transverse",
    .group = IMG_GROUP_GEOMETRY,
    .synopsis = "Mirror across the diagonal from top right to bottom left",
    .help = "Equals a transpose followed by a rotation by 180 degrees.",
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
