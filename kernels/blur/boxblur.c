/* The operation `boxblur`: replaces each sample by the mean of a square around it. */
#include <stdlib.h>

#include "kernels/blur/box.h"
#include "kernels/core/sample.h"

typedef struct Params {
    int32_t radius;
    ImgBorderParams border;
} Params;

static const ImgParam params[] = {
    {.name = "radius",
     .type = IMG_PARAM_INT,
     .offset = offsetof(Params, radius),
     .default_value = "1",
     .min = 1,
     .max = IMG_BOX_RADIUS,
     .help = "radius of the square in pixels; its sides are 2 * radius + 1"},
    IMG_BORDER_PARAMS(Params, border),
    {.name = NULL}};

/* Computes a multiplier and a shift that replace the division by the area. `most` is the largest
 * value of a sample.
 *
 * A sum s is at most about S = `most` * area. Let m = ceil(2^shift / area). Then floor(s * m /
 * 2^shift) equals floor(s / area) if S * (m * area - 2^shift) < 2^shift. The difference m * area -
 * 2^shift is less than the area. Source: T. Granlund, P. L. Montgomery, "Division by invariant
 * integers using multiplication", 1994. */
static void make_divisor(ImgBox *box, uint64_t most)
{
    const uint64_t area = box->area;
    box->shift = 31;
    while ((uint64_t)1 << (box->shift - 31) < area)
        box->shift++;
    box->multiplier = (uint32_t)((((uint64_t)1 << box->shift) + area - 1) / area);
    box->is_narrow = (most + 1) * area * area < (uint64_t)1 << box->shift;
}

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params_of_call,
                         ImgConstants *constants, ImgError *err)
{
    const Params *own = params_of_call;
    ImgBox *box = calloc(1, sizeof *box);
    (void)op;
    if (box == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for constants");
    const uint32_t side = 2 * (uint32_t)own->radius + 1;
    box->radius = own->radius;
    box->border = own->border.border;
    box->lift = img_lift_of(src.format);
    box->area = side * side;
    make_divisor(box, src.format.bits == 16 || img_format_has_alpha(src.format) ? 65535 : 255);
    uint16_t samples[4];
    uint32_t value[4];
    img_border_samples(src.format, &own->border, samples);
    img_box_load(box, (const uint32_t[]){samples[0], samples[1], samples[2], samples[3]}, value);
    for (int i = 0; i < 4; i++)
        box->background[i] = (uint16_t)value[i];
    *constants = (ImgConstants){box, sizeof *box};
    return IMG_OK;
}

/* --- Reference -------------------------------------------------------------------------------- */

/* Returns the sum of channel `c` in column `x`, over the rows from y - radius to y + radius. */
static int64_t column_sum(const ImgCall *call, const ImgBox *box, int32_t x, int32_t y, int32_t c)
{
    const ImgView *src = &call->src;
    const size_t channels = (size_t)box->lift.channels;
    int64_t sum = 0;
    for (int64_t v = (int64_t)y - box->radius; v <= (int64_t)y + box->radius; v++) {
        const int32_t line = img_border_place(v, src->height, box->border);
        uint32_t sample[4] = {0, 0, 0, 0}, value[4];
        for (size_t i = 0; i < channels && line >= 0; i++)
            sample[i] = img_sample(src->data + (size_t)line * src->stride, (size_t)x * channels + i,
                                   src->format.bits);
        img_box_load(box, sample, value);
        sum += line >= 0 ? value[c] : box->background[c];
    }
    return sum;
}

static void mean_at(const ImgCall *call, const ImgBox *box, const int64_t *columns, int32_t x,
                    int32_t y)
{
    const int32_t channels = box->lift.channels, side = 2 * box->radius + 1;
    uint32_t mean[4] = {0, 0, 0, 0}, sample[4];
    for (int32_t c = 0; c < channels; c++) {
        uint64_t sum = 0;
        for (int64_t u = (int64_t)x - box->radius; u <= (int64_t)x + box->radius; u++) {
            const int32_t place = img_border_place(u, call->src.width, box->border);
            sum += place >= 0 ? (uint64_t)columns[(ptrdiff_t)place * channels + c]
                              : (uint64_t)side * box->background[c];
        }
        mean[c] = (uint32_t)((sum + box->area / 2) / box->area);
    }
    img_box_store(box, mean, sample);
    for (int32_t c = 0; c < channels; c++)
        img_sample_set(call->dst.data + (size_t)y * call->dst.stride,
                       (size_t)x * (size_t)channels + (size_t)c, call->dst.format.bits, sample[c]);
}

ImgStatus img_box_reference(const ImgCall *call, ImgError *err)
{
    const ImgBox *box = call->constants.bytes;
    const int32_t width = call->src.width, channels = box->lift.channels;
    int64_t *columns = calloc((size_t)width * (size_t)channels, sizeof *columns);
    if (columns == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for a row of %d pixels", width);
    for (int32_t y = 0; y < call->src.height; y++) {
        for (int64_t i = 0; i < (int64_t)width * channels; i++)
            columns[i] = column_sum(call, box, (int32_t)(i / channels), y, (int32_t)(i % channels));
        for (int32_t x = 0; x < width; x++)
            mean_at(call, box, columns, x, y);
    }
    free(columns);
    return IMG_OK;
}

/* --- Descriptor ------------------------------------------------------------------------------- */

static bool is_plain(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    (void)op, (void)params_of_call;
    return !img_format_has_alpha(src.format) && src.format.bits >= 8;
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, sums of columns and then of rows, each one from scratch",
     .run = img_box_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, running sums along columns and rows",
     .run = img_box_cpu},
    IMG_X86_IMPLS(img_box_cpu),
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "running sums down columns, then along rows, through global memory",
     .run = IMG_CUDA_RUN(img_box_cuda_naive),
     .workspace = IMG_CUDA_RUN(img_box_cuda_workspace)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "without alpha: sums of columns in registers, prefix sums along rows",
     .run = IMG_CUDA_RUN(img_box_cuda_fast),
     .workspace = IMG_CUDA_RUN(img_box_fast_workspace),
     .applies = is_plain},
    {.name = NULL},
};

static uint64_t scratch(ImgShape src, const void *params_of_call, int threads)
{
    const Params *own = params_of_call;
    return img_box_scratch(own->radius, src, threads);
}

static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    const Params *own = params_of_call;
    return img_window_part(src, &own->border, wanted, own->radius, own->radius, part);
}

const ImgOp img_op_boxblur = {
    .name = "boxblur",
    .group = IMG_GROUP_FILTERS,
    .synopsis = "Blur with a box filter (mean of a square)",
    .help = "Each pixel becomes the mean of the square around it, rounded to the nearest "
            "value. The time does not depend on the radius. Colours are weighted by alpha, so "
            "that transparent areas cause no fringes.",
    .example = "--radius 5",
    .params = params,
    .params_size = sizeof(Params),
    .shape = img_values_shape,
    .cost = {.cpu_ns_per_byte = 0.35, .cuda_ns_per_byte = 0.0012, .scratch = scratch},
    .constants = {.prepare = prepare},
    .bands = {.part = part},
    .impls = impls,
};
