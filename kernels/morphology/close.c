/* close: a dilation (maxima over a rectangle), followed by an erosion (minima). */
#include "kernels/morphology/morphology.h"

const ImgOp img_op_close = {
    .name = "close",
    .group = IMG_GROUP_EDGES,
    .synopsis = "Remove small dark details (dilate, then erode)",
    .help = "Dilates, then erodes with the same rectangle, mirrored if a side is even. No "
            "sample becomes darker, details larger than the rectangle keep their place, and "
            "closing again changes nothing.\n\n"
            "Each channel is filtered separately, including alpha. Colours of fully transparent "
            "pixels are ignored. --border applies to the dilation; the erosion ignores pixels "
            "outside, except with --border wrap.",
    .example = "--size 5x5",
    .params = img_morphology_params,
    .params_size = sizeof(ImgMorphologyParams),
    .needs_channels = true,
    .shape = img_morphology_shape,
    .cpu_ns_per_byte = 0.16,
    .part = img_morphology_part_twice,
    .scratch = img_morphology_scratch_close,
    .impls = img_morphology_impls,
};
