/* open: minima over a rectangle, then maxima. */
#include "kernels/morphology/morphology.h"

const ImgOp img_op_open = {
    .name = "open",
    .synopsis = "Remove bright details smaller than a rectangle",
    .help =
        "Erodes, then dilates with the mirrored rectangle: every sample gets the greatest value\n"
        "that some rectangle around it has everywhere. So no sample becomes brighter, what is\n"
        "larger than the rectangle keeps its place, and opening again changes nothing. Each\n"
        "channel is taken by itself, alpha too. What lies beyond edges counts for the erosion;\n"
        "beyond its result there is nothing, or with --border wrap the other side. Colours of\n"
        "fully transparent pixels take no part.",
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
