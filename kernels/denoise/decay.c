/* Computes the members of ImgWeighed, which describe how pixels of a format are read (decay.h). */
#include "kernels/denoise/decay.h"

ImgWeighed img_weighed_of(ImgFormat src, const ImgBorderParams *border)
{
    const int32_t channels = img_format_channels(src), has_alpha = img_format_has_alpha(src);
    ImgWeighed weighed = {border->border,
                          channels,
                          channels - has_alpha,
                          has_alpha,
                          src.bits < 8 ? 8 : src.bits,
                          img_window_scale(src),
                          {0, 0, 0, 0}};
    img_border_samples(src, border, weighed.background);
    for (int32_t c = 0; c < channels; c++)
        weighed.background[c] = (uint16_t)(weighed.background[c] * weighed.scale);
    return weighed;
}
