/* Checks a quadrilateral, computes the size of the result from its sides, and converts it to a map
 * of positions (warp_maps.h). The map follows P. Heckbert, "Fundamentals of texture mapping
 * and image warping", 1989, 2.2.3. Let u and v go from 0 to 1 across and down the result. Then the
 * position is (x / w, y / w), where x, y and w are linear in u and v. */

#include "kernels/core/fixed/fixed_math.h"
#include "kernels/warp/warp_maps.h"

__extension__ typedef __int128 Wide;

enum { MILLION = 1000000, CORNERS = 4 };

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

/* --- The map ---------------------------------------------------------------------------------- */

/* Numbers of bits to which the planes x, y and w are scaled: EXACT to compute positions, ROUGH to
 * estimate only the steps between positions. */
enum { EXACT = 51, ROUGH = 40 };

/* A number that is linear in u and v (0 to 1 across and down the result): its value at u = v = 0,
 * its increment up to u = 1, and its increment up to v = 1. */
typedef struct Plane {
    Wide first, across, down;
} Plane;

typedef struct Planes {
    Plane x, y, w;
} Planes;

static Wide magnitude(Wide value)
{
    return value < 0 ? -value : value;
}

static Wide most(Wide a, Wide b)
{
    return a > b ? a : b;
}

