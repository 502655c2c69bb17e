/* lut: maps colours by a lookup table from a file.
 *
 * A 3D table is interpolated between four nodes (tetrahedral interpolation). This is exact integer
 * arithmetic; only the nodes are rounded to 16 bits. So a result differs from the exact result by
 * at most half a step of the samples, plus half of 1/65535 of the range of samples. This is 0.502
 * steps at 8 bits, and 1 step at 16 bits. The same holds for 1D tables. A 3D table whose domain is
 * not 0..1 uses intermediate samples of 16 bits. For colours that these samples represent exactly,
 * it is equally exact. If a table has values outside 0..1, its entries are 65535ths of their range,
 * and 3D tables use samples of 16 bits. For example, a range of 0..2 doubles the rounding error of
 * nodes. */
#include "kernels/point/cube.h"
#include "kernels/point/points.h"

typedef struct Params {
    ImgFile file;
} Params;

enum { ONE = 65535 };

static const ImgParam params[] = {
    {.name = "file",
     .type = IMG_PARAM_FILE,
     .offset = offsetof(Params, file),
     .default_value = "",
     .help = "colour table (.cube), 1D or 3D; another way to give the operand FILE"},
    {.name = NULL}};

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const Params *own = params_of_call;
    ImgStatus status = img_channels_shape(src, own, dst, err);
    if (status != IMG_OK)
        return status;
    if (own->file.path[0] == '\0')
        return img_fail(err, IMG_E_USAGE,
                        "lut: the table is missing; name a .cube file with the option file");
    dst->format.color = img_format_has_alpha(src.format) ? IMG_COLOR_RGBA : IMG_COLOR_RGB;
    dst->format.bits = src.format.bits < 8 ? 8 : src.format.bits;
    return IMG_OK;
}

/* Adds stages that convert gray to three equal colours, and samples of fewer than 8 bits to 8
 * bits. */
static ImgStatus add_colors(ImgPoints *points, ImgError *err)
{
    const ImgPointRow gray = {{IMG_POINT_ONE}, 0}, alpha = {{0, IMG_POINT_ONE}, 0};
    const ImgPointRow rows[IMG_POINT_CHANNELS] = {gray, gray, gray, alpha};
    const bool has_alpha = img_format_has_alpha(points->format);
    ImgStatus status = points->format.bits < 8 ? img_points_depth(points, 8, err) : IMG_OK;
    if (status != IMG_OK || img_point_colors(points->format) == 3)
        return status;
    return img_points_matrix(points, has_alpha ? IMG_COLOR_RGBA : IMG_COLOR_RGB, rows, err);
}

/* Returns the position of the sample `v` of 0..maximum in the domain of the table, for colour
 * number `c`. It is 0 at the start of the domain and ONE at its end. */
static uint32_t place_of(const ImgCube *cube, int c, uint32_t v, uint32_t maximum)
{
    const int64_t range = ((int64_t)cube->most[c] - cube->least[c]) * maximum;
    const int64_t place = (int64_t)v * IMG_CUBE_UNIT - (int64_t)cube->least[c] * maximum;
    if (place <= 0)
        return 0;
    return place < range ? (uint32_t)((place * ONE + range / 2) / range) : ONE;
}

/* Converts `sum`, a sum of weighted entries in units of 1 / (ONE * ONE), to a value of 0..1 in the
 * same units. The value is clamped after interpolation, as in OpenColorIO. */
static uint64_t value_of(const ImgCube *cube, uint64_t sum)
{
    const int64_t all = (int64_t)ONE * ONE, range = (int64_t)cube->high - cube->low;
    const int64_t value = cube->low * all + (int64_t)sum * range, half = IMG_CUBE_UNIT / 2;
    if (value <= 0)
        return 0;
    return (uint64_t)(value < all * IMG_CUBE_UNIT ? (value + half) / IMG_CUBE_UNIT : all);
}

/* Returns the result of a 1D table for colour number `c` at `place`, which is 0 at the start of the
 * domain and ONE at its end. The result is interpolated between two entries, and rounded once to an
 * integer from 0 to `maximum`. */
static uint16_t on_curve(const ImgCube *cube, int c, uint32_t place, uint32_t maximum)
{
    const uint64_t all = (uint64_t)ONE * ONE;
    const uint32_t last = (uint32_t)cube->size - 2, position = place * (last + 1);
    const uint32_t entry = position / ONE < last ? position / ONE : last;
    const uint32_t fraction = position - entry * ONE;
    const uint16_t *at = cube->entries + (size_t)entry * IMG_CUBE_CHANNELS + c;
    const uint64_t sum = (uint64_t)at[0] * (ONE - fraction) +
                         /* this product is at most ONE * ONE */
                         (uint64_t)at[IMG_CUBE_CHANNELS] * fraction;
    return (uint16_t)((value_of(cube, sum) * maximum + all / 2) / all);
}

