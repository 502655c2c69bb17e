/* Checks the corners of a quadrilateral, and computes the size of the result from its sides
 * (warp_perspective.h). */
#include "kernels/core/fixed/fixed_math.h"
#include "kernels/warp/warp_perspective.h"

__extension__ typedef __int128 Wide;

enum { CORNERS = 4 };

/* --- The size --------------------------------------------------------------------------------- */

/* Returns the distance between two points, in thousandths of a pixel. */
static uint64_t length(const int64_t *from, const int64_t *to)
{
    const int64_t x = (to[0] - from[0]) / 1000, y = (to[1] - from[1]) / 1000;
    return img_sqrt((uint64_t)(x * x) + (uint64_t)(y * y));
}

static int32_t longer(uint64_t a, uint64_t b)
{
    const uint64_t pixels = ((a > b ? a : b) + 500) / 1000;
    return pixels > 0 ? (int32_t)pixels : 1;
}

void img_warp_sides(const int64_t c[IMG_WARP_CORNERS], int32_t *width, int32_t *height)
{
    *width = longer(length(c, c + 2), length(c + 6, c + 4));
    *height = longer(length(c, c + 6), length(c + 2, c + 4));
}

/* --- Corners ---------------------------------------------------------------------------------- */

/* Returns twice the area of the triangle of three successive corners, beginning with corner
 * `first`. The result is positive if the corners are in clockwise order. */
static Wide turning(const int64_t c[IMG_WARP_CORNERS], int first)
{
    const int64_t *p = c + (ptrdiff_t)2 * first, *q = c + (ptrdiff_t)2 * ((first + 1) % CORNERS);
    const int64_t *r = c + (ptrdiff_t)2 * ((first + 2) % CORNERS);
    return ((Wide)q[0] - p[0]) * (r[1] - q[1]) - ((Wide)q[1] - p[1]) * (r[0] - q[0]);
}

ImgStatus img_warp_check_corners(const int64_t c[IMG_WARP_CORNERS], ImgError *err)
{
    int clockwise = 0, counter = 0;
    for (int i = 0; i < CORNERS; i++) {
        clockwise += turning(c, i) > 0;
        counter += turning(c, i) < 0;
    }
    if (clockwise + counter < CORNERS)
        return img_fail(err, IMG_E_USAGE,
                        "perspective: three of the corners lie on a line; they must make a "
                        "quadrilateral with four corners");
    if (clockwise == counter)
        return img_fail(err, IMG_E_USAGE,
                        "perspective: the sides of the quadrilateral cross; give the corners in "
                        "their order around it: top left, top right, bottom right, bottom left");
    if (clockwise > 0 && counter > 0)
        return img_fail(err, IMG_E_USAGE,
                        "perspective: a corner lies between the others; the quadrilateral must be "
                        "convex");
    return IMG_OK;
}
