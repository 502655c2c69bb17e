/* See warp_rotate.h. */
#include "kernels/warp/warp_rotate.h"

#include "kernels/core/fixed/fixed_math.h"

static int64_t magnitude(int64_t value)
{
    return value < 0 ? -value : value;
}

/* Rounded up. */
static int64_t extent(int64_t along, int64_t cosine, int64_t beside, int64_t sine)
{
    const int64_t places = along * magnitude(cosine) + beside * magnitude(sine);
    return (places + IMG_WARP_ONE - 1) >> IMG_WARP_PLACES;
}

ImgStatus img_warp_expand(ImgShape src, int32_t thousandths_of_degree, ImgShape *dst, ImgError *err)
{
    const int64_t cosine = img_cos(thousandths_of_degree), sine = img_sin(thousandths_of_degree);
    const int64_t width = extent(src.width, cosine, src.height, sine);
    const int64_t height = extent(src.height, cosine, src.width, sine);
    if (width > INT32_MAX || height > INT32_MAX)
        return img_fail(err, IMG_E_LIMIT,
                        "rotate: a result of %lld x %lld is too large; use size=keep, or a "
                        "smaller picture",
                        (long long)width, (long long)height);
    dst->width = (int32_t)width;
    dst->height = (int32_t)height;
    return IMG_OK;
}

/* (by_x * x + by_y * y) / 2 from the centre of the result to that of the source, rounded down. */
static int64_t first_place(int32_t size, int64_t by_x, int64_t by_y, ImgShape dst)
{
    const int64_t twice = by_x * (1 - (int64_t)dst.width) + by_y * (1 - (int64_t)dst.height);
    return ((int64_t)size - 1) * (IMG_WARP_ONE / 2) + (twice >> 1);
}

ImgWarpMap img_warp_rotation(ImgShape src, ImgShape dst, int32_t thousandths_of_degree)
{
    const int64_t cosine = img_cos(thousandths_of_degree), sine = img_sin(thousandths_of_degree);
    const ImgWarpPlace first = {first_place(src.width, cosine, sine, dst),
                                first_place(src.height, -sine, cosine, dst)};
    return (ImgWarpMap){.first = first,
                        .across = {cosine, -sine},
                        .down = {sine, cosine},
                        .grid_width = 1,
                        .grid_height = 1};
}
