/* rotate: quarter and half turns, clockwise. No pixel is ever interpolated. */
#include "kernels/turn/turn.h"

typedef struct RotateParams {
    int32_t turn; /* an ImgTurn */
} RotateParams;

static const ImgChoice angles[] = {
    {"90", IMG_TURN_90}, {"180", IMG_TURN_180}, {"270", IMG_TURN_270}, {NULL, 0}};

/* Counter-clockwise, and more than a whole turn. */
static const ImgChoice angle_synonyms[] = {{"-270", IMG_TURN_90},  {"-180", IMG_TURN_180},
                                           {"-90", IMG_TURN_270},  {"450", IMG_TURN_90},
                                           {"540", IMG_TURN_180},  {"630", IMG_TURN_270},
                                           {"+90", IMG_TURN_90},   {"+180", IMG_TURN_180},
                                           {"+270", IMG_TURN_270}, {NULL, 0}};

static const ImgParam params[] = {{.name = "angle",
                                   .type = IMG_PARAM_CHOICE,
                                   .offset = offsetof(RotateParams, turn),
                                   .default_value = "90",
                                   .choices = angles,
                                   .synonyms = angle_synonyms,
                                   .help = "degrees, clockwise; -90 is 270"},
                                  {.name = NULL}};

static ImgTurn turn_of(const void *params_of_call)
{
    return (ImgTurn)((const RotateParams *)params_of_call)->turn;
}

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    (void)err;
    return img_turn_shape(src, turn_of(params_of_call), dst);
}

static ImgEffect effect(ImgShape src, const void *params_of_call)
{
    (void)src;
    return (ImgEffect){.turn = turn_of(params_of_call)};
}

const ImgOp img_op_rotate = {
    .name = "rotate",
    .synopsis = "Turn by 90, 180 or 270 degrees, clockwise",
    .help = "Pixels are moved, never interpolated, so four quarter turns give the same picture.\n"
            "The orientation that a camera noted in the file is left as it is: use autorotate\n"
            "for pictures that lie on their side.",
    .example = "--angle 270",
    .params = params,
    .params_size = sizeof(RotateParams),
    .shape = shape,
    .traffic = img_turn_traffic,
    .cpu_ns_per_byte = 0.035,
    .effect = effect,
    .impls = img_turn_impls,
};
