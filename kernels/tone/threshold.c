/* threshold: makes a picture black and white. If the user gives the level, it is a point operation.
 * Otherwise it finds the level with Otsu's method, as an operation of the tone family. */
#include "kernels/core/color/luma.h"
#include "kernels/point/point_impls.h"
#include "kernels/point/points.h"
#include "kernels/tone/tone.h"

static const ImgChoice values[] = {{"otsu", IMG_THRESHOLD_OTSU}, {NULL, 0}};

static const ImgParam params[] = {
    {.name = "value",
     .type = IMG_PARAM_INT,
     .offset = offsetof(ImgThresholdParams, value),
     .default_value = "otsu",
     .min = 0,
     .max = 65535,
     .choices = values,
     .help = "samples above this value become white, all others black; otsu: Otsu's method finds "
             "the value"},
    {.name = "luma",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgThresholdParams, luma),
     .default_value = "709",
     .choices = img_luma_choices,
     .help = "weights of luma (brightness): ITU-R BT.709, or BT.601 as in Pillow and OpenCV"},
    {.name = NULL}};

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const ImgThresholdParams *own = params_of_call;
    ImgStatus status = img_tone_shape("threshold", src, dst, err);
    if (status != IMG_OK)
        return status;
    int32_t maximum = (int32_t)img_format_maximum(src.format);
    if (own->value > maximum)
        return img_fail(
            err, IMG_E_UNSUPPORTED,
            "threshold: value %d is out of range for this picture, which has %d bit%s; use 0 to %d",
            own->value, src.format.bits, src.format.bits == 1 ? "" : "s", maximum);
    dst->format.color = img_format_has_alpha(src.format) ? IMG_COLOR_GRAY_ALPHA : IMG_COLOR_GRAY;
    return IMG_OK;
}

/* Returns the number of bytes that a call reads and writes. If the level must be found, the picture
 * is read twice. */
static uint64_t traffic(ImgShape src, const void *params_of_call)
{
    const ImgThresholdParams *own = params_of_call;
    uint64_t pixels = (uint64_t)src.width * (uint64_t)src.height;
    size_t size = img_format_pixel_size(src.format);
    size_t result =
        size / (size_t)img_format_channels(src.format) * (img_format_has_alpha(src.format) ? 2 : 1);
    return pixels * ((own->value == IMG_THRESHOLD_OTSU ? 2 : 1) * size + result);
}

static ImgEffect effect(ImgShape src, const void *params_of_call)
{
    ImgEffect effect = img_tone_effect(src, params_of_call);
    effect.to_gray = src.format.color == IMG_COLOR_RGB || src.format.color == IMG_COLOR_RGBA;
    return effect;
}

/* --- Given level ------------------------------------------------------------------------------ */

static bool is_given(const void *params_of_call)
{
    return ((const ImgThresholdParams *)params_of_call)->value != IMG_THRESHOLD_OTSU;
}

/* Adds a stage that converts colours to luma. It uses the weights of img_luma, so that luma is
 * rounded in the same way. */
static ImgStatus add_luma(ImgPoints *points, ImgLuma luma, ImgError *err)
{
    enum { UNIT = IMG_POINT_ONE >> IMG_LUMA_SHIFT };
    const ImgLumaWeights weights = img_luma_weights(luma);
    const ImgPointRow rows[] = {
        {{weights.red * UNIT, weights.green * UNIT, weights.blue * UNIT}, 0},
        {{0, 0, 0, IMG_POINT_ONE}, 0}};
    if (img_point_colors(points->format) == 1)
        return IMG_OK;
    return img_points_matrix(
        points, img_format_has_alpha(points->format) ? IMG_COLOR_GRAY_ALPHA : IMG_COLOR_GRAY, rows,
        err);
}

static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    const ImgThresholdParams *own = params_of_call;
    const uint32_t maximum = img_format_maximum(points->format);
    ImgStatus status = add_luma(points, (ImgLuma)own->luma, err);
    uint16_t *table = status == IMG_OK
                          ? img_points_table(points, IMG_POINT_COLORS, points->format.bits, err)
                          : NULL;
    for (uint32_t v = 0; table != NULL && v <= maximum; v++)
        table[v] = (uint16_t)(v > (uint32_t)own->value ? maximum : 0);
    return status == IMG_OK ? img_points_filled(points, table) : status;
}

/* --- Implementations -------------------------------------------------------------------------- */

static bool applies_to_given(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    (void)op, (void)src;
    return is_given(params_of_call);
}

static ImgStatus run_reference(const ImgCall *call, ImgError *err)
{
    return (call->constants.bytes != NULL ? img_point_reference : img_tone_reference)(call, err);
}

static ImgStatus run_cpu(const ImgCall *call, ImgError *err)
{
    return (is_given(call->params) ? img_point_cpu : img_tone_cpu)(call, err);
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = run_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, one loop for each pixel format",
     .run = run_cpu,
     .two_passes = &img_tone_two_passes},
    {.name = "cpu-avx2",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX2,
     .note = "for a given value: one channel at a time, in vectors of 32 bytes",
     .run = IMG_X86_RUN(img_point_cpu_avx2),
     .applies = applies_to_given},
    {.name = "cpu-avx512",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX512,
     .note = "as cpu-avx2, in vectors of 64 bytes",
     .run = IMG_X86_RUN(img_point_cpu_avx512),
     .applies = applies_to_given},
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread, tables read through the caches",
     .run = IMG_CUDA_RUN(img_threshold_cuda_naive),
     .workspace = IMG_CUDA_RUN(img_threshold_cuda_workspace)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "16 or 48 bytes per thread; for a given value 16 or 8 pixels",
     .run = IMG_CUDA_RUN(img_threshold_cuda_fast),
     .workspace = IMG_CUDA_RUN(img_threshold_cuda_workspace)},
    {.name = NULL},
};

/* Implements ImgOp.cost.scratch: returns the bytes that all threads need to find the level. A given
 * level needs no memory, because it makes threshold a point operation. */
static uint64_t scratch(ImgShape src, const void *params_of_call, int threads)
{
    return is_given(params_of_call)
               ? 0
               : img_tone_scratch(&img_op_threshold, src, params_of_call, threads);
}

const ImgOp img_op_threshold = {
    .name = "threshold",
    .group = IMG_GROUP_TONE,
    .synopsis = "Convert to black and white at a threshold",
    .help = "Samples above --value become white, all others black. The value is on the picture's "
            "own scale: up to 255 at 8 bits and 65535 at 16. In colour pictures luma is compared, "
            "and the result is gray of the same depth. Alpha is kept.\n\n"
            "Otsu's method picks the value that best separates dark from bright: it maximises the "
            "variance between the two classes. If several values are equally good, it takes the "
            "smallest. If all samples are equal, it takes 0. It ignores fully transparent pixels.",
    .example = "--value 128",
    .params = params,
    .params_size = sizeof(ImgThresholdParams),
    .shape = shape,
    .points = {.stages = points, .applies = is_given},
    .cost = {.cpu_ns_per_byte = 0.35, .traffic = traffic, .scratch = scratch},
    .effect = {.get = effect},
    .constants = {.prepare = img_point_prepare},
    .impls = impls,
};
