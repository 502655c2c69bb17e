/* flip: mirrors a picture horizontally or vertically. */
#include "kernels/turn/turn.h"

typedef struct FlipParams {
    int32_t turn; /* ImgTurn value: the direction of the mirror image */
} FlipParams;

static const ImgChoice axes[] = {
    {"vertical", IMG_TURN_FLIP_VERTICAL}, {"horizontal", IMG_TURN_FLIP_HORIZONTAL}, {NULL, 0}};

static const ImgParam params[] = {
    {.name = "axis",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(FlipParams, turn),
     .default_value = "vertical",
     .choices = axes,
     .help = "vertical: swap top and bottom (-flip in ImageMagick); horizontal: swap left and "
             "right (-flop)"},
    {.name = NULL}};

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    (void)params_of_call;
    (void)err;
    return img_turn_shape(src, IMG_TURN_NONE, dst);
}

static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    return img_turn_part(src, (ImgTurn)((const FlipParams *)params_of_call)->turn, wanted, part);
}

static ImgEffect effect(ImgShape src, const void *params_of_call)
{
    (void)src;
    return (ImgEffect){.turn = (ImgTurn)((const FlipParams *)params_of_call)->turn};
}

const ImgOp img_op_flip = {
    .name = "flip",
    .group = IMG_GROUP_GEOMETRY,
    .synopsis = "Mirror top to bottom or left to right",
    .help = "Flipping twice along the same axis restores the picture.",
    .example = "--axis horizontal",
    .params = params,
    .params_size = sizeof(FlipParams),
    .shape = shape,
    .palette = {.keeps = img_keeps_palette},
    .cost = {.cpu_ns_per_byte = 0.05, .traffic = img_turn_traffic},
    .effect = {.get = effect},
    .bands = {.part = part},
    .impls = img_flip_impls,
};
