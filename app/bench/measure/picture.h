/* The generated picture for timing operations and whole jobs. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_PICTURE_H
#define IMGTOOL_APP_BENCH_MEASURE_PICTURE_H

#include "kernels/core/image.h"

/* Fills a picture like a photo: areas of 16 KiB of similar values, with noise of 1/64 of the range
 * on each sample. The same on every machine for a seed and a shape. `view` owns its rows up to the
 * stride, including the last: the padding becomes 0. Not for tables of counts. */
void bench_fill_photo(const ImgView *view, uint64_t seed);

#endif