/* Returns value / by, rounded to nearest, ties away from 0. `by` must be positive. */
static Wide divide(Wide value, Wide by)
{
    const Wide result = (2 * magnitude(value) + by) / (2 * by);
    return value < 0 ? -result : result;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Computes x, y and w as planes. At each corner of the quadrilateral, the plane x is w times the
 * corner's x coordinate, and the plane y is w times its y coordinate. w is positive for convex
 * quadrilaterals. All numbers are below 2^127. Centres of pixels have integer positions, so half a
 * pixel is subtracted. */
static Planes planes_of(const int64_t c[IMG_WARP_CORNERS])
{
    const Wide half = MILLION / 2;
    const Wide right_x = (Wide)c[2] - c[4], right_y = (Wide)c[3] - c[5];
    const Wide bottom_x = (Wide)c[6] - c[4], bottom_y = (Wide)c[7] - c[5];
    const Wide rest_x = (Wide)c[0] - c[2] + c[4] - c[6], rest_y = (Wide)c[1] - c[3] + c[5] - c[7];
    const Wide area = right_x * bottom_y - bottom_x * right_y, sign = area < 0 ? -1 : 1;
    const Wide w = sign * area;
    const Wide w_across = sign * (rest_x * bottom_y - rest_y * bottom_x);
    const Wide w_down = sign * (right_x * rest_y - right_y * rest_x);
    const Wide right = w + w_across, below = w + w_down;
    Planes planes = {.x = {.first = w * (c[0] - half)},
                     .y = {.first = w * (c[1] - half)},
                     .w = {w * MILLION, w_across * MILLION, w_down * MILLION}};
    planes.x.across = right * (c[2] - half) - planes.x.first;
    planes.y.across = right * (c[3] - half) - planes.y.first;
    planes.x.down = below * (c[6] - half) - planes.x.first;
    planes.y.down = below * (c[7] - half) - planes.y.first;
    return planes;
}

static Wide at_corner(const Plane *plane, int corner)
{
    return plane->first + ((corner & 1) != 0 ? plane->across : 0) +
           ((corner & 2) != 0 ? plane->down : 0);
}

static Wide largest(const Plane *plane)
{
    Wide result = 0;
    for (int corner = 0; corner < CORNERS; corner++)
        result = most(result, magnitude(at_corner(plane, corner)));
    return result;
}

/* Returns the right shift after which numbers up to `value` have exactly `bits` bits, or fewer if
 * this is impossible. A negative result is a left shift. */
static int excess(Wide value, int bits)
{
    int shift = 0;
    while (value >> shift >= (Wide)1 << bits)
        shift++;
    while (shift <= 0 && value << (1 - shift) < (Wide)1 << bits && shift > -bits)
        shift--;
    return shift;
}

/* Returns value / 2^shift / by, rounded to nearest. `shift` may be negative. */
static Wide scaled(Wide value, int shift, int64_t by)
{
    if (shift > 0)
        return divide(value, (Wide)by << shift);
    for (; shift < 0; shift++)
        value *= 2;
    return divide(value, by);
}

/* --- Steps ------------------------------------------------------------------------------------ */

static Wide within(Wide value, int bits)
{
    const Wide far = (Wide)1 << bits;
    return value > far ? far : value < -far ? -far : value;
}

/* Returns by how much the quotient value / w * 2^unit changes per pixel at a corner, in the
 * fixed-point format of positions (IMG_WARP_ONE is one pixel). `slope` and `w_slope` are the
 * increments of `value` and `w` over `along` pixels. The numbers must have ROUGH bits. */
static int64_t step_at(Wide value, Wide slope, Wide w, Wide w_slope, int64_t along, int unit)
{
    const Wide change = slope * w - value * w_slope;
    const Wide places = within(divide(change * IMG_WARP_ONE, w * w) / along, 100);
    return (int64_t)within(unit > 0 ? places * ((Wide)1 << unit) : scaled(places, -unit, 1), 60);
}

static Plane rough(const Plane *plane, int shift)
{
    return (Plane){scaled(plane->first, shift, 1), scaled(plane->across, shift, 1),
                   scaled(plane->down, shift, 1)};
}

/* Computes the smallest grid of positions per result pixel that samples the source finely enough at
 * all four corners. */
static void find_grid(const Planes *planes, ImgShape dst, ImgWarpMap *map)
{
    const int of_places = excess(most(largest(&planes->x), largest(&planes->y)), ROUGH);
    const int of_w = excess(largest(&planes->w), ROUGH), unit = of_places - of_w;
    const Plane x = rough(&planes->x, of_places), y = rough(&planes->y, of_places);
    const Plane w = rough(&planes->w, of_w);
    map->grid_width = map->grid_height = 1;
    for (int corner = 0; corner < CORNERS; corner++) {
        const Wide at_x = at_corner(&x, corner), at_y = at_corner(&y, corner);
        const Wide at_w = most(at_corner(&w, corner), 1);
        const int32_t width =
            img_warp_grid_side(step_at(at_x, x.across, at_w, w.across, dst.width, unit),
                               step_at(at_y, y.across, at_w, w.across, dst.width, unit));
        const int32_t height =
            img_warp_grid_side(step_at(at_x, x.down, at_w, w.down, dst.height, unit),
                               step_at(at_y, y.down, at_w, w.down, dst.height, unit));
        map->grid_width = width > map->grid_width ? width : map->grid_width;
        map->grid_height = height > map->grid_height ? height : map->grid_height;
    }
}

/* Converts a plane to its value at the first position and its increments from one position to the
 * next. The first position is half an increment from the left and the upper edge. */
static ImgWarpSlope slope_of(const Plane *plane, int shift, int64_t columns, int64_t rows)
{
    const Wide first = scaled(plane->first, shift - 1, 1); /* twice the value at u = v = 0 */
    const Wide across = scaled(plane->across, shift, columns);
    const Wide down = scaled(plane->down, shift, rows);
    return (ImgWarpSlope){(int64_t)((first + across + down) >> 1), (int64_t)across, (int64_t)down};
}

static double power_of_two(int exponent)
{
    double result = 1;
    for (; exponent > 0; exponent--)
        result *= 2;
    for (; exponent < 0; exponent++)
        result /= 2;
    return result;
}

/* Returns true if rounding errors of positions are less than 2^-12 pixels. The rounding error of a
 * step accumulates along columns and rows. */
static bool is_exact(const Planes *planes, int of_w, const int64_t c[IMG_WARP_CORNERS],
                     Wide columns_and_rows)
{
    Wide farthest = MILLION, smallest = largest(&planes->w);
    for (int i = 0; i < IMG_WARP_CORNERS; i++)
        farthest = most(farthest, magnitude(c[i]));
    for (int corner = 0; corner < CORNERS; corner++)
        smallest = -most(-smallest, -at_corner(&planes->w, corner));
    const Wide off = (columns_and_rows / 2 + 2) * 3 * (farthest / MILLION + 1);
    return off * 4096 < scaled(smallest, of_w, 1);
}

static ImgStatus project(const int64_t c[IMG_WARP_CORNERS], ImgWarpFilter filter, ImgShape dst,
                         ImgWarpMap *map, ImgError *err)
{
    const Planes planes = planes_of(c);
    *map = (ImgWarpMap){.is_projective = 1, .grid_width = 1, .grid_height = 1};
    if (filter != IMG_WARP_NEAREST)
        find_grid(&planes, dst, map);
    if (map->grid_width > IMG_WARP_SHRINK_MOST || map->grid_height > IMG_WARP_SHRINK_MOST)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "perspective: the picture shrinks by more than %d at a corner; use a "
                        "larger size or corners that are further apart",
                        (int)IMG_WARP_SHRINK_MOST);
    const int64_t columns = (int64_t)dst.width * map->grid_width;
    const int64_t rows = (int64_t)dst.height * map->grid_height;
    const int of_places = excess(most(largest(&planes.x), largest(&planes.y)), EXACT);
    const int of_w = excess(largest(&planes.w), EXACT);
    if (!is_exact(&planes, of_w, c, (Wide)columns + rows))
        return img_fail(
            err, IMG_E_UNSUPPORTED,
            "perspective: a side of the quadrilateral is too narrow, or the result too large, for "
            "a precision of 2^-12 pixels; use corners that are further apart or a smaller size");
    map->projection = (ImgWarpProjection){.x = slope_of(&planes.x, of_places, columns, rows),
                                          .y = slope_of(&planes.y, of_places, columns, rows),
                                          .w = slope_of(&planes.w, of_w, columns, rows),
                                          .unit = power_of_two(IMG_WARP_PLACES + of_places - of_w)};
    return IMG_OK;
}

