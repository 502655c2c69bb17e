/* The Gaussian on CUDA, simple version: filters along one axis after the other, through global
 * memory. */
#include "kernels/blur/cuda/gaussian_pixels.cuh"

namespace
{

/* A picture of lifted samples (window/lift.h) in device memory. `left` and `top` are the
 * indices of its first column and row; they may be negative. */
struct Plane {
    int16_t *samples;
    int32_t left, top, width, height, channels;

    __device__ int16_t *at(int64_t x, int64_t y) const
    {
        return samples + ((y - top) * width + x - left) * channels;
    }
};

constexpr int THREADS = 256;

/* The column and row of a pixel of a plane. */
struct Place {
    int32_t x, y;
    __device__ Place(uint64_t number, const Plane &plane)
        : x((int32_t)(number % plane.width) + plane.left),
          y((int32_t)(number / plane.width) + plane.top)
    {
    }
};

__device__ bool is_inside(uint64_t number, const Plane &plane)
{
    return number < (uint64_t)plane.width * plane.height;
}

__global__ void __launch_bounds__(THREADS) lift_kernel(ImgLift lift, ImgView src, Plane to)
{
    const uint64_t number = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (!is_inside(number, to))
        return;
    const Place place(number, to);
    int32_t lifted[CHANNELS_MOST];
    const uint8_t *row = src.data + (size_t)place.y * src.stride;
    if (src.format.bits == 16)
        load_pixel<uint16_t>(lift, row, place.x, lifted);
    else
        load_pixel<uint8_t>(lift, row, place.x, lifted);
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        if (c < lift.channels)
            to.at(place.x, place.y)[c] = (int16_t)lifted[c];
}

__global__ void __launch_bounds__(THREADS)
    lower_kernel(ImgLift lift, const ImgBlurEnd *end, ImgView src, ImgView dst, Plane from)
{
    const uint64_t number = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (!is_inside(number, from))
        return;
    const Place place(number, from);
    int32_t blurred[CHANNELS_MOST];
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        blurred[c] = c < lift.channels ? from.at(place.x, place.y)[c] : 0;
    store_pixel(*end, lift, src, dst, place.x, place.y, blurred);
}

enum Stage { SHRINK, BLUR, ENLARGE };

/* A weighted sum along one axis: `count` weights, the first of them for the sample at position
 * `first`. */
struct Sum {
    int64_t first;
    const int16_t *weights;
    int32_t count;
};

template <Stage STAGE> __device__ Sum sum_of(const ImgGaussian &gaussian, int32_t place)
{
    Sum sum;
    if (STAGE == SHRINK) {
        sum.first = img_gaussian_shrink_first(&gaussian, place);
        sum.weights = gaussian.shrink;
        sum.count = IMG_SPLINE_TAPS * gaussian.factor;
    } else if (STAGE == BLUR) {
        sum.first = (int64_t)place - gaussian.radius;
        sum.weights = gaussian.weights;
        sum.count = 2 * gaussian.radius + 1;
    } else {
        const int32_t in_group = place % gaussian.factor;
        sum.first = place / gaussian.factor + img_gaussian_enlarge_first(&gaussian, in_group);
        sum.weights = gaussian.enlarge[in_group];
        sum.count = IMG_SPLINE_TAPS;
    }
    return sum;
}

/* Computes the plane `to` by weighted sums along one axis of the plane `from`. Samples beyond the
 * source are as the border mode defines. Samples beyond a reduced picture are never needed. */
template <Stage STAGE, bool DOWN>
__global__ void __launch_bounds__(THREADS)
    along_kernel(const ImgGaussian *gaussian_of_call, Plane from, Plane to)
{
    const uint64_t number = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (!is_inside(number, to))
        return;
    const Place place(number, to);
    const ImgGaussian &gaussian = *gaussian_of_call;
    const Sum sum = sum_of<STAGE>(gaussian, DOWN ? place.y : place.x);
    const int32_t size = DOWN ? from.height : from.width, begin = DOWN ? from.top : from.left;
    int32_t all[CHANNELS_MOST];
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        all[c] = 1 << (IMG_WEIGHT_PLACES - 1);
    for (int32_t k = 0; k < sum.count; k++) {
        int64_t at = sum.first + k;
        const int16_t *pixel = gaussian.background;
        if (begin == 0)
            at = img_border_place(at, size, gaussian.border);
        if (begin != 0 || at >= 0)
            pixel = DOWN ? from.at(place.x, at) : from.at(at, place.y);
#pragma unroll
        for (int c = 0; c < CHANNELS_MOST; c++)
            if (c < to.channels)
                all[c] += sum.weights[k] * pixel[c];
    }
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        if (c < to.channels)
            to.at(place.x, place.y)[c] = (int16_t)(all[c] >> IMG_WEIGHT_PLACES);
}

/* --- Planes ----------------------------------------------------------------------------------- */

/* Layout of the workspace: the picture as lifted samples (window/lift.h), an intermediate
 * plane, and two planes for reduced pictures. */
struct Planes {
    int32_t width, height, channels, columns, rows, margin;
    /* sizes of the intermediate plane and of a reduced picture, in samples */
    uint64_t between, small;
};

Planes planes_of(const ImgGaussian &gaussian, ImgShape shape)
{
    Planes planes;
    planes.width = shape.width;
    planes.height = shape.height;
    planes.channels = img_format_channels(shape.format);
    planes.margin = img_gaussian_margin(&gaussian);
    planes.columns = (shape.width - 1) / gaussian.factor + 1 + 2 * planes.margin;
    planes.rows = (shape.height - 1) / gaussian.factor + 1 + 2 * planes.margin;
    const uint64_t whole = (uint64_t)shape.width * shape.height;
    const uint64_t lower = (uint64_t)shape.width * planes.rows;
    const uint64_t narrower = (uint64_t)planes.columns * shape.height;
    planes.small = gaussian.factor == 1 ? 0 : (uint64_t)planes.columns * planes.rows;
    planes.between = whole;
    if (gaussian.factor > 1 && lower > planes.between)
        planes.between = lower;
    if (gaussian.factor > 1 && narrower > planes.between)
        planes.between = narrower;
    planes.between *= planes.channels;
    planes.small *= planes.channels;
    return planes;
}

unsigned blocks_of(const Plane &plane)
{
    return (unsigned)(((uint64_t)plane.width * plane.height - 1) / THREADS + 1);
}

Plane plane_at(int16_t *samples, const Planes &planes, int32_t left, int32_t width, int32_t top,
               int32_t height)
{
    const Plane plane = {samples, left, top, width, height, planes.channels};
    return plane;
}

template <Stage STAGE, bool DOWN>
void along(const ImgCall *call, const Plane &from, const Plane &to)
{
    const ImgBlurEnd *end = static_cast<const ImgBlurEnd *>(call->device_constants);
    IMG_LAUNCH((along_kernel<STAGE, DOWN>), blocks_of(to), THREADS, 0, call->stream, &end->gaussian,
               from, to);
}

void smaller(const ImgCall *call, const Planes &planes, const Plane &whole, int16_t *between)
{
    int16_t *first = between + planes.between, *second = first + planes.small;
    const int32_t margin = planes.margin, columns = planes.columns, rows = planes.rows;
    /* A group is the pixels that replace one reduced sample. Enlarging to n groups reads n +
     * IMG_SPLINE_TAPS reduced samples. */
    const int32_t inner_columns = columns - 2 * margin + IMG_SPLINE_TAPS;
    const int32_t inner_rows = rows - 2 * margin + IMG_SPLINE_TAPS;
    const Plane lower = plane_at(between, planes, 0, planes.width, -margin, rows);
    const Plane small = plane_at(first, planes, -margin, columns, -margin, rows);
    const Plane half = plane_at(second, planes, -margin, columns, -2, inner_rows);
    const Plane blurred = plane_at(first, planes, -2, inner_columns, -2, inner_rows);
    const Plane narrower = plane_at(between, planes, -2, inner_columns, 0, planes.height);
    along<SHRINK, true>(call, whole, lower);
    along<SHRINK, false>(call, lower, small);
    along<BLUR, true>(call, small, half);
    along<BLUR, false>(call, half, blurred);
    along<ENLARGE, true>(call, blurred, narrower);
    along<ENLARGE, false>(call, narrower, whole);
}

} // namespace

