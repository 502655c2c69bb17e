/* Choices of options for luma, and the entries of palettes. */
#include <string.h>

#include "kernels/core/color/luma.h"
#include "kernels/core/color/palette.h"

const ImgChoice img_luma_choices[] = {{"709", IMG_LUMA_709}, {"601", IMG_LUMA_601}, {NULL, 0}};

const ImgChoice img_luma_or_none_choices[] = {
    {"709", IMG_LUMA_709}, {"601", IMG_LUMA_601}, {"none", IMG_LUMA_NONE}, {NULL, 0}};

static uint8_t of_8_bits(uint16_t value)
{
    return (uint8_t)((value * 255U + 32767) / 65535);
}

int32_t img_palette_index(ImgPalette *palette, ImgRgba color)
{
    const uint8_t wanted[4] = {of_8_bits(color.red), of_8_bits(color.green), of_8_bits(color.blue),
                               of_8_bits(color.alpha)};
    for (int32_t i = 0; i < palette->count; i++) {
        const uint8_t *entry = palette->colors[i];
        if (memcmp(entry, wanted, sizeof wanted) == 0 || (entry[3] == 0 && wanted[3] == 0))
            return i + 1;
    }
    if (palette->count >= palette->room)
        return 0;
    memcpy(palette->colors[palette->count], wanted, sizeof wanted);
    return ++palette->count;
}
