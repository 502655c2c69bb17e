/* Merges successive point operations of a pipeline into one. */
#include "kernels/core/point/points.h"

/* The most stages of any operation. */
enum { STAGES_OF_ONE = 7 };

ImgStatus img_points_join(const ImgStep *steps, size_t count, ImgPoints *points, ImgShape *shape,
                          size_t *joined, ImgError *err)
{
    ImgStatus status = IMG_OK;
    *joined = 0;
    for (size_t i = 0; status == IMG_OK && i < count; i++) {
        const void *params = steps[i].params.bytes;
        if (!img_op_is_points(steps[i].op, params) ||
            points->count > IMG_POINT_STAGES_MAX - STAGES_OF_ONE)
            break;
        status = steps[i].op->shape(*shape, params, shape, err);
        if (status == IMG_OK)
            status = steps[i].op->points(params, points, err);
        if (status == IMG_OK)
            status = img_points_compose(points, err);
        ++*joined;
    }
    return status;
}
