/* Undoing the filters of some rows. */
#include "io/png/filter.h"

bool img_png_unfilter(const ImgUnfilter *unfilter, size_t from, size_t to)
{
    return img_png_unfilter_reference(unfilter, from, to);
}
