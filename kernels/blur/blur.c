/* The operation `blur`: replaces each pixel by a mean of the pixels around it, with the weights of
 * a Gaussian. */
#include "kernels/blur/gaussian.h"

typedef struct Params {
    int32_t sigma; /* standard deviation, in thousandths of a pixel */
    ImgBorderParams border;
} Params;

static const ImgParam params[] = {{.name = "sigma",
                                   .type = IMG_PARAM_DECIMAL,
                                   .offset = offsetof(Params, sigma),
                                   .default_value = "1",
                                   .min = 100,
                                   .max = 200000,
                                   .help = "standard deviation of the Gaussian, in pixels"},
                                  IMG_BORDER_PARAMS(Params, border),
                                  {.name = NULL}};

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params_of_call,
                         ImgConstants *constants, ImgError *err)
{
    const Params *own = params_of_call;
    const ImgBlurStep step = {.sigma = own->sigma};
    (void)op;
    return img_blur_prepare(&step, &own->border, src.format, constants, err);
}

static uint64_t scratch(ImgShape src, const void *params_of_call, int threads)
{
    const Params *own = params_of_call;
    return img_gaussian_scratch(own->sigma, src, &own->border, threads);
}

static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    const Params *own = params_of_call;
    return img_gaussian_part(own->sigma, src, &own->border, wanted, part);
}

const ImgOp img_op_blur = {
    .name = "blur",
    .group = IMG_GROUP_FILTERS,
    .synopsis = "Blur with a Gaussian",
    .help = "Each pixel becomes the average of its neighbourhood, weighted by a Gaussian. The "
            "time does not depend on sigma. At 8 bits the result differs by less than 1 of "
            "255 levels from the exact value. Colours are weighted by alpha, so that "
            "transparent areas cause no fringes. Samples are used as they are stored, not in "
            "linear light.",
    .example = "--sigma 2",
    .params = params,
    .params_size = sizeof(Params),
    .shape = img_values_shape,
    .cost = {.cpu_ns_per_byte = 0.6, .cuda_ns_per_byte = 0.0013, .scratch = scratch},
    .constants = {.prepare = prepare},
    .bands = {.part = part},
    .impls = img_gaussian_impls,
};
