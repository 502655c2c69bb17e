/* Generates a picture for timing operations and whole jobs. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_PICTURE_H
#define IMGTOOL_APP_BENCH_MEASURE_PICTURE_H

#include "kernels/core/image.h"

/* Fills a picture so that it resembles a photo: areas of 16 KiB have similar values, with noise of
 * 1/64 of the range on each sample. For a seed and a shape, the picture is the same on every
 * machine. `view` must own its rows up to the stride, also the last one, because the padding is set
 * to 0. Tables of counts are not possible. */
void bench_fill_photo(const ImgView *view, uint64_t seed);

#endif
