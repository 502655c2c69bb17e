#include "kernels/core/turn.h"

ImgTurn img_turn_then(ImgTurn first, ImgTurn second)
{
    /* The flips of `second` act on the axes of the result of `first`. If `first` swaps the axes,
     * its x is y of the source. */
    bool swaps = img_turn_swaps(first) != img_turn_swaps(second);
    bool over_x = img_turn_flips_x(second);
    bool over_y = img_turn_flips_y(second);
    bool flip_x = img_turn_flips_x(first) != (img_turn_swaps(first) ? over_y : over_x);
    bool flip_y = img_turn_flips_y(first) != (img_turn_swaps(first) ? over_x : over_y);
    return (ImgTurn)((swaps ? 1U : 0U) | (flip_x ? 2U : 0U) | (flip_y ? 4U : 0U));
}

ImgTurn img_turn_from_orientation(int orientation)
{
    static const ImgTurn turns[] = {
        [1] = IMG_TURN_NONE,       [2] = IMG_TURN_FLIP_HORIZONTAL,
        [3] = IMG_TURN_180,        [4] = IMG_TURN_FLIP_VERTICAL,
        [5] = IMG_TURN_TRANSPOSE,  [6] = IMG_TURN_90,
        [7] = IMG_TURN_TRANSVERSE, [8] = IMG_TURN_270,
    };
    return orientation >= 1 && orientation <= 8 ? turns[orientation] : IMG_TURN_NONE;
}
