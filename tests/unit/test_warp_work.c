/* Tests of affine with many samples per pixel. Results that need too many source samples are
 * rejected, and the estimated cost follows the number of samples. In each case run_op compares all
 * implementations. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/registry.h"
#include "kernels/warp/warp.h"
#include "tests/unit/run_op.h"

static const ImgFormat GRAY8 = {IMG_COLOR_GRAY, 8};
static const char *const filters[] = {"bilinear", "bicubic", "lanczos3", "lanczos4"};

enum { FILTERS = sizeof filters / sizeof *filters };

typedef struct Taking {
    const char *matrix, *size, *border;
    int32_t width, height; /* size of the picture in pixels */
    ImgStatus status;
} Taking;

static const ImgOp *prepare(const Taking *one, ImgParams *params)
{
    const ImgOp *op = NULL;
    cr_assert_eq(img_op_find("affine", &op, NULL), IMG_OK);
    img_params_init(op, params);
    cr_assert_eq(img_params_set(op, params, "matrix", one->matrix, NULL), IMG_OK);
    cr_assert_eq(img_params_set(op, params, "size", one->size, NULL), IMG_OK);
    cr_assert_eq(img_params_set(op, params, "border", one->border, NULL), IMG_OK);
    return op;
}

/* In the cases with a picture of one pixel and the factor 0.03125, each result pixel averages 32 x
 * 32 = 1024 samples. For n result pixels and one source pixel the limit is 256 (n + 1) + 2^21
 * samples, which allows n up to 2731. */
Test(warp_work, results_that_need_too_many_samples_are_rejected)
{
    static const Taking cases[] = {
        {"0.001,0,0,0,0.001,0", "4x4", "wrap", 1, 1, IMG_E_UNSUPPORTED},
        {"0.001,0,0,0,0.001,0", "4x4", "reflect", 1, 1, IMG_E_UNSUPPORTED},
        {"0.001,0,0,0,0.001,0", "4x4", "replicate", 1, 1, IMG_E_UNSUPPORTED},
        {"0.001,0,0,0,0.001,0", "4x4", "constant", 1, 1, IMG_OK},
        {"0.03125,0,0,0,0.03125,0", "2731x1", "wrap", 1, 1, IMG_OK},
        {"0.03125,0,0,0,0.03125,0", "2732x1", "wrap", 1, 1, IMG_E_UNSUPPORTED},
        /* The next four source pictures have many pixels. The limit is for the sum of the pixels of
         * source and result. So the fewer pixels the result has, the more positions each may
         * average. */
        {"0.05,0,0,0,0.05,0", "3000x2000", "reflect", 3000, 2000, IMG_OK},
        {"0.04,0,0,0,0.04,0", "3000x2000", "reflect", 3000, 2000, IMG_E_UNSUPPORTED},
        {"0.04,0,0,0,0.04,0", "120x80", "reflect", 3000, 2000, IMG_OK},
        {"0.001,0,0,0,0.001,0", "3x2", "wrap", 3000, 2000, IMG_OK},
        /* In the source a result pixel is a parallelogram that is nearly a line: 1400 source pixels
         * long and 1/2 wide. */
        {"1.001429,-1,50,-1,1,50", "100x100", "constant", 1, 1, IMG_E_UNSUPPORTED},
        {"1.001429,-1,500,-1,1,500", "1000x1000", "constant", 1000, 1000, IMG_E_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImgParams params;
        ImgShape dst;
        ImgError err = {IMG_OK, ""};
        const ImgOp *op = prepare(&cases[i], &params);
        const ImgShape src = {cases[i].width, cases[i].height, GRAY8};
        cr_expect_eq(op->shape(src, params.bytes, &dst, &err), cases[i].status, "case %zu: %s", i,
                     err.message);
        if (cases[i].status != IMG_OK)
            cr_expect_not_null(strstr(err.message, " per pixel of picture and result; "
                                                   "resize the picture first"),
                               "%s", err.message);
    }
}

/* On a background, shrinking by any factor must be accepted in any direction and for any size, also
 * for a picture of one row. */
Test(warp_work, shrinking_is_never_rejected)
{
    static const int32_t sides[] = {1, 2, 10, 300, 4000, 100000};
    for (int32_t by = 2; by <= 512; by *= 2)
        for (int i = 0; i < 36 * 4; i++) {
            char matrix[96];
            const double c = 1.0 / by, s = i % 2 != 0 ? 0.6 : 0, d = i % 2 != 0 ? 0.8 : 1;
            const Taking one = {matrix,        i % 4 < 2 ? "100%" : "0.5%",
                                "constant",    sides[i / 4 % 6],
                                sides[i / 24], IMG_OK};
            const ImgShape src = {one.width, one.height, GRAY8};
            ImgParams params;
            ImgShape dst;
            ImgError err = {IMG_OK, ""};
            snprintf(matrix, sizeof matrix, "%.6f,%.6f,0,%.6f,%.6f,0", d * c, -s * c, s * c, d * c);
            cr_expect_eq(prepare(&one, &params)->shape(src, params.bytes, &dst, &err), IMG_OK,
                         "%d x %d: %s", one.width, one.height, err.message);
        }
}

/* The picture covers a few pixels in the middle of the result. Everything else must be background,
 * with all implementations. */
Test(warp_work, around_a_small_picture_there_is_background)
{
    static const uint8_t picture[] = {200, 200, 200, 200, 200, 200};
    for (int f = 0; f < FILTERS; f++) {
        char options[128];
        ImgShape result;
        int other = 0;
        snprintf(options, sizeof options,
                 "matrix=0.02,0.01,20,-0.01,0.02,10 size=40x20 background=#0b0b0b filter=%s",
                 filters[f]);
        uint8_t *got = run_op("affine", options, (ImgShape){3, 2, GRAY8}, picture, &result);
        for (int i = 0; i < 40 * 20; i++)
            other += got[i] != 11 && i != 10 * 40 + 20 && i != 9 * 40 + 20;
        cr_expect_eq(other, 0, "%s: %d", filters[f], other);
        free(got);
    }
}

/* The estimated cost must be proportional to the work. `small` averages 100 x 100 samples per
 * pixel, in all as many samples as the picture has. Each of them costs 8 times as much, because
 * they are too many for a tile. `copies` takes 100 times as many samples as `one`. It reads and
 * writes 2 bytes per pixel instead of 3, because its result has no alpha. So the ratio of the costs
 * is 100 * 2 / 3. */
Test(warp_work, the_cost_follows_the_number_of_samples)
{
    const Taking one = {"1,0,0,0,1,0", "1000x1000", "constant", 1000, 1000, IMG_OK};
    const Taking small = {"0.01,0,0,0,0.01,0", "10x10", "constant", 1000, 1000, IMG_OK};
    const Taking copies = {"0.1,0,0,0,0.1,0", "1000x1000", "reflect", 1000, 1000, IMG_OK};
    const ImgShape src = {1000, 1000, GRAY8};
    ImgParams params;
    const double own = img_op_cpu_seconds(prepare(&one, &params), src, params.bytes);
    const double of_small = img_op_cpu_seconds(prepare(&small, &params), src, params.bytes) / own;
    const double of_copies = img_op_cpu_seconds(prepare(&copies, &params), src, params.bytes) / own;
    cr_expect(of_small > 7.9 && of_small < 8.1, "%g", of_small);
    cr_expect(of_copies > 66 && of_copies < 67, "%g", of_copies);
}
