/* Private: boxblur, which replaces each sample by the mean of a square around it.
 *
 * Samples of pictures without alpha are added unchanged; samples of fewer than 8 bits are first
 * scaled to 8. Pixels with alpha are first lifted: window/lift.h multiplies their colours by
 * alpha. Then IMG_LIFT_ZERO is added to make them unsigned. Sums are exact, and the mean is rounded
 * once, to nearest. */
#ifndef IMGTOOL_KERNELS_BLUR_BOX_H
#define IMGTOOL_KERNELS_BLUR_BOX_H

#include "kernels/window/lift.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_BOX_RADIUS = 1000 };

typedef struct ImgBox {
    int32_t radius, border;
    ImgLift lift;
    uint16_t background[4];
    /* 1: sums over a square fit in 32 bits, and (sum * multiplier) >> shift divides them by `area`.
     * 0: sums have 64 bits and are divided by `area` itself. */
    int32_t is_narrow;
    int32_t shift;
    uint32_t multiplier;
    uint32_t area; /* number of pixels in a square */
} ImgBox;

IMG_HOST_DEVICE void img_box_load(const ImgBox *box, const uint32_t sample[4], uint32_t value[4])
{
    int32_t lifted[4] = {0, 0, 0, 0};
    if (box->lift.has_alpha != 0)
        img_lift_pixel(&box->lift, sample, lifted);
    for (int32_t c = 0; c < 4; c++)
        value[c] = box->lift.has_alpha != 0 ? (uint32_t)(lifted[c] + IMG_LIFT_ZERO)
                                            : sample[c] * box->lift.scale;
}

IMG_HOST_DEVICE void img_box_store(const ImgBox *box, const uint32_t mean[4], uint32_t sample[4])
{
    int32_t lifted[4];
    for (int32_t c = 0; c < 4; c++) {
        lifted[c] = (int32_t)mean[c] - IMG_LIFT_ZERO;
        sample[c] = mean[c];
    }
    if (box->lift.has_alpha != 0)
        img_lower_pixel(&box->lift, lifted, sample);
}

IMG_HOST_DEVICE uint32_t img_box_mean(const ImgBox *box, uint64_t sum)
{
    const uint64_t rounded = sum + box->area / 2;
    return (uint32_t)(box->is_narrow != 0 ? rounded * box->multiplier >> box->shift
                                          : rounded / box->area);
}

/* Returns the memory in bytes that boxblur allocates on the CPU with `threads` threads
 * (ImgOp.cost.scratch). */
uint64_t img_box_scratch(int32_t radius, ImgShape src, int threads);

ImgStatus img_box_reference(const ImgCall *call, ImgError *err);
IMG_CPU_RUNS(img_box_cpu);
ImgStatus img_box_cuda_naive(const ImgCall *call, ImgError *err);
/* Fast CUDA version; supports only pictures without alpha of 8 or 16 bits per sample. */
ImgStatus img_box_cuda_fast(const ImgCall *call, ImgError *err);
size_t img_box_fast_workspace(const ImgOp *op, ImgShape src, const void *params);
size_t img_box_cuda_workspace(const ImgOp *op, ImgShape src, const void *params);

#ifdef __cplusplus
}
#endif
#endif
