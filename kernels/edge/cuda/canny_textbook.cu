/* canny on CUDA, textbook version. Each stage is a kernel that reads and writes global memory, with
 * one thread per pixel. */
#include "kernels/edge/cuda/canny_forest.cuh"

namespace
{

constexpr int THREADS = 256;
constexpr uint32_t NO_EDGE = UINT32_MAX;

/* Pointers to the parts of the workspace. */
struct Planes {
    int32_t width, height;
    int32_t *magnitudes;
    CannyForest forest;
    int16_t *lower;  /* vertical sums, in rows from -1 to one past the last */
    int16_t *smooth; /* smoothed gray, with one more row and column on each side */

    __device__ int32_t lower_at(int64_t x, int64_t y) const
    {
        return lower[(size_t)(y + 1) * width + x];
    }
    __device__ int32_t smooth_at(int64_t x, int64_t y) const
    {
        return smooth[(size_t)(y + 1) * (width + 2) + x + 1];
    }
    /* Returns the squared magnitude at (x, y), which is 0 outside the picture. */
    __device__ int32_t magnitude_at(int64_t x, int64_t y) const
    {
        return x < 0 || y < 0 || x >= width || y >= height ? 0 : magnitudes[(size_t)y * width + x];
    }
};

/* The pixel that this thread computes: its index and position, in a plane with `width` columns. */
struct Place {
    int64_t number, x, y;
    __device__ explicit Place(int32_t width)
        : number((int64_t)blockIdx.x * THREADS + threadIdx.x), x(number % width), y(number / width)
    {
    }
};

/* --- Stages ----------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(THREADS) canny_down_kernel(ImgCanny canny, ImgView src, Planes to)
{
    const Place place(to.width);
    const int64_t y = place.y - 1;
    if (y > to.height)
        return;
    int32_t sum = 1 << (IMG_CANNY_PLACES - 1);
    for (int32_t k = -canny.radius; canny.radius > 0 && k <= canny.radius; k++)
        sum += canny.weights[canny.radius + k] * canny_gray_at(canny, src, place.x, y + k);
    to.lower[place.number] = (int16_t)(canny.radius > 0 ? sum >> IMG_CANNY_PLACES
                                                        : canny_gray_at(canny, src, place.x, y));
}

__device__ int32_t lower_beyond(const ImgCanny &canny, const Planes &planes, int64_t x, int64_t y)
{
    const int32_t column = img_border_place(x, planes.width, canny.border);
    return column < 0 ? canny.background : planes.lower_at(column, y);
}

__global__ void __launch_bounds__(THREADS) canny_across_kernel(ImgCanny canny, Planes planes)
{
    const Place place(planes.width + 2);
    const int64_t x = place.x - 1, y = place.y - 1;
    if (y > planes.height)
        return;
    int32_t sum = 1 << (IMG_CANNY_PLACES - 1);
    for (int32_t k = -canny.radius; canny.radius > 0 && k <= canny.radius; k++)
        sum += canny.weights[canny.radius + k] * lower_beyond(canny, planes, x + k, y);
    planes.smooth[place.number] =
        (int16_t)(canny.radius > 0 ? sum >> IMG_CANNY_PLACES : lower_beyond(canny, planes, x, y));
}

struct Gradient {
    int32_t across, down;
    __device__ Gradient(const Planes &p, int64_t x, int64_t y)
        : across(p.smooth_at(x + 1, y - 1) + 2 * p.smooth_at(x + 1, y) + p.smooth_at(x + 1, y + 1) -
                 p.smooth_at(x - 1, y - 1) - 2 * p.smooth_at(x - 1, y) - p.smooth_at(x - 1, y + 1)),
          down(p.smooth_at(x - 1, y + 1) + 2 * p.smooth_at(x, y + 1) + p.smooth_at(x + 1, y + 1) -
               p.smooth_at(x - 1, y - 1) - 2 * p.smooth_at(x, y - 1) - p.smooth_at(x + 1, y - 1))
    {
    }
};

__global__ void __launch_bounds__(THREADS) canny_magnitude_kernel(Planes planes)
{
    const Place place(planes.width);
    if (place.y >= planes.height)
        return;
    const Gradient gradient(planes, place.x, place.y);
    planes.magnitudes[place.number] = img_canny_magnitude(gradient.across, gradient.down);
}

/* Removes pixels that are not ridges, or whose magnitude is below the low threshold. Every
 * remaining pixel becomes the root of a component of its own. */
__global__ void __launch_bounds__(THREADS) canny_thin_kernel(ImgCanny canny, Planes planes)
{
    const Place place(planes.width);
    if (place.y >= planes.height)
        return;
    const Gradient gradient(planes, place.x, place.y);
    const int32_t dx = img_canny_step(gradient.across, gradient.down);
    const int32_t dy = img_canny_step(gradient.down, gradient.across);
    const int32_t magnitude = planes.magnitude_at(place.x, place.y);
    const bool stays =
        magnitude > canny.low &&
        img_canny_is_ridge(magnitude, planes.magnitude_at(place.x + dx, place.y + dy),
                           planes.magnitude_at(place.x - dx, place.y - dy));
    planes.forest.parents[place.number] =
        stays ? canny_label((uint32_t)place.number, magnitude > canny.high) : NO_EDGE;
}

/* --- Hysteresis ------------------------------------------------------------------------------- */

/* Joins an edge pixel with those neighbours that are edge pixels and come before it when the
 * picture is read row by row. */
__global__ void __launch_bounds__(THREADS) canny_join_kernel(Planes planes)
{
    constexpr int BEFORE[4][2] = {{-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    const Place place(planes.width);
    if (place.y >= planes.height || planes.forest.parent((uint32_t)place.number) == NO_EDGE)
        return;
    for (int i = 0; i < 4; i++) {
        const int64_t x = place.x + BEFORE[i][0], y = place.y + BEFORE[i][1];
        const uint32_t other = (uint32_t)(y * planes.width + x);
        if (x >= 0 && x < planes.width && y >= 0 && planes.forest.parent(other) != NO_EDGE)
            canny_join(planes.forest, (uint32_t)place.number, other);
    }
}

__global__ void __launch_bounds__(THREADS) canny_keep_kernel(Planes planes, ImgView dst)
{
    const Place place(planes.width);
    if (place.y >= planes.height)
        return;
    const uint32_t parent = planes.forest.parent((uint32_t)place.number);
    const bool keeps = parent != NO_EDGE && canny_is_strong(canny_root(planes.forest, parent));
    dst.data[(size_t)place.y * dst.stride + (size_t)place.x] = keeps ? 255 : 0;
}

unsigned blocks_for(int64_t width, int64_t height)
{
    return (unsigned)((width * height - 1) / THREADS + 1);
}

} // namespace

size_t img_canny_cuda_naive_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    const size_t width = (size_t)src.width, height = (size_t)src.height;
    (void)op;
    (void)params;
    return width * height * (sizeof(int32_t) + sizeof(uint32_t)) +
           (width * (height + 2) + (width + 2) * (height + 2)) * sizeof(int16_t);
}

ImgStatus img_canny_cuda_naive(const ImgCall *call, ImgError *err)
{
    const ImgCanny &canny = canny_of(call);
    const int32_t width = call->src.width, height = call->src.height;
    const size_t pixels = (size_t)width * height;
    Planes planes;
    planes.width = width;
    planes.height = height;
    planes.magnitudes = static_cast<int32_t *>(call->workspace);
    planes.forest.parents = reinterpret_cast<uint32_t *>(planes.magnitudes + pixels);
    planes.lower = reinterpret_cast<int16_t *>(planes.forest.parents + pixels);
    planes.smooth = planes.lower + (size_t)width * (height + 2);
    const unsigned blocks = blocks_for(width, height);
    IMG_LAUNCH(canny_down_kernel, blocks_for(width, (int64_t)height + 2), THREADS, 0, call->stream,
               canny, call->src, planes);
    IMG_LAUNCH(canny_across_kernel, blocks_for((int64_t)width + 2, (int64_t)height + 2), THREADS, 0,
               call->stream, canny, planes);
    IMG_LAUNCH(canny_magnitude_kernel, blocks, THREADS, 0, call->stream, planes);
    IMG_LAUNCH(canny_thin_kernel, blocks, THREADS, 0, call->stream, canny, planes);
    IMG_LAUNCH(canny_join_kernel, blocks, THREADS, 0, call->stream, planes);
    IMG_LAUNCH(canny_keep_kernel, blocks, THREADS, 0, call->stream, planes, call->dst);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
