/* What measurements have in common: parts of their descriptors. */
#ifndef IMGTOOL_KERNELS_CORE_MEASURE_H
#define IMGTOOL_KERNELS_CORE_MEASURE_H

#include "kernels/core/op.h"

/* A table of `width` x `height` counts. IMG_E_UNSUPPORTED, for the measurement `name`, where `src`
 * is such a table itself. */
ImgStatus img_measure_shape(const char *name, ImgShape src, int32_t width, int32_t height,
                            ImgShape *dst, ImgError *err);

/* All pixels are read; the table is too small to count. */
uint64_t img_measure_traffic(ImgShape src, const void *params);

/* None: there is no picture afterwards. */
ImgEffect img_measure_effect(ImgShape src, const void *params);

#endif
