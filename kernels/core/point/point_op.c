/* Functions and lists that descriptors of point operations share, and the operation "points", which
 * performs several point operations in one pass. */
#include "kernels/core/point/point_impls.h"

ImgStatus img_point_prepare(const ImgOp *op, ImgShape src, const void *params,
                            ImgConstants *constants, ImgError *err)
{
    if (!img_op_is_points(op, params))
        return IMG_OK;
    ImgPoints points = img_points_start(src.format);
    ImgStatus status = op->points(params, &points, err);
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
    .needs_channels = true,
    .impls = img_point_impls,
};
