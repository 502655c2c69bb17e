/* open: an erosion (minima over a rectangle), followed by a dilation (maxima). */
#include "kernels/morphology/morphology.h"

const ImgOp img_op_open = {
    .name = "open",
    .group = IMG_GROUP_EDGES,
    .synopsis = "Remove small bright details (erode, then dilate)",
    .help = "Erodes, then dilates with the same rectangle, mirrored if a side is even. No "
            "sample becomes brighter, details larger than the rectangle keep their place, and "
            "opening again changes nothing.\n\n"
            "Each channel is filtered separately, including alpha. Colours of fully transparent "
            "pixels are ignored. --border applies to the erosion; the dilation ignores pixels "
            "outside, except with --border wrap.",
    .example = "--size 5x5",
    .params = img_morphology_params,
    .params_size = sizeof(ImgMorphologyParams),
    .needs_channels = true,
    .shape = img_morphology_shape,
    .cpu_ns_per_byte = 0.16,
    .part = img_morphology_part_twice,
    .scratch = img_morphology_scratch_open,
    .impls = img_morphology_impls,
};
