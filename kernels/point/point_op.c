/* Functions and lists that descriptors of point operations share, the operation "points", which
 * performs several point operations in one pass, and the reference implementation. */
#include "kernels/core/sample.h"
#include "kernels/point/point_arithmetic.h"
#include "kernels/point/point_impls.h"

ImgStatus img_point_prepare(const ImgOp *op, ImgShape src, const void *params,
                            ImgConstants *constants, ImgError *err)
{
    if (!img_op_is_points(op, params))
        return IMG_OK;
    ImgPoints points = img_points_start(src.format);
    ImgStatus status = op->points.stages(params, &points, err);
    if (status == IMG_OK)
        status = img_points_compose(&points, err);
    if (status == IMG_OK)
        status = img_points_pack(&points, constants, err);
    img_points_free(&points);
    return status;
}

const ImgImpl img_point_impls[] = {IMG_POINT_IMPLS_FIRST, IMG_POINT_IMPLS_LAST};

static const ImgParam no_params[] = {{.name = NULL}};

const ImgOp img_op_points = {
    .name = "points",
    .synopsis = "Several point operations in one pass",
    .params = no_params,
    .shape = img_channels_shape,
    .impls = img_point_impls,
};

/* The reference follows the definition of point operations directly: it applies every stage to
 * every pixel. */
static void change_pixel(const ImgPointProgram *program, const uint8_t *from, uint8_t *to,
                         int32_t x, int32_t y)
{
    const uint16_t *tables = img_point_tables(program);
    uint32_t sample[IMG_POINT_CHANNELS] = {0, 0, 0, 0};
    for (int c = 0; c < img_format_channels(program->from); c++)
        sample[c] = img_sample(from, (size_t)c, program->from.bits);
    for (int32_t i = 0; i < program->count; i++)
        img_point_apply(&program->stages[i], tables, x, y, sample);
    for (int c = 0; c < img_format_channels(program->to); c++)
        img_sample_set(to, (size_t)c, program->to.bits, sample[c]);
}

ImgStatus img_point_reference(const ImgCall *call, ImgError *err)
{
    (void)err;
    const ImgView *src = &call->src, *dst = &call->dst;
    size_t from = img_format_pixel_size(src->format), to = img_format_pixel_size(dst->format);
    for (int32_t y = 0; y < src->height; y++)
        for (int32_t x = 0; x < src->width; x++)
            change_pixel(call->constants.bytes,
                         src->data + (size_t)y * src->stride + (size_t)x * from,
                         dst->data + (size_t)y * dst->stride + (size_t)x * to, x, y);
    return IMG_OK;
}
