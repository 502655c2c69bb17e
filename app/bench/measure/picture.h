/* Generates the picture on which operations and whole jobs are timed. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_PICTURE_H
#define IMGTOOL_APP_BENCH_MEASURE_PICTURE_H

#include "kernels/core/image.h"

/* Fills a picture so that it resembles a photo. Areas of 16 KiB have similar values, and each
 * sample has noise of 1/64 of the range. The same seed and shape give the same picture on every
 * machine. `view` must own all bytes of every row, including the padding, which is set to 0. Tables
 * of counts cannot be filled. */
void bench_fill_photo(const ImgView *view, uint64_t seed);

#endif
