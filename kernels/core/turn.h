/* The eight ways to map a rectangle to itself or its transpose (the dihedral group D4). Every
 * operation that rotates by quarters or mirrors a picture is one of them, so one implementation
 * serves all.
 *
 * With a source of width W and height H, and (u, v) = swapped ? (y, x) : (x, y):
 *
 *     dst(x, y) = src(flip_x ? W - 1 - u : u, flip_y ? H - 1 - v : v) */
#ifndef IMGTOOL_KERNELS_CORE_TURN_H
#define IMGTOOL_KERNELS_CORE_TURN_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A set of three bits: 1 swaps the axes, 2 flips source x, 4 flips source y. */
typedef enum ImgTurn {
    IMG_TURN_NONE = 0,
    IMG_TURN_TRANSPOSE = 1,       /* mirrored at the main diagonal */
    IMG_TURN_FLIP_HORIZONTAL = 2, /* left and right change places */
    IMG_TURN_270 = 3,             /* clockwise */
    IMG_TURN_FLIP_VERTICAL = 4,   /* top and bottom change places */
    IMG_TURN_90 = 5,              /* clockwise */
    IMG_TURN_180 = 6,
    IMG_TURN_TRANSVERSE = 7, /* mirrored at the other diagonal */
} ImgTurn;

static inline bool img_turn_swaps(ImgTurn turn)
{
    return ((unsigned)turn & 1U) != 0;
}

static inline bool img_turn_flips_x(ImgTurn turn)
{
    return ((unsigned)turn & 2U) != 0;
}

static inline bool img_turn_flips_y(ImgTurn turn)
{
    return ((unsigned)turn & 4U) != 0;
}

/* Returns the single turn that equals `first` followed by `second`. */
ImgTurn img_turn_then(ImgTurn first, ImgTurn second);

/* Returns the turn that makes a picture upright, by its EXIF orientation tag (274) of 1 to 8 (EXIF
 * 2.32, section 4.6.4). Any other value returns IMG_TURN_NONE. */
ImgTurn img_turn_from_orientation(int orientation);

#ifdef __cplusplus
}
#endif
#endif
