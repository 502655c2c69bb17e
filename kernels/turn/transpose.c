/* transpose and transverse: mirror a picture at one of its diagonals; rows become columns. */
#include "kernels/turn/turn.h"

static const ImgParam params[] = {{.name = NULL}};

static ImgStatus transpose_shape(ImgShape src, const void *params_of_call, ImgShape *dst,
                                 ImgError *err)
{
    (void)params_of_call;
    (void)err;
    return img_turn_shape(src, IMG_TURN_TRANSPOSE, dst);
}

static bool transpose_part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    (void)params_of_call;
    return img_turn_part(src, IMG_TURN_TRANSPOSE, wanted, part);
}

static ImgEffect transpose_effect(ImgShape src, const void *params_of_call)
{
    (void)src;
    (void)params_of_call;
    return (ImgEffect){.turn = IMG_TURN_TRANSPOSE};
}

static ImgStatus transverse_shape(ImgShape src, const void *params_of_call, ImgShape *dst,
                                  ImgError *err)
{
    (void)params_of_call;
    (void)err;
    return img_turn_shape(src, IMG_TURN_TRANSVERSE, dst);
}

static bool transverse_part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    (void)params_of_call;
    return img_turn_part(src, IMG_TURN_TRANSVERSE, wanted, part);
}

static ImgEffect transverse_effect(ImgShape src, const void *params_of_call)
{
    (void)src;
    (void)params_of_call;
    return (ImgEffect){.turn = IMG_TURN_TRANSVERSE};
}

const ImgOp img_op_transpose = {
    .name = "transpose",
    .group = IMG_GROUP_GEOMETRY,
    .synopsis = "Mirror across the diagonal from top left to bottom right",
    .help = "Rows become columns: the pixel at (x, y) moves to (y, x).",
    .example = "",
    .params = params,
    .params_size = 0,
    .shape = transpose_shape,
    .palette = {.keeps = img_keeps_palette},
    .cost = {.cpu_ns_per_byte = 0.035, .traffic = img_turn_traffic},
    .effect = {.get = transpose_effect},
    .bands = {.part = transpose_part},
    .impls = img_transpose_impls,
};

const ImgOp img_op_transverse = {
    .name = "transverse",
    .group = IMG_GROUP_GEOMETRY,
    .synopsis = "Mirror across the diagonal from top right to bottom left",
    .help = "Equals a transpose followed by a rotation by 180 degrees.",
    .example = "",
    .params = params,
    .params_size = 0,
    .shape = transverse_shape,
    .palette = {.keeps = img_keeps_palette},
    .cost = {.cpu_ns_per_byte = 0.035, .traffic = img_turn_traffic},
    .effect = {.get = transverse_effect},
    .bands = {.part = transverse_part},
    .impls = img_transpose_impls,
};
