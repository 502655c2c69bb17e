/* laplacian: computes the magnitude of the second derivative of each channel, which shows edges and
 * fine detail. */
#include "kernels/edge/laplacian.h"

#define STENCIL           img_laplacian
#define STENCIL_CONSTANTS ImgLaplacian
#define STENCIL_VALUE     img_laplacian_value
#include "kernels/window/stencil_source.h"

typedef struct Params {
    int32_t neighbours; /* number of neighbours with which a sample is compared, 4 or 8 */
    int32_t scale;      /* factor of the result, in thousandths */
    ImgBorderParams border;
} Params;

static const ImgChoice neighbours[] = {{"4", 4}, {"8", 8}, {NULL, 0}};

static const ImgParam params[] = {
    {.name = "neighbours",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(Params, neighbours),
     .default_value = "4",
     .choices = neighbours,
     .help = "4: left, right, above and below; 8: also the diagonal ones"},
    {.name = "scale",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, scale),
     .default_value = "1",
     .min = 1,
     .max = 100000,
     .help = "factor of the result"},
    IMG_BORDER_PARAMS(Params, border),
    {.name = NULL}};

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params_of_call,
                         ImgConstants *constants, ImgError *err)
{
    const Params *own = params_of_call;
    const ImgLaplacian laplacian = {img_stencil_of(src.format, &own->border), own->neighbours == 8,
                                    (float)own->scale / 1000.0F};
    (void)op;
    return img_constants_copy(&laplacian, sizeof laplacian, constants, err);
}

static const ImgImpl impls[] = {IMG_STENCIL_IMPLS(img_laplacian)};

static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    const Params *own = params_of_call;
    return img_window_part(src, &own->border, wanted, 1, 1, part);
}

const ImgOp img_op_laplacian = {
    .name = "laplacian",
    .group = IMG_GROUP_EDGES,
    .synopsis = "Find edges and points (Laplacian)",
    .help = "Each sample becomes the absolute difference between 4 or 8 times its value and the "
            "sum of its 4 or 8 neighbours. Values above white become white. Colours are "
            "weighted by alpha, and alpha is kept.",
    .example = "--neighbours 8",
    .params = params,
    .params_size = sizeof(Params),
    .shape = img_values_shape,
    .cost = {.cpu_ns_per_byte = 0.4, .scratch = img_stencil_scratch},
    .constants = {.prepare = prepare},
    .bands = {.part = part},
    .impls = impls,
};
