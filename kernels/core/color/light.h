/* ImgFacts.light below 0: how samples hold light in ways that are not supported yet. Those of
 * transfer functions are their code points in ITU-T H.273. */
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
