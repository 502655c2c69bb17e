
#include "kernels/core/color/luma.h"

const ImgChoice img_luma_choices[] = {{"709", IMG_LUMA_709}, {"601", IMG_LUMA_601}, {NULL, 0}};

const ImgChoice img_luma_or_none_choices[] = {
    {"709", IMG_LUMA_709}, {"601", IMG_LUMA_601}, {"none", IMG_LUMA_NONE}, {NULL, 0}};
