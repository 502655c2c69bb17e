/* autorotate: turns the picture upright, by the orientation that the camera stored in the file's
 * EXIF data. */
#include "kernels/turn/turn.h"

typedef struct AutorotateParams {
    /* EXIF orientation, 1 to 8; 0 means the orientation that the file contains */
    int32_t orientation;
} AutorotateParams;

static const ImgChoice orientations[] = {{"auto", 0}, {"1", 1}, {"2", 2}, {"3", 3}, {"4", 4},
                                         {"5", 5},    {"6", 6}, {"7", 7}, {"8", 8}, {NULL, 0}};

static const ImgParam params[] = {
    {.name = "orientation",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(AutorotateParams, orientation),
     .default_value = "auto",
     .choices = orientations,
     .help = "EXIF orientation to apply. auto: the one in the file; 1: upright; 3, 6, 8: turn by "
             "180, 90, 270 degrees clockwise; 2: mirror left to right; 4: mirror top to bottom; 5: "
             "transpose; 7: transverse"},
    {.name = NULL}};

static void bind(void *params_of_call, const ImgFacts *facts)
{
    AutorotateParams *own = params_of_call;
    if (own->orientation == 0)
        own->orientation = facts->orientation;
}

static ImgTurn turn_of(const void *params_of_call)
{
    return img_turn_from_orientation(((const AutorotateParams *)params_of_call)->orientation);
}

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    (void)err;
    return img_turn_shape(src, turn_of(params_of_call), dst);
}

static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    return img_turn_part(src, turn_of(params_of_call), wanted, part);
}

static bool does_nothing(ImgShape src, const void *params_of_call)
{
    (void)src;
    return turn_of(params_of_call) == IMG_TURN_NONE;
}

static ImgEffect effect(ImgShape src, const void *params_of_call)
{
    (void)src;
    return (ImgEffect){.turn = turn_of(params_of_call), .upright = true};
}

const ImgOp img_op_autorotate = {
    .name = "autorotate",
    .group = IMG_GROUP_GEOMETRY,
    .synopsis = "Rotate a photo upright by its EXIF orientation",
    .help = "Reads the orientation from EXIF, XMP and the text chunks of older programs. Sets each "
            "of them to 1 (upright), so that no program rotates the picture again. A file without "
            "an orientation keeps its pixels. 'batch --in-place' skips pictures that are already "
            "upright.",
    .example = "",
    .params = params,
    .params_size = sizeof(AutorotateParams),
    .shape = shape,
    .facts = {.bind = bind},
    .palette = {.keeps = img_keeps_palette},
    .cost = {.cpu_ns_per_byte = 0.035, .traffic = img_turn_traffic},
    .effect = {.get = effect, .does_nothing = does_nothing},
    .bands = {.part = part},
    .impls = img_turn_impls,
};
