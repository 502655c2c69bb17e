/* close: maxima over a rectangle, then minima. */
#include "kernels/morphology/morphology.h"

const ImgOp img_op_close = {
    .name = "close",
    .group = IMG_GROUP_EDGES,
    .synopsis = "Close: dilate, then erode (removes small dark details)",
    .help =
        "Dilates, then erodes with the mirrored rectangle. Each sample becomes the smallest\n"
        "maximum of all rectangles that contain it. No sample becomes darker, details larger\n"
        "than the rectangle keep their place, and closing again changes nothing. Each channel\n"
        "is filtered separately, including alpha. --border applies to the dilation; the erosion\n"
        "ignores pixels outside, except with --border wrap. Colours of fully transparent pixels\n"
        "are ignored.",
    .example = "--size 5x5",
    .params = img_morphology_params,
    .params_size = sizeof(ImgMorphologyParams),
    .needs_channels = true,
    .shape = img_morphology_shape,
    .cpu_ns_per_byte = 0.16,
    .rows_needed = img_morphology_rows_twice,
    .scratch = img_morphology_scratch_close,
    .impls = img_morphology_impls,
};
