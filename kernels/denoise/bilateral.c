/* bilateral: averages neighbouring pixels of similar colour, so that noise is reduced and edges
 * stay sharp. */
#include "kernels/denoise/bilateral.h"

#include <stdlib.h>

typedef struct Params {
    int32_t radius;
    /* Standard deviation of colour distances, in thousandths of 1/255 of the range of samples. */
    int32_t sigma_range;
    /* standard deviation of distances between positions, in thousandths of a pixel */
    int32_t sigma_space;
    ImgBorderParams border;
} Params;

static const ImgParam params[] = {
    {.name = "radius",
     .type = IMG_PARAM_INT,
     .offset = offsetof(Params, radius),
     .default_value = "4",
     .min = 1,
     .max = IMG_BILATERAL_RADIUS,
     .help = "radius of the neighbourhood in pixels"},
    {.name = "sigma-range",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, sigma_range),
     .default_value = "25",
     .min = 250,
     .max = 10000000,
     .help = "standard deviation of the Gaussian of the colour difference, on a scale of 0 to "
             "255, also for 16 bits"},
    {.name = "sigma-space",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, sigma_space),
     .default_value = "2",
     .min = 100,
     .max = 1000000,
     .help = "standard deviation of the Gaussian of the distance, in pixels"},
    IMG_BORDER_PARAMS(Params, border),
    {.name = NULL}};

/* --- Constants -------------------------------------------------------------------------------- */

/* The constant R, in millionths, for computing the exponent of a weight (decay.h) from a distance
 * of colours. The exponent is (distance * R / sigma)^2 / 2^16, for distance and sigma in units of
 * 1/255 of the range. R is the square root of 2^16 * 2^IMG_DECAY_PLACES * log2(e) / 2. */
static const uint64_t ROOT_MILLIONTHS = 6957644188;

/* From this value of distance * R / sigma on (see ROOT_MILLIONTHS), the weight is 0. The exponent,
 * which is its square / 2^16, exceeds IMG_DECAY_NOTHING by a margin for rounding errors. */
enum { ROOT_OF_NOTHING = 31744 };

static void set_range(int32_t sigma, ImgBilateral *own)
{
    /* R / sigma (see ROOT_MILLIONTHS), in units of 2^-16 */
    uint64_t root = ROOT_MILLIONTHS * 65536 / ((uint64_t)sigma * 1000);
    /* 16-bit samples are compared without their last two bits, so their distances are 257 / 4 times
     * as large as the distances of 8-bit samples */
    if (own->weighed.bits == 16)
        root = root * 4 / 257;
    own->shift = 0;
    while (root >> (16 + own->shift + 1) != 0)
        own->shift++;
    const uint64_t factor = (root + ((uint64_t)1 << own->shift)) >> (own->shift + 1);
    own->factor = factor < 65535 ? (uint32_t)factor : 65535;
    const uint64_t farthest = ((uint64_t)ROOT_OF_NOTHING << 16) / root + 1;
    own->farthest = farthest < 65535 ? (uint32_t)farthest : 65535;
}

/* Returns the exponent of the spatial part of the weight, for the neighbour at (x, y):
 * 2^IMG_DECAY_PLACES * log2(e) / 2 * (x^2 + y^2) / sigma^2. `sigma` is in thousandths of a
 * pixel. */
static uint64_t exponent_of_place(int32_t x, int32_t y, int32_t sigma)
{
    const int32_t square = x * x + y * y;
    const uint64_t of_one = 738659861; /* 2^IMG_DECAY_PLACES * log2(e) / 2, in millionths */
    const uint64_t variance = (uint64_t)sigma * (uint64_t)sigma;
    return ((uint64_t)square * of_one + variance / 2) / variance;
}

static void add_tap(ImgBilateral *own, int32_t x, int32_t y, uint64_t exponent)
{
    own->taps[own->count++] = (ImgBilateralTap){(int16_t)x, (int16_t)y, (uint16_t)exponent, 0};
}

