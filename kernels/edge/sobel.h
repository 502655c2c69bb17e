/* Private to sobel: the gradient, computed with Sobel's operator. The horizontal component has the
 * weights [1 2 1] down and [-1 0 1] across. The vertical component has [-1 0 1] down and [1 2 1]
 * across. (I. Sobel, G. Feldman, "A 3x3 isotropic gradient operator", 1968.) */
#ifndef IMGTOOL_KERNELS_EDGE_SOBEL_H
#define IMGTOOL_KERNELS_EDGE_SOBEL_H

#include <math.h>

#include "kernels/window/stencil.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgSobel {
    ImgStencil stencil;
    /* 1 or 0: factors that switch the horizontal and the vertical component on or off */
    float across, down;
    float scale;
} ImgSobel;

/* Returns scale * sqrt(across^2 + down^2), clamped to `maximum`; across and down are the components
 * of the gradient. `s` has the 3 x 3 samples around the sample, row by row. */
IMG_HOST_DEVICE uint32_t img_sobel_value(const ImgSobel *own, const int32_t s[IMG_STENCIL_SAMPLES],
                                         uint32_t maximum)
{
    const int32_t right = s[2] + 2 * s[5] + s[8], left = s[0] + 2 * s[3] + s[6];
    const int32_t below = s[6] + 2 * s[7] + s[8], above = s[0] + 2 * s[1] + s[2];
    const float across = (float)(right - left) * own->across;
    const float down = (float)(below - above) * own->down;
    return img_rounded(sqrtf(across * across + down * down) * own->scale, maximum);
}

IMG_STENCIL_FUNCTIONS(img_sobel);

#ifdef __cplusplus
}
#endif
#endif
