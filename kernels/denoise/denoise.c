/* denoise: reduces noise with the algorithm of non-local means. It averages pixels whose
 * surroundings, called patches, are similar. */
#include "kernels/denoise/denoise.h"

#include <stdlib.h>

typedef struct Params {
    int32_t strength; /* strength of the filter, in thousandths of 1/255 of the range of samples */
    int32_t patch_radius, search_radius;
    ImgBorderParams border;
} Params;

static const ImgParam params[] = {
    {.name = "strength",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, strength),
     .default_value = "10",
     .min = 500,
     .max = 1000000,
     .help = "standard deviation of the noise to remove, on a scale of 0 to 255, also for 16 "
             "bits; h in OpenCV"},
    {.name = "patch-radius",
     .type = IMG_PARAM_INT,
     .offset = offsetof(Params, patch_radius),
     .default_value = "3",
     .min = 1,
     .max = IMG_DENOISE_PATCH,
     .help = "radius of the compared patches: 3 is 7 x 7 pixels"},
    {.name = "search-radius",
     .type = IMG_PARAM_INT,
     .offset = offsetof(Params, search_radius),
     .default_value = "10",
     .min = 1,
     .max = IMG_DENOISE_SEARCH,
     .help = "radius of the search window: 10 is 21 x 21 pixels"},
    IMG_BORDER_PARAMS(Params, border),
    {.name = NULL}};

/* The exponent of a weight depends on the sum of squared differences of two patches. With the
 * strength in thousandths it is
 *
 *     sum * 2^IMG_DECAY_PLACES * log2(e) * 10^6 / (strength^2 * samples of a patch)
 *
 * for 8-bit samples. For 16 bits, the numbers that are compared are 257 / 32 times as large, so
 * `sum` is divided by the square of this, 64.50. EXPONENT_MILLIONTHS is the product of the constant
 * factors, 2^IMG_DECAY_PLACES * log2(e) * 10^6, rounded. */
static const uint64_t EXPONENT_MILLIONTHS = 1477319722;

static void set_strength(int32_t strength, ImgDenoise *own)
{
    const uint64_t side = 2 * (uint64_t)own->patch + 1;
    uint64_t divisor = (uint64_t)strength * (uint64_t)strength * side * side;
    divisor *= (uint64_t)own->weighed.colors;
    if (own->weighed.bits == 16)
        divisor = divisor * 6450 / 100;
    /* Weights are 0 for sums of squares of at least (IMG_DECAY_NOTHING + 16) * divisor /
     * EXPONENT_MILLIONTHS. The constant factor is written as 100 / 9607958, so that the product
     * fits 64 bits. 16 is added because exponents are rounded down, and 1 because the division
     * rounds down. */
    const uint64_t farthest = divisor * 100 / 9607958 + 1;
    own->farthest = farthest < UINT32_MAX ? (uint32_t)farthest : UINT32_MAX;
    own->up = own->down = 0;
    while (own->farthest << own->up < 1 << 15)
        own->up++;
    while (own->farthest >> own->down >= 1 << 16)
        own->down++;
    own->factor = (uint32_t)((EXPONENT_MILLIONTHS << (16 + own->down)) / (divisor << own->up));
}

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params_of_call,
                         ImgConstants *constants, ImgError *err)
{
    const Params *given = params_of_call;
    ImgDenoise *own = calloc(1, sizeof *own);
    (void)op;
    if (own == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for constants");
    own->weighed = img_weighed_of(src.format, &given->border);
    own->patch = given->patch_radius;
    own->search = given->search_radius;
    set_strength(given->strength, own);
    *constants = (ImgConstants){own, sizeof *own};
    return IMG_OK;
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, patch by patch",
     .run = img_denoise_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, tile by tile, running sums of differences for each offset",
     .run = img_denoise_cpu},
    {.name = "cpu-avx2",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX2,
     .note = "as cpu, 16 pixels at a time",
     .run = IMG_X86_RUN(img_denoise_cpu_avx2)},
    {.name = "cpu-avx512",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX512,
     .note = "as cpu, 32 pixels at a time",
     .run = IMG_X86_RUN(img_denoise_cpu_avx512)},
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread, patches read from global memory",
     .run = IMG_CUDA_RUN(img_denoise_cuda_naive)},
    {.name = "cuda-tiled",
     .backend = IMG_BACKEND_CUDA,
     .note = "tiles with halo in shared memory, running sums of differences for each offset",
     .run = IMG_CUDA_RUN(img_denoise_cuda_tiled)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "sums of 32 pixels per thread in registers, two offsets at a time",
     .run = IMG_CUDA_RUN(img_denoise_cuda_fast)},
    {.name = NULL},
};

/* Implements ImgOp.cost.factor: the number of offsets in the search, relative to the 21 x 21
 * offsets for which the costs were measured. It also contains the cost of incomplete tiles. */
static double cost_factor(ImgShape src, const void *params_of_call)
{
    const Params *own = params_of_call;
    const double side = 2 * own->search_radius + 1, measured = 21;
    return side * side / (measured * measured) * img_denoise_padding(src, own->patch_radius);
}

static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    const Params *own = params_of_call;
    return img_window_part(src, &own->border, wanted, own->search_radius + own->patch_radius,
                           own->search_radius + own->patch_radius, part);
}

const ImgOp img_op_denoise = {
    .name = "denoise",
    .group = IMG_GROUP_FILTERS,
    .synopsis = "Remove noise (non-local means)",
    .help = "Each pixel becomes a weighted average of the pixels in the search window around it. "
            "Pixels whose surroundings (patches) are similar count most. So details that repeat "
            "are kept, and random noise is averaged away. Alpha is kept.\n\n"
            "The weight is e^-(d / --strength^2), where d is the mean squared difference of two "
            "patches, over all colours. If the picture has alpha, colours are multiplied by alpha "
            "for d, and the squared difference of alpha is added.",
    .example = "--strength 6",
    .params = params,
    .params_size = sizeof(Params),
    .shape = img_values_shape,
    .cost = {.cpu_ns_per_byte = 90,
             .cuda_ns_per_byte = 0.066,
             .factor = cost_factor,
             .scratch = img_denoise_scratch},
    .constants = {.prepare = prepare},
    .bands = {.part = part},
    .impls = impls,
};
