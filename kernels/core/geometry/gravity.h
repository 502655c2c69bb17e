/* Position of a picture on a larger canvas, or of the part to keep of a larger picture. The nine
 * positions have the compass names that ImageMagick and sharp use. */
#ifndef IMGTOOL_KERNELS_CORE_GEOMETRY_GRAVITY_H
#define IMGTOOL_KERNELS_CORE_GEOMETRY_GRAVITY_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The nine positions, row by row. value % 3 is the horizontal position and value / 3 the vertical
 * one: 0 is the start, 1 the middle, 2 the end. */
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

/* Initialises an ImgParam "gravity", which sets the int32_t `member` of the struct `Params`. `what`
 * is its help text. */
#define IMG_GRAVITY_PARAM(Params, member, what)                                                    \
    {                                                                                              \
        .name = "gravity", .type = IMG_PARAM_CHOICE, .offset = offsetof(Params, member),           \
        .default_value = "center", .choices = img_gravity_choices,                                 \
        .synonyms = img_gravity_synonyms, .help = (what)                                           \
    }

extern const ImgChoice img_gravity_choices[], img_gravity_synonyms[];

/* Offset of the upper left corner of the inner rectangle in the outer one, in pixels. It is
 * negative if the inner one is larger. */
typedef struct ImgPlace {
    int32_t x, y;
} ImgPlace;

/* Returns the offset, in pixels, of an inner rectangle at `gravity` in an outer one. When it is
 * centred, an odd pixel is on the right and at the bottom, whichever rectangle is larger. */
ImgPlace img_gravity_place(int32_t gravity, int32_t outer_width, int32_t outer_height,
                           int32_t inner_width, int32_t inner_height);

#ifdef __cplusplus
}
#endif
#endif
