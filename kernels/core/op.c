#include "kernels/core/op.h"

#include <stdlib.h>
#include <string.h>

size_t img_device_pitch(ImgShape shape)
{
    enum { LINE = 128, PAGE = 4096, FAR = 32 * PAGE, STEP_ASIDE = 1024 };
    size_t pixel = img_format_pixel_size(shape.format);
    size_t row = (size_t)shape.width * pixel;
    size_t unit = row < LINE ? (size_t)IMG_DEVICE_ALIGNMENT : (size_t)LINE;
    size_t pitch = (row + unit - 1) / unit * unit;
    /* If the pitch is a multiple of a large power of two, some tiles use memory banks unevenly:
     * tiles with few pixels, or with a width that is not a power of two. So such a pitch is
     * increased. This speeds up transposes of 16384 x 16384 pixels. The gain is 0.5 % at 3 bytes
     * per pixel (H100) and 3 % at 8 bytes (H200). At 8 bytes there is no gain up to a pitch of 96
     * KB, so only multiples of FAR are increased. */
    bool apart = (pixel == 3 && pitch % PAGE == 0) || (pixel == 8 && pitch % FAR == 0);
    return apart ? pitch + STEP_ASIDE : pitch;
}

static uint64_t pixel_bytes(ImgShape shape)
{
    return (uint64_t)shape.width * (uint64_t)shape.height * img_format_pixel_size(shape.format);
}

/* Returns the shape of the operation's result for a source of shape `src`. op->shape must accept
 * `src`. */
static ImgShape result_of(const ImgOp *op, ImgShape src, const void *params)
{
    ImgShape dst = src;
    (void)op->shape(src, params, &dst, NULL);
    return dst;
}

ImgStatus img_pixels_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err)
{
    (void)params;
    if (src.format.color == IMG_COLOR_COUNTS)
        return img_fail(err, IMG_E_UNSUPPORTED, "a table of counts is not a picture");
    *dst = src;
    return IMG_OK;
}

ImgStatus img_channels_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err)
{
    if (src.format.color == IMG_COLOR_PALETTE)
        return img_fail(
            err, IMG_E_UNSUPPORTED,
            "samples of a palette are indices, not brightness; expand the palette first");
    return img_pixels_shape(src, params, dst, err);
}

ImgStatus img_values_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err)
{
    ImgStatus status = img_channels_shape(src, params, dst, err);
    if (status == IMG_OK && dst->format.bits < 8)
        dst->format.bits = 8;
    return status;
}

uint64_t img_op_traffic(const ImgOp *op, ImgShape src, const void *params)
{
    if (op->cost.traffic != NULL)
        return op->cost.traffic(src, params);
    return pixel_bytes(src) + pixel_bytes(result_of(op, src, params));
}

uint64_t img_op_scratch(const ImgOp *op, ImgShape src, const void *params, int threads)
{
    return op->cost.scratch != NULL ? op->cost.scratch(src, params, threads) : 0;
}

uint64_t img_op_constants_bytes(const ImgOp *op, ImgShape src, const void *params)
{
    return op->constants.bytes != NULL ? op->constants.bytes(src, params) : 0;
}

int img_op_threads_within(const ImgOp *op, ImgShape src, const void *params, int threads,
                          uint64_t bytes)
{
    while (threads > 1 && img_op_scratch(op, src, params, threads) > bytes)
        threads--;
    return threads;
}

int img_op_band_threads(ImgShape src, int64_t rows, int threads)
{
    if (pixel_bytes(src) < IMG_BYTES_WORTH_THREADS)
        return 1;
    return rows < threads ? (int)rows : threads;
}

static bool is_gray(ImgFormat format)
{
    return format.color == IMG_COLOR_GRAY || format.color == IMG_COLOR_GRAY_ALPHA;
}

/* Nanoseconds per byte of a kernel that is limited by memory bandwidth. The value was measured for
 * the slowest such kernel, in its slowest format. */
static const double CUDA_NS_PER_BYTE_MOVED = 1e-3;

static double seconds(const ImgOp *op, ImgShape src, const void *params, double ns_per_byte)
{
    const double factor = op->cost.factor != NULL ? op->cost.factor(src, params) : 1;
    return (double)img_op_traffic(op, src, params) * ns_per_byte * factor * 1e-9;
}

double img_op_cpu_seconds(const ImgOp *op, ImgShape src, const void *params)
{
    return seconds(op, src, params, op->cost.cpu_ns_per_byte);
}

double img_op_cuda_seconds(const ImgOp *op, ImgShape src, const void *params)
{
    return seconds(op, src, params,
                   op->cost.cuda_ns_per_byte > 0 ? op->cost.cuda_ns_per_byte
                                                 : CUDA_NS_PER_BYTE_MOVED);
}

