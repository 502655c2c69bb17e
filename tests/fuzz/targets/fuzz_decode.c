/* Our decoder against libpng: both accept with the same pixels, or both refuse. Through the public
 * interface, and where that has no choice, of strategies, below it. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/judge.h"
#include "tests/fuzz/judge_library.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ImgPngPath libpng = IMG_PNG_BY_LIBPNG;
    static const ImgPngPath in_sequence = IMG_PNG_IN_SEQUENCE;
    static const ImgPngPath by_strips = IMG_PNG_BY_STRIPS;
    FuzzPng png;
    Judged file;
    if (!fuzz_build_png(data, size, &png))
        return 0;
    if (judged_open(png.data, png.size, &file)) {
        ImgImage image;
        ImgStatus wanted = judged_decode(&file, &libpng, 1, 0, &image, NULL);
        (void)judge(&file, NULL, png.threads, png.piece_bytes, wanted, &image);
        judge_library(&png, wanted == IMG_OK ? &image.view : NULL);
        (void)judge(&file, &in_sequence, 1, 0, wanted, &image);
        (void)judge(&file, &by_strips, png.threads, 0, wanted, &image);
        img_image_free(&image);
        judged_close(&file);
    } else {
        judge_library(&png, NULL);
    }
    free(png.data);
    return 0;
}
