#include "app/plot_histogram.h"

ImgStatus plot_histogram(const PlotHistogram *what, const char *path, ImgError *err)
{
    (void)what, (void)path;
    return img_fail(err, IMG_E_UNAVAILABLE, "drawing is not in this build");
}
