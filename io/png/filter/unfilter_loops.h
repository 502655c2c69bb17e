/* Private to unfilter.c: the loops that unfilter rows, one set per instruction set. */
#ifndef IMGTOOL_IO_PNG_FILTER_UNFILTER_LOOPS_H
#define IMGTOOL_IO_PNG_FILTER_UNFILTER_LOOPS_H

#include "io/png/filter/filter.h"

/* Unfilters rows in the same way as img_png_unfilter. The filter types must be valid. `from` must
 * be less than `to`, and both must be multiples of `pixel`. */
typedef void ImgUnfilterLoops(const ImgUnfilter *unfilter, size_t from, size_t to);

ImgUnfilterLoops img_unfilter_portable, img_unfilter_neon, img_unfilter_avx2;

#endif
