/* dilate: maxima over a rectangle. */
#include "kernels/morphology/morphology.h"

const ImgOp img_op_dilate = {
    .name = "dilate",
    .synopsis = "Give each sample the greatest of a rectangle around it",
    .help =
        "Bright areas grow, dark ones shrink, and dark spots smaller than the rectangle vanish.\n"
        "Each channel is taken by itself, alpha too. The rectangle has its sample in the\n"
        "middle; an even side reaches one pixel further to the left or upwards. How long it\n"
        "takes does not depend on the size. It is the same as to erode the inverted picture,\n"
        "and to invert that, where all is opaque. Colours of fully transparent pixels take no\n"
        "part.",
    .example = "--size 5x5",
    .params = img_morphology_params,
    .params_size = sizeof(ImgMorphologyParams),
    .needs_channels = true,
    .shape = img_morphology_shape,
    .cpu_ns_per_byte = 0.085,
    .rows_needed = img_morphology_rows,
    .scratch = img_morphology_scratch_dilate,
    .impls = img_morphology_impls,
};
