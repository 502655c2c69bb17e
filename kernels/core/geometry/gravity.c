#include "kernels/core/geometry/gravity.h"

const ImgChoice img_gravity_choices[] = {
    {"northwest", IMG_GRAVITY_NORTHWEST}, {"north", IMG_GRAVITY_NORTH},
    {"northeast", IMG_GRAVITY_NORTHEAST}, {"west", IMG_GRAVITY_WEST},
    {"center", IMG_GRAVITY_CENTER},       {"east", IMG_GRAVITY_EAST},
    {"southwest", IMG_GRAVITY_SOUTHWEST}, {"south", IMG_GRAVITY_SOUTH},
    {"southeast", IMG_GRAVITY_SOUTHEAST}, {NULL, 0}};

const ImgChoice img_gravity_synonyms[] = {{"centre", IMG_GRAVITY_CENTER}, {NULL, 0}};

/* Returns the offset of an inner side of length `inner` in an outer one of length `outer`, in
 * pixels. `place` is 0 for the start, 1 for the middle and 2 for the end. The offset is negative if
 * the inner side is longer. Halves are rounded towards zero, so an odd pixel is at the end. */
static int32_t along(int32_t place, int32_t outer, int32_t inner)
{
    const int64_t left = (int64_t)outer - inner;
    return (int32_t)(left * place / 2);
}

ImgPlace img_gravity_place(int32_t gravity, int32_t outer_width, int32_t outer_height,
                           int32_t inner_width, int32_t inner_height)
{
    return (ImgPlace){along(gravity % 3, outer_width, inner_width),
                      along(gravity / 3, outer_height, inner_height)};
}
