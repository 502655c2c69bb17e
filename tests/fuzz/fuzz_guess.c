/* Decoding by guessing, with pieces of a few bytes, against decoding in sequence. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ImgPngPath in_sequence = IMG_PNG_IN_SEQUENCE;
    static const ImgPngPath by_guessing = IMG_PNG_BY_GUESSING;
    FuzzPng png;
    Judged file;
    if (!fuzz_build_png(data, size, &png))
        return 0;
    if (judged_open(png.data, png.size, &file)) {
        ImgImage image;
        ImgStatus wanted = judged_decode(&file, &in_sequence, 1, 0, &image, NULL);
        if (wanted != IMG_E_UNSUPPORTED)
            (void)judge(&file, &by_guessing, png.threads, png.piece_bytes, wanted, &image);
        img_image_free(&image);
        judged_close(&file);
    }
    free(png.data);
    return 0;
}
