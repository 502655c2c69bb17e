#include "tests/fuzz/judge_ways.h"

#include "tests/fuzz/judge.h"
#include "tests/fuzz/judge_library.h"

bool judge_ways(const FuzzPng *png)
{
    static const ImgPngPath libpng = IMG_PNG_BY_LIBPNG;
    static const ImgPngPath in_sequence = IMG_PNG_IN_SEQUENCE;
    static const ImgPngPath by_strips = IMG_PNG_BY_STRIPS;
    Judged file;
    ImgImage image;
    if (!judged_open(png->data, png->size, &file)) {
        judge_library(png, NULL);
        return false;
    }
    const ImgStatus wanted = judged_decode(&file, &libpng, 1, 0, &image, NULL);
    (void)judge(&file, NULL, png->threads, png->piece_bytes, wanted, &image);
    judge_library(png, wanted == IMG_OK ? &image.view : NULL);
    (void)judge(&file, &in_sequence, 1, 0, wanted, &image);
    (void)judge(&file, &by_strips, png->threads, 0, wanted, &image);
    img_image_free(&image);
    judged_close(&file);
    return wanted == IMG_OK;
}
