/* Tests of the GPU model. Kernels must give the right pixels in it, and its counts must match those
 * worked out by hand. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/model/model.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

typedef struct Trial {
    const ImgOp *op;
    ImgParams params;
    ImgImage src, dst;
    ImgLaunchCounts counts;
    ImgError err;
} Trial;

static void need_model(void)
{
    if (!img_model_in_build())
        cr_skip_test("no model of a GPU in this build");
}

static const ImgOp *op_named(const char *name)
{
    for (size_t i = 0; img_op_at(i) != NULL; i++)
        if (strcmp(img_op_at(i)->name, name) == 0)
            return img_op_at(i);
    cr_assert(false, "no operation %s", name);
    return NULL;
}

static void fill(ImgView *view)
{
    size_t row = (size_t)view->width * img_format_pixel_size(view->format);
    uint32_t state = 1;
    for (int32_t y = 0; y < view->height; y++)
        for (size_t i = 0; i < row; i++) {
            state = state * 1664525 + 1013904223;
            view->data[(size_t)y * view->stride + i] = (uint8_t)(state >> 24);
        }
}

static void set(Trial *trial, const char *name, const char *value)
{
    cr_assert_eq(img_params_set(trial->op, &trial->params, name, value, &trial->err), IMG_OK);
}

/* Sets the parameters of a trial: the defaults, a rectangle for operations that need one, and few
 * neighbours for operations whose default visits millions. */
static void set_up(Trial *trial, const char *op, ImgShape src)
{
    ImgShape dst;
    memset(trial, 0, sizeof *trial);
    trial->op = op_named(op);
    img_params_init(trial->op, &trial->params);
    if (strcmp(op, "crop") == 0) {
        set(trial, "width", "20");
        set(trial, "height", "9");
        /* The result is smaller in one direction and larger in the other, with padding. */
    } else if (strcmp(op, "resize") == 0) {
        set(trial, "size", src.width < src.height ? "47x20" : "40x51");
        set(trial, "fit", src.format.color == IMG_COLOR_RGB ? "contain" : "fill");
        set(trial, "background", "#123456");
        /* Some corners lie outside the picture. The result is smaller in one direction and larger
         * in the other. */
    } else if (strcmp(op, "perspective") == 0) {
        set(trial, "corners", "2,1,17,3,14,16,-2,12");
    } else if (strcmp(op, "denoise") == 0) {
        set(trial, "search-radius", "2");
        set(trial, "patch-radius", "1");
        /* With these thresholds only few edges of random samples are strong, so weak edges are kept
         * only where they are connected to strong edges. */
    } else if (strcmp(op, "canny") == 0) {
        set(trial, "sigma", "0");
        set(trial, "high", "80");
        set(trial, "low", "20");
    }
    cr_assert_eq(trial->op->shape(src, trial->params.bytes, &dst, &trial->err), IMG_OK, "%s: %s",
                 op, trial->err.message);
    cr_assert_eq(img_image_alloc(src, &trial->src, &trial->err), IMG_OK);
    cr_assert_eq(img_image_alloc(dst, &trial->dst, &trial->err), IMG_OK);
    fill(&trial->src.view);
}

static void tear_down(Trial *trial)
{
    img_image_free(&trial->src);
    img_image_free(&trial->dst);
}

static ImgStatus run(Trial *trial, const char *impl)
{
    return img_model_op(trial->op->name, impl, trial->params.bytes, &trial->src.view,
                        &trial->dst.view, &trial->counts, &trial->err);
}

static ImgLaunchCounts count(const char *op, const char *impl, ImgShape shape)
{
    Trial trial;
    set_up(&trial, op, shape);
    if (strcmp(op, "flip") == 0)
        cr_assert_eq(img_params_set(trial.op, &trial.params, "axis", "horizontal", &trial.err),
                     IMG_OK);
    cr_assert_eq(run(&trial, impl), IMG_OK, "%s: %s", impl, trial.err.message);
    tear_down(&trial);
    return trial.counts;
}

static const ImgShape gray = {301, 203, {IMG_COLOR_GRAY, 8}};

/* --- Pixels ----------------------------------------------------------------------------------- */

static void expect_same(const ImgView *a, const ImgView *b, const Trial *trial, const char *impl)
{
    size_t row = (size_t)a->width * img_format_pixel_size(a->format);
    for (int32_t y = 0; y < a->height; y++)
        cr_assert_arr_eq(a->data + (size_t)y * a->stride, b->data + (size_t)y * b->stride, row,
                         "%s, %s, row %d", trial->op->name, impl, y);
}

/* Runs every CUDA implementation of an operation in the model, and compares the results with the
 * reference. Returns false if the operation rejects pictures of this shape. */
