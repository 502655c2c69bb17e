/* The fast Gaussian on CUDA, for pictures without alpha: chooses and launches its kernels. */
#include <string.h>

#include "kernels/blur/cuda/gaussian_pyramid.cuh"
#include "kernels/core/cuda/pixel_groups.cuh"

namespace
{

PictureRows gaussian_rows(const ImgView &view)
{
    const PictureRows rows = {view.data, view.stride, view.width, view.height};
    return rows;
}

/* Returns the distance in bytes between rows of the workspace, for rows of `bytes` bytes: a
 * multiple of 128. */
size_t aligned(size_t bytes)
{
    return (bytes + 127) / 128 * 128;
}

/* Returns a description of the picture `view` as a source of tiles. Its format must not have
 * alpha. */
TileSource gaussian_source(const ImgView &view, const ImgGaussian &gaussian)
{
    const bool wide = view.format.bits == 16;
    TileSource src;
    memset(&src, 0, sizeof src);
    src.data = view.data;
    src.stride = view.stride;
    src.width = view.width;
    src.height = view.height;
    src.border = gaussian.border;
    src.scale = img_window_scale(view.format);
    for (int i = 0; i < 4; i++)
        src.background[i] = (uint16_t)(wide ? gaussian.background[i] + IMG_LIFT_ZERO
                                            : gaussian.background[i] >> IMG_LIFT_PLACES);
    src.period = 1;
    return src;
}

} // namespace

SmallPicture small_picture(const ImgGaussian &gaussian, ImgShape shape)
{
    const int channels = img_format_channels(shape.format);
    SmallPicture picture;
    picture.factor = gaussian.factor;
    picture.channels = channels;
    picture.margin = img_gaussian_margin(&gaussian);
    picture.left = picture.margin <= 10 ? 10 : 18;
    /* The number of columns is a multiple of 8, so that accesses of 16 bytes read only initialised
     * samples. */
    picture.columns =
        ((shape.width - 1) / gaussian.factor + 1 + picture.left + picture.margin + 7) / 8 * 8;
    picture.rows = (shape.height - 1) / gaussian.factor + 1 + 2 * picture.margin;
    picture.stride = aligned((size_t)picture.columns * channels * sizeof(uint16_t));
    picture.lower_stride =
        gaussian.factor > 4 ? aligned((size_t)shape.width * channels * sizeof(uint16_t)) : 0;
    return picture;
}

/* Returns true if a block can use 155 KB of shared memory, as on the A100 and the H100. Other GPUs
 * use the tiled or the simple version. */
static bool has_room()
{
    ImgError err;
    int shared;
    return device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, &err) == IMG_OK &&
           shared >= 155 * 1024;
}

size_t img_gaussian_fast_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    ImgConstants constants;
    if (!has_room())
        return img_gaussian_cuda_workspace(op, src, params);
    if (img_op_prepare(op, src, params, &constants, nullptr) != IMG_OK)
        return 0;
    const ImgGaussian &gaussian = static_cast<const ImgBlurEnd *>(constants.bytes)->gaussian;
    size_t bytes = 0;
    if (gaussian.factor > 1) {
        const SmallPicture picture = small_picture(gaussian, src);
        bytes = (size_t)picture.rows * (picture.lower_stride + 2 * picture.stride);
    }
    img_constants_free(&constants);
    return bytes;
}

namespace
{

ImgStatus direct(const ImgBlurEnd &end, const TileSource &src, const PictureRows &dst,
                 ImgFormat format, void *stream, ImgError *err)
{
    DirectTask task;
    memset(&task, 0, sizeof task);
    task.src = src;
    task.dst = dst;
    task.radius = end.gaussian.radius;
    memcpy(task.weights, end.gaussian.weights, sizeof task.weights);
    task.mask = end.mask;
    task.sharpens = end.sharpens != 0;
    return gaussian_direct(task, format.bits == 16 ? 2 : 1, img_format_channels(format), stream,
                           err);
}

/* Reduces, blurs and enlarges the picture. The blur replicates pixels at the edges of the reduced
 * picture; this affects only samples that enlarging does not use. */
ImgStatus by_pyramid(const ImgCall *call, const ImgBlurEnd &end, ImgError *err)
{
    const bool wide = call->src.format.bits == 16;
    const SmallPicture picture = small_picture(end.gaussian, img_view_shape(&call->src));
    uint8_t *lower = static_cast<uint8_t *>(call->workspace);
    uint8_t *small = lower + picture.rows * picture.lower_stride;
    uint8_t *blurred = small + picture.rows * picture.stride;
    ImgFormat format = call->src.format;
    format.bits = 16;
    ImgBlurEnd blur = end;
    blur.sharpens = 0;
    blur.gaussian.border = IMG_BORDER_REPLICATE;
    ImgView view = {};
    view.data = small;
    view.stride = picture.stride;
    view.width = picture.columns;
    view.height = picture.rows;
    view.format = format;
    EnlargeTask task;
    memset(&task, 0, sizeof task);
    task.src = gaussian_source(call->src, end.gaussian);
    task.dst = gaussian_rows(call->dst);
    task.small = gaussian_source(view, blur.gaussian);
    task.picture = picture;
    task.end = static_cast<const ImgBlurEnd *>(call->device_constants);
    task.mask = end.mask;
    task.sharpens = end.sharpens != 0;
    const PictureRows to = {blurred, picture.stride, picture.columns, picture.rows};
    ImgStatus status =
        picture.factor <= 4
            ? gaussian_reduce(task.src, wide, task.end, picture, small, call->stream, err)
            : gaussian_shrink(task.src, wide, task.end, picture, lower, small, call->stream, err);
    if (status == IMG_OK)
        status = direct(blur, task.small, to, format, call->stream, err);
    task.small.data = blurred;
    if (status == IMG_OK)
        status = gaussian_enlarge(task, wide, call->stream, err);
    return status;
}

} // namespace

ImgStatus img_gaussian_cuda_fast(const ImgCall *call, ImgError *err)
{
    const ImgBlurEnd &end = *static_cast<const ImgBlurEnd *>(call->constants.bytes);
    if (!has_room())
        return end.gaussian.factor > 1 ? img_gaussian_cuda_naive(call, err)
                                       : img_gaussian_cuda_tiled(call, err);
    if (end.gaussian.factor > 1)
        return by_pyramid(call, end, err);
    return direct(end, gaussian_source(call->src, end.gaussian), gaussian_rows(call->dst),
                  call->src.format, call->stream, err);
}
