/* Functions that the descriptors (ImgOp) of all measurements share. */
#ifndef IMGTOOL_KERNELS_CORE_MEASURE_H
#define IMGTOOL_KERNELS_CORE_MEASURE_H

#include "kernels/core/op.h"

/* Computes the shape of a table of `width` x `height` counts. Returns IMG_E_UNSUPPORTED, with
 * `name` of the measurement in the message, if `src` is itself such a table. */
ImgStatus img_measure_shape(const char *name, ImgShape src, int32_t width, int32_t height,
                            ImgShape *dst, ImgError *err);

/* Returns the bytes that a measurement reads: those of all pixels. The table that it writes is too
 * small to count. */
uint64_t img_measure_traffic(ImgShape src, const void *params);

/* Returns an empty effect, because a measurement returns a table and not a picture. */
ImgEffect img_measure_effect(ImgShape src, const void *params);

#endif
