/* The operation `sharpen`: unsharp masking with a Gaussian blur. */
#include "kernels/blur/gaussian.h"

typedef struct Params {
    /* `sigma` of the blur, in thousandths of a pixel; `amount`: factor by which the difference from
     * the blurred picture is multiplied, in thousandths; `threshold`: smallest such difference that
     * changes a sample, in thousandths of 1/255 of the range of samples */
    int32_t sigma, amount, threshold;
    ImgBorderParams border;
} Params;

static const ImgParam params[] = {{.name = "sigma",
                                   .type = IMG_PARAM_DECIMAL,
                                   .offset = offsetof(Params, sigma),
                                   .default_value = "1",
                                   .min = 100,
                                   .max = 200000,
                                   .help = "standard deviation of the Gaussian, in pixels"},
                                  {.name = "amount",
                                   .type = IMG_PARAM_DECIMAL,
                                   .offset = offsetof(Params, amount),
                                   .default_value = "1",
                                   .min = 0,
                                   .max = 1000 * IMG_AMOUNT_MAX,
                                   .help = "factor of the difference; 0: no change"},
                                  {.name = "threshold",
                                   .type = IMG_PARAM_DECIMAL,
                                   .offset = offsetof(Params, threshold),
                                   .default_value = "0",
                                   .min = 0,
                                   .max = 255000,
                                   .help = "smallest difference to sharpen, on a scale of 0 to "
                                           "255, also for 16 bits"},
                                  IMG_BORDER_PARAMS(Params, border),
                                  {.name = NULL}};

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params_of_call,
                         ImgConstants *constants, ImgError *err)
{
    const Params *own = params_of_call;
    const ImgBlurStep step = {own->sigma, true, own->amount, own->threshold};
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

const ImgOp img_op_sharpen = {
    .name = "sharpen",
    .group = IMG_GROUP_FILTERS,
    .synopsis = "Sharpen with an unsharp mask",
    .help = "Adds --amount times the difference between a pixel and its Gaussian blur. Where "
            "the difference is below --threshold, the pixel stays unchanged, so that noise is "
            "not sharpened. Colours are weighted by alpha, and alpha is sharpened, too.",
    .example = "--sigma 1 --amount 0.8",
    .params = params,
    .params_size = sizeof(Params),
    .shape = img_values_shape,
    .cost = {.cpu_ns_per_byte = 0.6, .cuda_ns_per_byte = 0.001, .scratch = scratch},
    .constants = {.prepare = prepare},
    .bands = {.part = part},
    .impls = img_gaussian_impls,
};
