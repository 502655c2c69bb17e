/* Private to laplacian: the sum of the differences between a sample and its four or eight
 * neighbours, a discrete Laplacian. */
#ifndef IMGTOOL_KERNELS_EDGE_LAPLACIAN_H
#define IMGTOOL_KERNELS_EDGE_LAPLACIAN_H

#include <math.h>

#include "kernels/window/stencil.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgLaplacian {
    ImgStencil stencil;
    /* 1: the samples at the corners count as neighbours too; 0: only the four beside a sample */
    int32_t corners;
    float scale;
} ImgLaplacian;

/* Returns scale * |sum of neighbours - number of neighbours * sample|, clamped to `maximum`. `s`
 * has the 3 x 3 samples around the sample, row by row. */
IMG_HOST_DEVICE uint32_t img_laplacian_value(const ImgLaplacian *own,
                                             const int32_t s[IMG_STENCIL_SAMPLES], uint32_t maximum)
{
    const int32_t beside = s[1] + s[3] + s[5] + s[7] - 4 * s[4];
    const int32_t corners = s[0] + s[2] + s[6] + s[8] - 4 * s[4];
    const int32_t sum = beside + own->corners * corners;
    return img_rounded(fabsf((float)sum) * own->scale, maximum);
}

IMG_STENCIL_FUNCTIONS(img_laplacian);

#ifdef __cplusplus
}
#endif
#endif
