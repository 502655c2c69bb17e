/* The picture that operations are timed on, and whose whole jobs are. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_PICTURE_H
#define IMGTOOL_APP_BENCH_MEASURE_PICTURE_H

#include "kernels/core/image.h"

/* Photo-like: areas of 16 KiB of similar values, with noise of 1/64 of the range on each sample.
 * The same on every machine for a seed and a shape. `view` owns its rows up to the stride, the last
 * one too: the padding after their pixels becomes 0. No tables of counts. */
void bench_fill_photo(const ImgView *view, uint64_t seed);

#endif