static ImgStatus add_curves(ImgPoints *points, const ImgCube *cube, ImgError *err)
{
    const uint32_t maximum = img_format_maximum(points->format);
    uint16_t *table = img_points_table(points, IMG_POINT_EACH, points->format.bits, err);
    for (uint32_t c = 0; table != NULL && c < 3; c++)
        for (uint32_t v = 0; v <= maximum; v++)
            table[c * (maximum + 1) + v] =
                on_curve(cube, (int)c, place_of(cube, (int)c, v, maximum), maximum);
    return img_points_filled(points, table);
}

static bool has_plain_domain(const ImgCube *cube)
{
    bool plain = true;
    for (int c = 0; c < 3; c++)
        plain &= cube->least[c] == 0 && cube->most[c] == IMG_CUBE_UNIT;
    return plain;
}

/* Adds stages that convert samples to 16 bits and then to positions in the domain of the table. */
static ImgStatus add_domain(ImgPoints *points, const ImgCube *cube, ImgError *err)
{
    ImgStatus status = img_points_depth(points, 16, err);
    if (status != IMG_OK)
        return status;
    uint16_t *table = img_points_table(points, IMG_POINT_EACH, 16, err);
    for (uint32_t c = 0; table != NULL && c < 3; c++)
        for (uint32_t v = 0; v <= ONE; v++)
            table[c * (ONE + 1) + v] = (uint16_t)place_of(cube, (int)c, v, ONE);
    return img_points_filled(points, table);
}

static bool has_plain_range(const ImgCube *cube)
{
    return cube->low == 0 && cube->high == IMG_CUBE_UNIT;
}

/* Adds a stage that converts interpolated 16-bit samples to values of 0..1. */
static ImgStatus add_range(ImgPoints *points, const ImgCube *cube, ImgError *err)
{
    uint16_t *table = img_points_table(points, IMG_POINT_COLORS, 16, err);
    for (uint64_t v = 0; table != NULL && v <= ONE; v++)
        table[v] = (uint16_t)((value_of(cube, v * ONE) + ONE / 2) / ONE);
    return img_points_filled(points, table);
}

static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    const Params *own = params_of_call;
    const ImgCube *cube = own->file.content;
    if (cube == NULL)
        return img_fail(err, IMG_E_USAGE, "lut: %s has not been loaded", own->file.path);
    ImgStatus status = add_colors(points, err);
    if (status == IMG_OK && cube->dimensions == 1)
        return add_curves(points, cube, err);
    const int bits = points->format.bits;
    if (status == IMG_OK && !has_plain_range(cube))
        status = img_points_depth(points, 16, err);
    if (status == IMG_OK && !has_plain_domain(cube))
        status = add_domain(points, cube, err);
    if (status == IMG_OK)
        status = img_points_cube(points, cube->entries, cube->size, err);
    if (status == IMG_OK && !has_plain_range(cube))
        status = add_range(points, cube, err);
    return status == IMG_OK ? img_points_depth(points, bits, err) : status;
}

const ImgOp img_op_lut = {
    .name = "lut",
    .group = IMG_GROUP_TONE,
    .synopsis = "Apply a colour lookup table (.cube)",
    .help = "Applies the look that a grading program has saved as a table in Adobe's .cube format. "
            "Samples are not converted before the lookup, so the table must be made for the colour "
            "space of the picture. A gray picture becomes RGB of at least 8 bits; the operation "
            "grayscale makes it gray again. Alpha is kept.\n\n"
            "1D tables have 2 to 65536 entries and are interpolated linearly. 3D tables have 2 to "
            "129 entries along an edge and are interpolated tetrahedrally. Entries may lie between "
            "-8 and 8; interpolated values are clamped to 0..1. Samples outside the table's domain "
            "take the value at its end.",
    .example = "--file look.cube",
    .params = params,
    .params_size = sizeof(Params),
    .needs_param = true,
    .shape = shape,
    .file = {.read = img_cube_read},
    .points = {.stages = points},
    .cost = {.cpu_ns_per_byte = 1.1}, /* measured for 3D tables */
    .constants = {.prepare = img_point_prepare},
    .impls = img_point_impls,
};