static bool expect_as_reference(const char *op, ImgShape shape)
{
    Trial trial;
    ImgImage wanted;
    ImgShape result;
    ImgParams defaults;
    img_params_init(op_named(op), &defaults);
    if (strcmp(op, "crop") != 0 && strcmp(op, "resize") != 0 &&
        op_named(op)->shape(shape, defaults.bytes, &result, NULL) != IMG_OK)
        return false;
    set_up(&trial, op, shape);
    cr_assert_eq(img_image_alloc(img_view_shape(&trial.dst.view), &wanted, &trial.err), IMG_OK);
    ImgCall call = {.op = trial.op,
                    .src = trial.src.view,
                    .dst = wanted.view,
                    .params = trial.params.bytes,
                    .threads = 1};
    cr_assert_eq(img_op_prepare(trial.op, shape, call.params, &call.constants, &trial.err), IMG_OK);
    cr_assert_eq(trial.op->impls[0].run(&call, &trial.err), IMG_OK);
    img_constants_free(&call.constants);
    for (const ImgImpl *row = trial.op->impls; row->name != NULL; row++) {
        if (row->backend != IMG_BACKEND_CUDA ||
            (row->applies != NULL && !row->applies(trial.op, shape, trial.params.bytes)))
            continue;
        cr_assert_eq(run(&trial, row->name), IMG_OK, "%s", trial.err.message);
        expect_same(&trial.dst.view, &wanted.view, &trial, row->name);
        /* crop copies without a kernel. */
        if (strcmp(op, "crop") != 0)
            cr_assert_gt(trial.counts.launches, 0);
    }
    img_image_free(&wanted);
    tear_down(&trial);
    return true;
}

/* Checks all operations, each with the first of these pictures that it accepts. checkkernels in
 * the emulator checks them with many pictures. */
Test(model, every_row_gives_the_bytes_of_the_reference)
{
    need_model();
    static const ImgShape shapes[] = {{61, 35, {IMG_COLOR_GRAY, 8}},
                                      {33, 70, {IMG_COLOR_RGB, 8}},
                                      {45, 34, {IMG_COLOR_RGBA, 16}}};
    for (size_t i = 0; img_op_at(i) != NULL; i++) {
        if (strcmp(img_op_at(i)->name, "autorotate") == 0)
            continue; /* autorotate does nothing by default */
        for (size_t s = 0; s < 3; s++)
            if (expect_as_reference(img_op_at(i)->name, shapes[(i + s) % 3]))
                break;
    }
}

/* Weak edges of the picture are connected to strong edges in other tiles, and are kept only for
 * that reason. */
Test(model, edges_are_followed_across_tiles)
{
    need_model();
    expect_as_reference("canny", (ImgShape){333, 101, {IMG_COLOR_GRAY, 8}});
    expect_as_reference("canny", (ImgShape){129, 67, {IMG_COLOR_GRAY, 16}});
}

/* --- Counts ----------------------------------------------------------------------------------- */

/* The picture has 10 x 7 tiles of 32 x 32 pixels, with 8 warps each. A warp reads 32 pixels of a
 * row, or 13 in the right column of tiles, so a row takes 10 requests. Each read takes one sector.
 * Each pixel of a warp is written to another row, so it takes a sector of its own. In the 7 tiles
 * on the right all 8 warps diverge. */
Test(model, counts_of_a_transpose_match)
{
    need_model();
    ImgLaunchCounts c = count("transpose", "cuda-naive-read", gray);
    cr_expect_eq(c.launches, 1);
    cr_expect_eq(c.blocks, 70);
    cr_expect_eq(c.warps, 560);
    cr_expect_eq(c.split_warps, 7 * 8);
    cr_expect_eq(c.global_requests[IMG_READS], 203 * 10);
    cr_expect_eq(c.global_requests[IMG_WRITES], 203 * 10);
    cr_expect_eq(c.global_sectors[IMG_READS], 203 * 10);
    cr_expect_eq(c.global_sectors[IMG_WRITES], 203 * 301);
    cr_expect_eq(c.shared_requests[IMG_READS], 0);
    cr_expect_eq(c.shared_requests[IMG_WRITES], 0);
}

/* A tile of bytes in shared memory is read by columns. Without padding (32 bytes per row), several
 * bytes of a column lie in different words of one bank. With 36 bytes per row, an odd number of
 * words, they do not. The result has 301 rows, each with 6 groups of 32 pixels and one of 11. */
Test(model, wavefronts_with_and_without_padding_match)
{
    need_model();
    ImgLaunchCounts plain = count("transpose", "cuda-tiled", gray);
    ImgLaunchCounts padded = count("transpose", "cuda-padded-bank", gray);
    cr_expect_eq(plain.shared_requests[IMG_READS], 301 * 7);
    cr_expect_eq(padded.shared_requests[IMG_READS], 301 * 7);
    /* With 32 bytes per row, the rows 0, 4, 8 ... 28 of a column are in the same bank. */
    cr_expect_eq(plain.shared_wavefronts[IMG_READS], 301 * (6 * 8 + 3));
    cr_expect_eq(padded.shared_wavefronts[IMG_READS], 301 * 7);
    cr_expect_eq(plain.shared_wavefronts[IMG_WRITES], 2240);
}

