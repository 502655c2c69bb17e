/* Computes the size of a rotated picture, and rotation as a map of positions (warp.h). */
#include "kernels/warp/warp.h"

#include "kernels/core/fixed/fixed_math.h"

static int64_t magnitude(int64_t value)
{
    return value < 0 ? -value : value;
}

/* Returns the extent of a rotated rectangle along one axis, in pixels, rounded up. `along` and
 * `beside` are the sides of the rectangle in pixels. */
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
                        "rotate: the result of %lld x %lld pixels is too large; use size=keep, or "
                        "a smaller picture",
                        (long long)width, (long long)height);
    dst->width = (int32_t)width;
    dst->height = (int32_t)height;
    return IMG_OK;
}

/* --- The largest upright rectangle inside ---------------------------------------------------- */

typedef struct Rectangle {
    int64_t width, height;
} Rectangle;

/* Returns true if the rectangle `inner`, rotated back by the angle, is inside the edges of the
 * source. */
static bool fits(ImgShape src, Rectangle inner, int64_t cosine, int64_t sine)
{
    return inner.width * cosine + inner.height * sine <= (int64_t)src.width << IMG_WARP_PLACES &&
           inner.width * sine + inner.height * cosine <= (int64_t)src.height << IMG_WARP_PLACES;
}

/* Estimates the largest rectangle inside the rotated picture; its sides may be off by a pixel.
 * There are two cases. In the first, all four corners of the rectangle touch edges of the source.
 * In the second, the source is long and narrow, and two corners touch the middle of its long
 * edges. */
static Rectangle estimate(ImgShape src, int64_t cosine, int64_t sine)
{
    const bool wide = src.width >= src.height;
    const int64_t longer = wide ? src.width : src.height, shorter = wide ? src.height : src.width;
    const int64_t double_sine = cosine * sine >> (IMG_WARP_PLACES - 1);
    if (shorter << IMG_WARP_PLACES <= double_sine * longer) {
        const int64_t half = shorter << (IMG_WARP_PLACES - 1);
        return wide ? (Rectangle){half / sine, half / cosine}
                    : (Rectangle){half / cosine, half / sine};
    }
    const int64_t double_cosine = (cosine * cosine - sine * sine) >> IMG_WARP_PLACES;
    return (Rectangle){(src.width * cosine - src.height * sine) / double_cosine,
                       (src.height * cosine - src.width * sine) / double_cosine};
}

void img_warp_fit_inside(ImgShape src, int32_t thousandths_of_degree, ImgShape *dst)
{
    const int64_t cosine = magnitude(img_cos(thousandths_of_degree));
    const int64_t sine = magnitude(img_sin(thousandths_of_degree));
    Rectangle inner = estimate(src, cosine, sine);
    inner = (Rectangle){inner.width > 1 ? inner.width : 1, inner.height > 1 ? inner.height : 1};
    while (!fits(src, inner, cosine, sine) && (inner.width > 1 || inner.height > 1)) {
        inner.width -= inner.width > 1;
        inner.height -= inner.height > 1;
    }
    while (fits(src, (Rectangle){inner.width + 1, inner.height}, cosine, sine))
        inner.width++;
    while (fits(src, (Rectangle){inner.width, inner.height + 1}, cosine, sine))
        inner.height++;
    dst->width = (int32_t)inner.width;
    dst->height = (int32_t)inner.height;
}

/* Returns one coordinate of the position of the first result pixel, rounded down. `size` is the
 * length of the source along this coordinate; the centre of the source corresponds to the centre of
 * the result. `by_x` and `by_y` are the changes of the coordinate per column and row of the
 * result. */
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