ImgEffect img_op_effect(const ImgOp *op, ImgShape src, const void *params)
{
    const ImgFormat result = result_of(op, src, params).format;
    ImgEffect effect = {.turn = IMG_TURN_NONE,
                        .values_changed = true,
                        .to_gray = !is_gray(src.format) && is_gray(result)};
    if (op->effect.get != NULL)
        effect = op->effect.get(src, params);
    effect.to_color = is_gray(src.format) && !is_gray(result);
    effect.depth_changed = src.format.bits != result.bits;
    effect.looks_changed = effect.values_changed &&
                           (op->effect.looks_alike == NULL || !op->effect.looks_alike(src, params));
    return effect;
}

ImgStatus img_op_check_params(const ImgOp *op, const void *params, ImgError *err)
{
    const ImgShape any = {64, 64, {IMG_COLOR_RGB, 8}};
    ImgShape dst;
    ImgError failure = {IMG_OK, ""};
    if (op->shape == NULL || op->shape(any, params, &dst, &failure) != IMG_E_USAGE)
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE, "%s", failure.message);
}

bool img_keeps_palette(const void *params)
{
    (void)params;
    return true;
}

bool img_op_needs_channels(const ImgOp *op, const void *params)
{
    return op->palette.keeps == NULL || !op->palette.keeps(params);
}

bool img_part_of_rows(ImgRows needed, ImgRows wanted, ImgPart *part)
{
    const int32_t first = needed.first - needed.first % IMG_ROWS_STEP;
    part->src.y = first;
    part->src.height = needed.end - first;
    part->skip = wanted.first - first;
    return true;
}

/* Returns a part that computes the whole result. */
static ImgPart whole_part(const ImgOp *op, ImgShape src, const void *params)
{
    ImgPart part = {.src = {0, 0, src.width, src.height}};
    memcpy(part.params.bytes, params, op->params_size);
    return part;
}

bool img_op_tile(const ImgOp *op, ImgShape src, const void *params, ImgRect wanted, ImgPart *part)
{
    *part = whole_part(op, src, params);
    return op->bands.tile != NULL && op->bands.tile(src, params, wanted, part);
}

bool img_op_part(const ImgOp *op, ImgShape src, const void *params, ImgRows wanted, ImgPart *part)
{
    *part = whole_part(op, src, params);
    part->skip = wanted.first;
    if (op->bands.part != NULL)
        return op->bands.part(src, params, wanted, part);
    return img_op_is_points(op, params) && img_part_of_rows(wanted, wanted, part);
}

ImgStatus img_op_part_constants(const ImgOp *op, ImgShape src, const ImgPart *part,
                                const ImgConstants *whole, ImgConstants *constants, ImgError *err)
{
    *constants = (ImgConstants){NULL, 0};
    return op->bands.part_constants != NULL
               ? op->bands.part_constants(src, part, whole, constants, err)
               : IMG_OK;
}

bool img_op_is_points(const ImgOp *op, const void *params)
{
    return op->points.stages != NULL && (op->points.applies == NULL || op->points.applies(params));
}

ImgStatus img_op_prepare(const ImgOp *op, ImgShape src, const void *params, ImgConstants *constants,
                         ImgError *err)
{
    *constants = (ImgConstants){NULL, 0};
    return op->constants.prepare != NULL ? op->constants.prepare(op, src, params, constants, err)
                                         : IMG_OK;
}

void img_constants_free(ImgConstants *constants)
{
    free(constants->bytes);
    *constants = (ImgConstants){NULL, 0};
}

ImgStatus img_constants_copy(const void *bytes, size_t size, ImgConstants *constants, ImgError *err)
{
    void *copy = malloc(size);
    if (copy == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for constants");
    memcpy(copy, bytes, size);
    *constants = (ImgConstants){copy, size};
    return IMG_OK;
}

ImgStatus img_measure_shape(const char *name, ImgShape src, int32_t width, int32_t height,
                            ImgShape *dst, ImgError *err)
{
    if (src.format.color == IMG_COLOR_COUNTS)
        return img_fail(err, IMG_E_UNSUPPORTED, "%s: a table of counts is not a picture", name);
    *dst = (ImgShape){.width = width, .height = height, .format = {IMG_COLOR_COUNTS, 64}};
    return IMG_OK;
}

uint64_t img_measure_traffic(ImgShape src, const void *params)
{
    (void)params;
    return (uint64_t)src.width * (uint64_t)src.height * img_format_pixel_size(src.format);
}

ImgEffect img_measure_effect(ImgShape src, const void *params)
{
    (void)src, (void)params;
    return (ImgEffect){.turn = IMG_TURN_NONE};
}