static void set_taps(int32_t sigma, ImgBilateral *own)
{
    own->count = 0;
    for (int32_t y = -own->radius; y <= own->radius; y++)
        for (int32_t x = -own->radius; x <= own->radius; x++) {
            const uint64_t exponent = exponent_of_place(x, y, sigma);
            if (x * x + y * y <= own->radius * own->radius && exponent < IMG_DECAY_NOTHING)
                add_tap(own, x, y, exponent);
        }
    if (own->count % 2 != 0)
        add_tap(own, 0, 0, IMG_DECAY_NOTHING);
}

/* Returns the smallest radius in pixels, at least 1, of a circle that contains all neighbours with
 * a weight above 0. This radius is smaller than the user's if the spatial Gaussian is narrow.
 * Examines all neighbours: the farthest of them need not lie on an axis. */
static int32_t reach_of(const ImgBilateral *own)
{
    int32_t reach = 1;
    for (int32_t i = 0; i < own->count; i++) {
        const ImgBilateralTap *tap = &own->taps[i];
        while (reach * reach < tap->x * tap->x + tap->y * tap->y)
            reach++;
    }
    return reach;
}

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params_of_call,
                         ImgConstants *constants, ImgError *err)
{
    const Params *given = params_of_call;
    ImgBilateral *own = calloc(1, sizeof *own);
    (void)op;
    if (own == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the weights of a bilateral filter");
    own->weighed = img_weighed_of(src.format, &given->border);
    own->radius = given->radius;
    set_range(given->sigma_range, own);
    set_taps(given->sigma_space, own);
    own->radius = reach_of(own);
    *constants = (ImgConstants){own, sizeof *own};
    return IMG_OK;
}

/* --- Descriptor ------------------------------------------------------------------------------- */

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = img_bilateral_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, row by row, weights computed instead of looked up",
     .run = img_bilateral_cpu},
    {.name = "cpu-avx2",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX2,
     .note = "as cpu, 16 pixels at a time",
     .run = IMG_X86_RUN(img_bilateral_cpu_avx2)},
    {.name = "cpu-avx512",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX512,
     .note = "as cpu, 32 pixels at a time",
     .run = IMG_X86_RUN(img_bilateral_cpu_avx512)},
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread, neighbours read from global memory",
     .run = IMG_CUDA_RUN(img_bilateral_cuda_naive)},
    {.name = "cuda-tiled",
     .backend = IMG_BACKEND_CUDA,
     .note = "tiles with halo in shared memory, one pixel per word, 4 pixels per thread",
     .run = IMG_CUDA_RUN(img_bilateral_cuda_tiled)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "unrolled taps, weights from shared memory, 8 pixels per thread",
     .run = IMG_CUDA_RUN(img_bilateral_cuda_fast)},
    {.name = NULL},
};

static uint64_t scratch(ImgShape src, const void *params_of_call, int threads)
{
    return img_bilateral_scratch(((const Params *)params_of_call)->radius, src, threads);
}

/* Implements ImgOp.cost.factor: the number of neighbours, relative to the disc of radius 4 for
 * which the costs were measured. */
static double cost_factor(ImgShape src, const void *params_of_call)
{
    const double radius = ((const Params *)params_of_call)->radius, measured = 4;
    (void)src;
    return radius * radius / (measured * measured);
}

static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    const Params *own = params_of_call;
    return img_window_part(src, &own->border, wanted, own->radius, own->radius, part);
}

const ImgOp img_op_bilateral = {
    .name = "bilateral",
    .group = IMG_GROUP_FILTERS,
    .synopsis = "Smooth and keep edges (bilateral filter)",
    .help = "Each pixel becomes the average of its neighbourhood, weighted by two Gaussians: one "
            "of the distance and one of the colour difference. The colour difference is the sum of "
            "the absolute differences of the channels, as in OpenCV. With --sigma-range far above "
            "all differences, the result is a blur. Colours are weighted by alpha, and alpha is "
            "kept.",
    .example = "--sigma-range 30",
    .params = params,
    .params_size = sizeof(Params),
    .shape = img_values_shape,
    .cost = {.cpu_ns_per_byte = 3,
             .cuda_ns_per_byte = 0.004,
             .factor = cost_factor,
             .scratch = scratch},
    .constants = {.prepare = prepare},
    .bands = {.part = part},
    .impls = impls,
};