/* With four bytes per pixel a warp reads 128 bytes in 4 sectors. The last 13 pixels of a row are 52
 * bytes in 2 sectors. A warp writes its 32 pixels mirrored, to unaligned addresses, which takes 5
 * sectors: pixels 269 to 300, for example, begin at byte 1076 = 33 * 32 + 20. The last 13 pixels
 * become the pixels 0 to 12 of the row. */
Test(model, counts_of_a_flip_match)
{
    need_model();
    ImgLaunchCounts c = count("flip", "cuda-element", (ImgShape){301, 203, {IMG_COLOR_RGBA, 8}});
    cr_expect_eq(c.launches, 1);
    cr_expect_eq(c.global_requests[IMG_READS], 203 * 10);
    cr_expect_eq(c.global_sectors[IMG_READS], 203 * (9 * 4 + 2));
    cr_expect_eq(c.global_requests[IMG_WRITES], 203 * 10);
    cr_expect_eq(c.global_sectors[IMG_WRITES], 203 * (9 * 5 + 2));
}

/* A block sums 512 pixels in 9 rounds. There are 120 blocks of 16 warps. With neighbouring pairs
 * all warps diverge in the first five rounds. With sequential addressing only the first warp of a
 * block diverges. In the last block only 175 threads have a pixel, so its sixth warp diverges at
 * the read. */
Test(model, counts_of_a_sum_match)
{
    need_model();
    ImgLaunchCounts neighbours = count("sum", "cuda-neighbours", gray);
    ImgLaunchCounts sequential = count("sum", "cuda-sequential", gray);
    cr_expect_eq(neighbours.blocks, 120);
    cr_expect_eq(neighbours.warps, 120 * 16);
    cr_expect_eq(neighbours.split_warps, 120 * 16);
    cr_expect_eq(sequential.split_warps, 120 + 1);
    /* In the nine rounds 95 warps are active (see below). Each reads twice, and at the end thread 0
     * reads the sum. */
    cr_expect_eq(neighbours.shared_requests[IMG_READS], 120 * (2 * 95 + 1));
    /* Each thread writes once. Then the active warps of each round write, in one wavefront each.
     * Their numbers are 16 + 16 + 16 + 16 + 16 + 8 + 4 + 2 + 1 for neighbouring pairs, and 8 + 4 +
     * 2 + 1 + 5 * 1 for sequential addressing. */
    cr_expect_eq(neighbours.shared_wavefronts[IMG_WRITES], 120 * (16 + 95));
    cr_expect_eq(sequential.shared_wavefronts[IMG_WRITES], 120 * (16 + 20));
}

Test(model, counts_are_reproducible)
{
    need_model();
    ImgLaunchCounts first = count("histogram", "cuda-shared", gray);
    ImgLaunchCounts again = count("histogram", "cuda-shared", gray);
    cr_expect_arr_eq(&first, &again, sizeof first);
}

/* --- Errors ----------------------------------------------------------------------------------- */

static void expect_error(const char *op, const char *impl, ImgStatus status, const char *words)
{
    Trial trial;
    set_up(&trial, "transpose", gray);
    ImgStatus got = img_model_op(op, impl, trial.params.bytes, &trial.src.view, &trial.dst.view,
                                 &trial.counts, &trial.err);
    cr_expect_eq(got, status, "%s %s: %d", op, impl, (int)got);
    cr_expect_eq(trial.err.status, status);
    cr_expect(strstr(trial.err.message, words) != NULL, "%s", trial.err.message);
    tear_down(&trial);
}

Test(model, unsupported_kernels_are_named)
{
    need_model();
    expect_error("transpos", "cuda-tiled", IMG_E_USAGE, "'transpos'");
    expect_error("transpose", "cuda-tilted", IMG_E_USAGE, "'cuda-tilted'");
    expect_error("transpose", "reference", IMG_E_USAGE, "runs on the CPU");
    expect_error("histogram", "cuda-fast", IMG_E_USAGE, "not 203 x 301");
}

/* The implementation cuda-vector of rotate does not support quarter turns, and the message must say
 * so. */
Test(model, unsupported_parameters_are_named)
{
    need_model();
    Trial trial;
    set_up(&trial, "rotate", gray);
    cr_expect_eq(run(&trial, "cuda-vector"), IMG_E_UNSUPPORTED);
    cr_expect(strstr(trial.err.message, "'cuda-vector'") != NULL, "%s", trial.err.message);
    tear_down(&trial);
}

Test(model, a_build_without_the_model_says_so)
{
    Trial trial;
    set_up(&trial, "transpose", gray);
    cr_expect_eq(run(&trial, "cuda-tiled"), img_model_in_build() ? IMG_OK : IMG_E_UNAVAILABLE);
    tear_down(&trial);
}
