/* Values of ImgFacts.light below 0: transfer functions that are not supported yet. Their numbers
 * are code points of ITU-T H.273, negated. */
#ifndef IMGTOOL_KERNELS_CORE_COLOR_LIGHT_H
#define IMGTOOL_KERNELS_CORE_COLOR_LIGHT_H

enum {
    IMG_LIGHT_BT709 = -1,
    IMG_LIGHT_PQ = -16,
    IMG_LIGHT_HLG = -18,
    IMG_LIGHT_UNKNOWN = -256,
    IMG_LIGHT_NARROW_RANGE = -257, /* samples that do not use their full range */
};

#endif
