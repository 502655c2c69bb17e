/* threshold on the GPU. If the user gives the level, it uses the kernels of point operations.
 * Otherwise it uses the kernels of the tone family, which find the level with Otsu's method. */
#include "kernels/point/point_impls.h"
#include "kernels/tone/tone.h"

ImgStatus img_threshold_cuda_fast(const ImgCall *call, ImgError *err)
{
    return (call->constants.bytes != NULL ? img_point_cuda_fast : img_tone_cuda_fast)(call, err);
}

size_t img_threshold_cuda_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    const ImgThresholdParams *own = params;
    return own->value == IMG_THRESHOLD_OTSU ? img_tone_cuda_workspace(op, src, params) : 0;
}
