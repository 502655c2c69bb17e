/* Checks that other ways of decoding a PNG give the same status and pixels as sequential decoding:
 * speculative and pipelined decoding in small pieces, and row-by-row decoding with each of these
 * three strategies. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/judge.h"

static void compare(Judged *file, ImgPngStrategy strategy, const FuzzPng *png, ImgStatus wanted,
                    const ImgImage *image)
{
    ImgStatus status = judge(file, &strategy, png->threads, png->piece_bytes, wanted, image);
    if (status != wanted) {
        fprintf(stderr, "%s: status %d, in sequence %d\n", img_png_strategy_name(strategy),
                (int)status, (int)wanted);
        abort();
    }
}

static void compare_rows(Judged *file, ImgPngStrategy strategy, const FuzzPng *png,
                         ImgStatus wanted, const ImgImage *image)
{
    ImgStatus status = judge_rows(file, strategy, png->threads, png->piece_bytes, wanted, image);
    if (status != wanted) {
        fprintf(stderr, "%s, row by row: status %d, in sequence %d\n",
                img_png_strategy_name(strategy), (int)status, (int)wanted);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ImgPngStrategy in_sequence = IMG_PNG_IN_SEQUENCE;
    FuzzPng png;
    Judged file;
    if (!fuzz_build_png(data, size, &png))
        return 0;
    if (judged_open(png.data, png.size, &file)) {
        ImgImage image;
        ImgStatus wanted = judged_decode(&file, &in_sequence, 1, 0, &image, NULL);
        if (wanted != IMG_E_UNSUPPORTED) {
            compare(&file, IMG_PNG_SPECULATIVE, &png, wanted, &image);
            compare(&file, IMG_PNG_PIPELINED, &png, wanted, &image);
            compare_rows(&file, IMG_PNG_SPECULATIVE, &png, wanted, &image);
            compare_rows(&file, IMG_PNG_PIPELINED, &png, wanted, &image);
            compare_rows(&file, IMG_PNG_IN_SEQUENCE, &png, wanted, &image);
        }
        img_image_free(&image);
        judged_close(&file);
    }
    free(png.data);
    return 0;
}
