/* Functions that the descriptors of measurements share. */
#ifndef IMGTOOL_KERNELS_CORE_MEASURE_H
#define IMGTOOL_KERNELS_CORE_MEASURE_H

#include "kernels/core/op.h"

/* Returns the shape of a table of `width` x `height` counts. Fails with IMG_E_UNSUPPORTED, naming
 * the measurement `name`, if `src` is itself such a table. */
ImgStatus img_measure_shape(const char *name, ImgShape src, int32_t width, int32_t height,
                            ImgShape *dst, ImgError *err);

/* Returns the number of bytes of all pixels. The table is too small to matter. */
uint64_t img_measure_traffic(ImgShape src, const void *params);

/* Returns no effect, because no picture results. */
ImgEffect img_measure_effect(ImgShape src, const void *params);

#endif
