/* Private to canny on the CPU: hysteresis. It makes weak pixels strong if they are connected to
 * strong pixels. */
#ifndef IMGTOOL_KERNELS_EDGE_CANNY_FOLLOW_H
#define IMGTOOL_KERNELS_EDGE_CANNY_FOLLOW_H

#include "kernels/core/image.h"

/* Number of bytes that each of the two functions allocates. */
enum { IMG_CANNY_FOLLOW_BYTES = 1 << 18 };

/* Follows edges from all strong pixels in the rows `first` to `end` - 1, within these rows. Returns
 * false when memory is short; then some pixels remain weak although they are connected to strong
 * ones. */
bool img_canny_follow(const ImgView *classes, int32_t first, int32_t end);

/* Follows edges across a seam between two bands that were processed separately. The seam lies
 * between the rows `seam` - 1 and `seam`. Edges that cross it are followed to their ends, in any
 * row. Returns false when memory is short. */
bool img_canny_follow_across(const ImgView *classes, int32_t seam);

#endif
