/* erode: replaces each sample by the minimum over a rectangle. */
#include "kernels/morphology/morphology.h"

const ImgOp img_op_erode = {
    .name = "erode",
    .group = IMG_GROUP_EDGES,
    .synopsis = "Shrink bright areas (minimum over a rectangle)",
    .help = "Dark areas grow, bright areas shrink, and bright spots smaller than the rectangle "
            "vanish. Each channel is filtered separately, including alpha.\n\n"
            "The rectangle is centred on its sample; an even side reaches one pixel further to "
            "the left or upwards. Two erosions by 3x3 equal one by 5x5. The time does not "
            "depend on the size.",
    .example = "--size 5x5",
    .params = img_morphology_params,
    .params_size = sizeof(ImgMorphologyParams),
    .needs_channels = true,
    .shape = img_morphology_shape,
    .cpu_ns_per_byte = 0.085,
    .part = img_morphology_part,
    .scratch = img_morphology_scratch_erode,
    .impls = img_morphology_impls,
};
