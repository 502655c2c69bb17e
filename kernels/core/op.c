#include "kernels/core/op.h"

size_t img_device_pitch(ImgShape shape)
{
    enum { LINE = 128, PAGE = 4096, STEP_ASIDE = 1024 };
    size_t pixel = img_format_pixel_size(shape.format);
    size_t row = (size_t)shape.width * pixel;
    size_t unit = row < LINE ? (size_t)IMG_DEVICE_ALIGNMENT : (size_t)LINE;
    size_t pitch = (row + unit - 1) / unit * unit;
    /* Tiles of 3-byte pixels are no power of two wide, and rows a power of two apart then share
     * memory banks unevenly: a transpose of 16384 x 16384 gains half a percent on an H100. */
    return pixel == 3 && pitch % PAGE == 0 ? pitch + STEP_ASIDE : pitch;
}
