/* See lift.h. */
#include "kernels/core/window/lift.h"

void img_lift_background(ImgFormat format, const ImgBorderParams *params, int16_t lifted[4])
{
    const ImgLift lift = img_lift_of(format);
    uint16_t samples[4];
    img_border_samples(format, params, samples);
    const uint32_t sample[4] = {samples[0], samples[1], samples[2], samples[3]};
    int32_t result[4] = {0, 0, 0, 0};
    img_lift_pixel(&lift, sample, result);
    for (int i = 0; i < 4; i++)
        lifted[i] = (int16_t)result[i];
}
