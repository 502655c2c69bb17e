/* Private: the gradient by Sobel's operator. One component has the weights [1 2 1] down and [-1 0
 * 1] across, the other the reverse. (I. Sobel, G. Feldman, "A 3x3 isotropic gradient operator",
 * 1968.) */
#ifndef IMGTOOL_KERNELS_EDGE_SOBEL_H
#define IMGTOOL_KERNELS_EDGE_SOBEL_H

#include <math.h>

#include "kernels/core/window/stencil.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgSobel {
    ImgStencil stencil;
    float across, down; /* 1 or 0: whether the gradient in each direction counts */
    float scale;
} ImgSobel;

/* Returns scale * sqrt(across^2 + down^2), clamped to `maximum`. */
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
