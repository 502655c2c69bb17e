/* The eight ways to map a rectangle to itself or to its transpose (the dihedral group D4). All
 * mirrorings and rotations by multiples of 90 degrees are among them, so one implementation serves
 * all these operations.
 *
 * With a source of width W and height H, and (u, v) = swapped ? (y, x) : (x, y):
 *
 *     dst(x, y) = src(flip_x ? W - 1 - u : u, flip_y ? H - 1 - v : v) */
#ifndef IMGTOOL_KERNELS_CORE_TURN_H
#define IMGTOOL_KERNELS_CORE_TURN_H

#include <stdbool.h>

/* A turn as a set of three bits: 1 swaps the axes, 2 flips the source's x, 4 flips its y. */
typedef enum ImgTurn {
    IMG_TURN_NONE = 0,
    IMG_TURN_TRANSPOSE = 1,       /* mirrored at the main diagonal */
    IMG_TURN_FLIP_HORIZONTAL = 2, /* mirrored left to right */
    IMG_TURN_270 = 3,             /* a quarter turn counter-clockwise (270 degrees clockwise) */
    IMG_TURN_FLIP_VERTICAL = 4,   /* mirrored top to bottom */
    IMG_TURN_90 = 5,              /* a quarter turn clockwise */
    IMG_TURN_180 = 6,
    IMG_TURN_TRANSVERSE = 7, /* mirrored at the diagonal from upper right to lower left */
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

/* Returns the single turn that has the same effect as `first` followed by `second`. */
static inline ImgTurn img_turn_then(ImgTurn first, ImgTurn second)
{
    /* The flips of `second` apply to the axes of the picture that `first` makes. If `first` swaps
     * the axes, the x axis of that picture is the y axis of the source. */
    bool swaps = img_turn_swaps(first) != img_turn_swaps(second);
    bool over_x = img_turn_flips_x(second);
    bool over_y = img_turn_flips_y(second);
    bool flip_x = img_turn_flips_x(first) != (img_turn_swaps(first) ? over_y : over_x);
    bool flip_y = img_turn_flips_y(first) != (img_turn_swaps(first) ? over_x : over_y);
    return (ImgTurn)((swaps ? 1U : 0U) | (flip_x ? 2U : 0U) | (flip_y ? 4U : 0U));
}

/* Returns the turn that makes a picture upright. `orientation` is the EXIF tag 274, from 1 to 8
 * (EXIF 2.32, section 4.6.4). Returns IMG_TURN_NONE for any other value. */
static inline ImgTurn img_turn_from_orientation(int orientation)
{
    static const ImgTurn turns[9] = {
        IMG_TURN_NONE, IMG_TURN_NONE,          IMG_TURN_FLIP_HORIZONTAL,
        IMG_TURN_180,  IMG_TURN_FLIP_VERTICAL, IMG_TURN_TRANSPOSE,
        IMG_TURN_90,   IMG_TURN_TRANSVERSE,    IMG_TURN_270,
    };
    return orientation >= 1 && orientation <= 8 ? turns[orientation] : IMG_TURN_NONE;
}

#endif
