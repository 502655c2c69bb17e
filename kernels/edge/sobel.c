/* sobel: computes the gradient of each channel, which shows edges. */
#include "kernels/edge/sobel.h"

#define STENCIL           img_sobel
#define STENCIL_CONSTANTS ImgSobel
#define STENCIL_VALUE     img_sobel_value
#include "kernels/window/stencil_source.h"

typedef enum Direction { BOTH, ACROSS, DOWN } Direction;

typedef struct Params {
    int32_t direction; /* Direction value: which components of the gradient are computed */
    int32_t scale;     /* factor of the result, in thousandths */
    ImgBorderParams border;
} Params;

static const ImgChoice directions[] = {{"both", BOTH}, {"x", ACROSS}, {"y", DOWN}, {NULL, 0}};

static const ImgParam params[] = {
    {.name = "direction",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(Params, direction),
     .default_value = "both",
     .choices = directions,
     .help = "both: magnitude of the gradient; x: absolute value of its horizontal part; y: of its "
             "vertical part"},
    {.name = "scale",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, scale),
     .default_value = "1",
     .min = 1,
     .max = 100000,
     .help =
         "factor of the result, which is clamped. At 0.25, only a sharp step from black to white "
         "gives white. At 1, a quarter of that step is enough"},
    IMG_BORDER_PARAMS(Params, border),
    {.name = NULL}};

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params_of_call,
                         ImgConstants *constants, ImgError *err)
{
    const Params *own = params_of_call;
    const ImgSobel sobel = {img_stencil_of(src.format, &own->border),
                            own->direction != DOWN ? 1.0F : 0.0F,
                            own->direction != ACROSS ? 1.0F : 0.0F, (float)own->scale / 1000.0F};
    (void)op;
    return img_constants_copy(&sobel, sizeof sobel, constants, err);
}

static const ImgImpl impls[] = {IMG_STENCIL_IMPLS(img_sobel)};

static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    const Params *own = params_of_call;
    return img_window_part(src, &own->border, wanted, 1, 1, part);
}

const ImgOp img_op_sobel = {
    .name = "sobel",
    .group = IMG_GROUP_EDGES,
    .synopsis = "Find edges (Sobel gradient)",
    .help = "Each sample becomes the magnitude of the gradient by Sobel's 3 x 3 operator, or "
            "the absolute value of its horizontal (x) or vertical (y) part. Values above white "
            "become white. "
            "Each channel is filtered separately: for edges of brightness, use the operation "
            "grayscale first. Colours are weighted by alpha, and alpha is kept.",
    .example = "--scale 0.5",
    .params = params,
    .params_size = sizeof(Params),
    .shape = img_values_shape,
    .cost = {.cpu_ns_per_byte = 0.4, .scratch = img_stencil_scratch},
    .constants = {.prepare = prepare},
    .bands = {.part = part},
    .impls = impls,
};
