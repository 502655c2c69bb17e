/* Private: what kind of compression suits a picture. */
#ifndef IMGTOOL_IO_PNG_STRATEGY_H
#define IMGTOOL_IO_PNG_STRATEGY_H

#include <stdbool.h>

#include "kernels/core/image.h"

/* True if looking for runs compresses as well as looking for all matches: so with photographs, and
 * it takes half the time. Tried on a few bands of rows; the same picture gives the same answer. */
bool img_png_prefers_runs(const ImgView *view);

#endif