size_t img_gaussian_cuda_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    ImgConstants constants;
    if (img_op_prepare(op, src, params, &constants, nullptr) != IMG_OK)
        return 0;
    const ImgBlurEnd *end = static_cast<const ImgBlurEnd *>(constants.bytes);
    const Planes planes = planes_of(end->gaussian, src);
    img_constants_free(&constants);
    const uint64_t whole = (uint64_t)src.width * src.height * planes.channels;
    return (size_t)((whole + planes.between + 2 * planes.small) * sizeof(int16_t));
}

ImgStatus img_gaussian_cuda_naive(const ImgCall *call, ImgError *err)
{
    const ImgBlurEnd *end = static_cast<const ImgBlurEnd *>(call->constants.bytes);
    const ImgBlurEnd *on_device = static_cast<const ImgBlurEnd *>(call->device_constants);
    const ImgLift lift = img_lift_of(call->src.format);
    const Planes planes = planes_of(end->gaussian, img_view_shape(&call->src));
    int16_t *samples = static_cast<int16_t *>(call->workspace);
    const Plane whole = plane_at(samples, planes, 0, planes.width, 0, planes.height);
    const Plane between =
        plane_at(samples + (uint64_t)planes.width * planes.height * planes.channels, planes, 0,
                 planes.width, 0, planes.height);
    IMG_LAUNCH(lift_kernel, blocks_of(whole), THREADS, 0, call->stream, lift, call->src, whole);
    if (end->gaussian.factor > 1) {
        smaller(call, planes, whole, between.samples);
    } else if (end->gaussian.radius > 0) {
        along<BLUR, true>(call, whole, between);
        along<BLUR, false>(call, between, whole);
    }
    IMG_LAUNCH(lower_kernel, blocks_of(whole), THREADS, 0, call->stream, lift, on_device, call->src,
               call->dst, whole);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
