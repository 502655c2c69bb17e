/* open: minima over a rectangle, then maxima. */
#include "kernels/morphology/morphology.h"

const ImgOp img_op_open = {
    .name = "open",
    .group = IMG_GROUP_EDGES,
    .synopsis = "Open: erode, then dilate (removes small bright details)",
    .help =
        "Erodes, then dilates with the mirrored rectangle. Each sample becomes the greatest\n"
        "minimum of all rectangles that contain it. No sample becomes brighter, details larger\n"
        "than the rectangle keep their place, and opening again changes nothing. Each channel\n"
        "is filtered separately, including alpha. --border applies to the erosion; the dilation\n"
        "ignores pixels outside, except with --border wrap. Colours of fully transparent pixels\n"
        "are ignored.",
    .example = "--size 5x5",
    .params = img_morphology_params,
    .params_size = sizeof(ImgMorphologyParams),
    .needs_channels = true,
    .shape = img_morphology_shape,
    .cpu_ns_per_byte = 0.16,
    .rows_needed = img_morphology_rows_twice,
    .scratch = img_morphology_scratch_open,
    .impls = img_morphology_impls,
};
