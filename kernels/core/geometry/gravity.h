/* Where a picture stands on a larger canvas, or which part of it is kept of a smaller one: the nine
 * places that ImageMagick and sharp call by compass. */
#ifndef IMGTOOL_KERNELS_CORE_GEOMETRY_GRAVITY_H
#define IMGTOOL_KERNELS_CORE_GEOMETRY_GRAVITY_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Row by row, so that value % 3 is across and value / 3 down: 0 the start, 1 the middle, 2 the
 * end. */
typedef enum ImgGravity {
    IMG_GRAVITY_NORTHWEST,
    IMG_GRAVITY_NORTH,
    IMG_GRAVITY_NORTHEAST,
    IMG_GRAVITY_WEST,
    IMG_GRAVITY_CENTER,
    IMG_GRAVITY_EAST,
    IMG_GRAVITY_SOUTHWEST,
    IMG_GRAVITY_SOUTH,
    IMG_GRAVITY_SOUTHEAST,
} ImgGravity;

/* The parameter of that name, an int32_t `member` of `Params`. */
#define IMG_GRAVITY_PARAM(Params, member, what)                                                    \
    {                                                                                              \
        .name = "gravity", .type = IMG_PARAM_CHOICE, .offset = offsetof(Params, member),           \
        .default_value = "center", .choices = img_gravity_choices,                                 \
        .synonyms = img_gravity_synonyms, .help = (what)                                           \
    }

extern const ImgChoice img_gravity_choices[], img_gravity_synonyms[];

/* Of the inner one's left upper corner in the outer one; below 0 where the inner one is larger. */
typedef struct ImgPlace {
    int32_t x, y;
} ImgPlace;

/* Where an inner rectangle stands in an outer one of any sizes, in pixels. In the middle an odd
 * pixel is at the end: more is right and below, whichever of the two is larger. */
ImgPlace img_gravity_place(int32_t gravity, int32_t outer_width, int32_t outer_height,
                           int32_t inner_width, int32_t inner_height);

#ifdef __cplusplus
}
#endif
#endif