/* --- Parallelograms --------------------------------------------------------------------------- */

static int64_t places_of(Wide millionths, int64_t by)
{
    return (int64_t)divide(millionths * IMG_WARP_ONE, (Wide)MILLION * by);
}

static ImgStatus shear(const int64_t c[IMG_WARP_CORNERS], ImgWarpFilter filter, ImgShape dst,
                       ImgWarpMap *map, ImgError *err)
{
    const ImgWarpPlace corner = {places_of(c[0], 1), places_of(c[1], 1)};
    const ImgWarpPlace across = {places_of((Wide)c[2] - c[0], dst.width),
                                 places_of((Wide)c[3] - c[1], dst.width)};
    const ImgWarpPlace down = {places_of((Wide)c[6] - c[0], dst.height),
                               places_of((Wide)c[7] - c[1], dst.height)};
    if (!img_warp_steps(corner, across, down, filter, map))
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "perspective: the picture shrinks by more than %d; use a larger size",
                        (int)IMG_WARP_SHRINK_MOST);
    return IMG_OK;
}

ImgStatus img_warp_perspective(const int64_t c[IMG_WARP_CORNERS], ImgWarpFilter filter,
                               ImgShape dst, ImgWarpMap *map, ImgError *err)
{
    ImgStatus status = img_warp_check_corners(c, err);
    if (status != IMG_OK)
        return status;
    const bool is_parallelogram = c[0] - c[2] + c[4] - c[6] == 0 && c[1] - c[3] + c[5] - c[7] == 0;
    return (is_parallelogram ? shear : project)(c, filter, dst, map, err);
}
