/* Stands for the fast count until that is here: the reference. */
#include "kernels/histogram/histogram.h"

ImgStatus img_histogram_count(const ImgView *src, const ImgHistogramParams *own, int threads,
                              uint64_t *counts, ImgError *err)
{
    ImgShape shape;
    ImgStatus status = img_measure_histogram.shape(img_view_shape(src), own, &shape, err);
    if (status != IMG_OK)
        return status;
    ImgCall call = {
        .op = &img_measure_histogram,
        .src = *src,
        .dst = img_view_make(counts, (size_t)shape.width * sizeof *counts, shape),
        .params = own,
        .threads = threads,
    };
    return img_measure_histogram.impls[0].run(&call, err);
}
