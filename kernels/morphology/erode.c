/* erode: minima over a rectangle. */
#include "kernels/morphology/morphology.h"

const ImgOp img_op_erode = {
    .name = "erode",
    .synopsis = "Give each sample the least of a rectangle around it",
    .help =
        "Dark areas grow, bright ones shrink, and bright spots smaller than the rectangle\n"
        "vanish. Each channel is taken by itself, alpha too. The rectangle has its sample in the\n"
        "middle; an even side reaches one pixel further to the left or upwards. How long it\n"
        "takes does not depend on the size, and twice 3x3 is the same as once 5x5.",
    .example = "--size 5x5",
    .params = img_morphology_params,
    .params_size = sizeof(ImgMorphologyParams),
    .needs_channels = true,
    .shape = img_morphology_shape,
    .cpu_ns_per_byte = 0.085,
    .rows_needed = img_morphology_rows,
    .scratch = img_morphology_scratch_erode,
    .impls = img_morphology_impls,
};
