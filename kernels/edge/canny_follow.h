/* Private to the CPU: hysteresis, where weak pixels that strong ones lead to become strong. */
#ifndef IMGTOOL_KERNELS_EDGE_CANNY_FOLLOW_H
#define IMGTOOL_KERNELS_EDGE_CANNY_FOLLOW_H

#include "kernels/core/image.h"

/* What either of these takes. */
enum { IMG_CANNY_FOLLOW_BYTES = 1 << 18 };

/* Follows edges from all strong pixels of the rows from `first` to before `end`, within those rows.
 * False: no memory, and the rest is undecided. */
bool img_canny_follow(const ImgView *classes, int32_t first, int32_t end);

/* Then, where rows were done in parts: follows what crosses from the row before `seam` into that
 * row or back, as far as it goes. */
bool img_canny_follow_across(const ImgView *classes, int32_t seam);

#endif
