/* Private to the CPU: hysteresis, which makes weak pixels strong if they are connected to strong
 * ones. */
#ifndef IMGTOOL_KERNELS_EDGE_CANNY_FOLLOW_H
#define IMGTOOL_KERNELS_EDGE_CANNY_FOLLOW_H

#include "kernels/core/image.h"

/* Bytes that each of the two functions allocates. */
enum { IMG_CANNY_FOLLOW_BYTES = 1 << 18 };

/* Follows edges from all strong pixels of rows `first` to before `end`, within those rows. Returns
 * false when memory is short; some weak pixels then remain. */
bool img_canny_follow(const ImgView *classes, int32_t first, int32_t end);

/* Follows edges across a seam between parts that were processed separately: from the row before
 * `seam` into row `seam` and back, as far as they extend. */
bool img_canny_follow_across(const ImgView *classes, int32_t seam);

#endif
