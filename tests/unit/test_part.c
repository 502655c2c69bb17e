/* Tests of ImgOp.bands.part. From a rectangle of the source, the reference and the fastest
 * implementation must compute the same rows as the reference does from the whole source. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/color/palette.h"
#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/registry.h"
#include "tests/unit/run_op.h"
#include "tests/unit/sanitizers.h"

enum { WIDTH = 9 };

static const ImgFormat GRAY1 = {IMG_COLOR_GRAY, 1}, GRAY8 = {IMG_COLOR_GRAY, 8},
                       GRAY16 = {IMG_COLOR_GRAY, 16}, PALETTE4 = {IMG_COLOR_PALETTE, 4},
                       RGB8 = {IMG_COLOR_RGB, 8}, RGBA8 = {IMG_COLOR_RGBA, 8},
                       RGBA16 = {IMG_COLOR_RGBA, 16};

/* A step, a picture and the result of the reference implementation. */
typedef struct Whole {
    ImgStep step;
    ImgView src, dst;
    ImgConstants constants;
} Whole;

/* --- The whole result ------------------------------------------------------------------------- */

static ImgView view_of(ImgShape shape, void *pixels)
{
    return img_view_make(pixels, (size_t)shape.width * img_format_pixel_size(shape.format), shape);
}

static ImgView new_view(ImgShape shape)
{
    return view_of(shape, calloc((size_t)shape.width * (size_t)shape.height,
                                 img_format_pixel_size(shape.format)));
}

static void run(const Whole *whole, const ImgImpl *impl, const void *params,
                const ImgConstants *constants, const ImgView *src, const ImgView *dst)
{
    ImgError err = {IMG_OK, ""};
    const ImgCall call = {.op = whole->step.op,
                          .src = *src,
                          .dst = *dst,
                          .params = params,
                          .constants = *constants,
                          .threads = 2};
    cr_assert_eq(impl->run(&call, &err), IMG_OK, "%s", err.message);
}

/* Clears two rows and columns at each edge, so that trim removes them. */
static void clear_margins(const ImgView *view)
{
    const size_t pixel = img_format_pixel_size(view->format);
    for (int32_t y = 0; y < view->height; y++)
        for (int32_t x = 0; x < view->width; x++)
            if (x < 2 || y < 2 || x >= view->width - 2 || y >= view->height - 2)
                memset(view->data + (size_t)y * view->stride + (size_t)x * pixel, 0, pixel);
}

/* Completes parameters that depend on the picture. */
static void bind(ImgStep *step, const ImgView *src)
{
    const ImgOp *op = step->op;
    const ImgShape shape = img_view_shape(src);
    ImgPalette palette = {.colors = {{0, 0, 0, 255}}, .count = 1, .room = 16};
    ImgShape measured;
    if (shape.format.color == IMG_COLOR_PALETTE && op->palette.bind != NULL)
        cr_assert(op->palette.bind(step->params.bytes, shape, &palette));
    if (op->measured.by == NULL)
        return;
    if (op->measured.by->shape(shape, step->params.bytes, &measured, NULL) != IMG_OK)
        return;
    uint64_t *counts = calloc((size_t)measured.width, sizeof *counts);
    const ImgView table = img_view_make(counts, (size_t)measured.width * sizeof *counts, measured);
    const ImgCall call = {.op = op->measured.by,
                          .src = *src,
                          .dst = table,
                          .params = step->params.bytes,
                          .threads = 1};
    clear_margins(src);
    cr_assert_eq(op->measured.by->impls[0].run(&call, NULL), IMG_OK);
    op->measured.take(step->params.bytes, shape, &table);
    free(counts);
}

/* Returns false if the operation rejects the picture. */
static bool make_whole(const ImgStep *step, ImgShape shape, Whole *whole)
{
    ImgError err = {IMG_OK, ""};
    ImgShape result;
    *whole = (Whole){.step = *step, .src = view_of(shape, random_picture(shape, 3))};
    bind(&whole->step, &whole->src);
    const void *params = whole->step.params.bytes;
    if (step->op->shape(shape, params, &result, NULL) != IMG_OK) {
        free(whole->src.data);
        return false;
    }
    cr_assert_eq(img_op_prepare(step->op, shape, params, &whole->constants, &err), IMG_OK, "%s",
                 err.message);
    whole->dst = new_view(result);
    run(whole, &step->op->impls[0], params, &whole->constants, &whole->src, &whole->dst);
    return true;
}

static void free_whole(Whole *whole)
{
    img_constants_free(&whole->constants);
    free(whole->src.data);
    free(whole->dst.data);
}

/* --- Parts of the result ---------------------------------------------------------------------- */

static void expect_equal(const Whole *whole, const ImgPart *part, ImgRect wanted,
                         const ImgView *result, const char *impl)
{
    const size_t pixel = img_format_pixel_size(result->format);
    for (int32_t y = 0; y < wanted.height; y++)
        cr_assert_eq(memcmp(result->data + (size_t)(part->skip + y) * result->stride,
                            whole->dst.data + (size_t)(wanted.y + y) * whole->dst.stride +
                                (size_t)wanted.x * pixel,
                            (size_t)wanted.width * pixel),
                     0, "%s, %s: row %d of %d x %d at (%d, %d); %d x %d at (%d, %d), skip %d",
                     whole->step.op->name, impl, y, wanted.width, wanted.height, wanted.x, wanted.y,
                     part->src.width, part->src.height, part->src.x, part->src.y, part->skip);
}

static void expect_valid(const Whole *whole, const ImgPart *part, ImgRect wanted, ImgShape *result)
{
    const ImgRect rect = part->src;
    const ImgShape shape = {rect.width, rect.height, whole->src.format};
    ImgError err = {IMG_OK, ""};
    cr_assert(rect.x >= 0 && rect.y >= 0 && rect.width > 0 && rect.height > 0 &&
              rect.width <= whole->src.width - rect.x && rect.height <= whole->src.height - rect.y);
    cr_assert_eq(whole->step.op->shape(shape, part->params.bytes, result, &err), IMG_OK, "%s",
                 err.message);
    cr_assert(part->skip >= 0 && result->height - part->skip >= wanted.height);
    cr_assert_eq(result->width, wanted.width);
    cr_assert(result->format.color == whole->dst.format.color &&
              result->format.bits == whole->dst.format.bits);
}

/* Returns a copy of a view without gaps between rows, so that sanitizers report accesses beyond its
 * end. The caller frees its pixels. */
static ImgView copy_of(const ImgView *view)
{
    const ImgView copy = new_view(img_view_shape(view));
    img_view_copy(view, &copy);
    return copy;
}

/* Computes `part` with the reference, from a view of the source, and with the fastest
 * implementation, from a copy. Expects that both results equal the rectangle `wanted` of the whole
 * result. */
static void expect_part(const Whole *whole, const ImgPart *part, ImgRect wanted)
{
    const ImgOp *op = whole->step.op;
    const ImgRect rect = part->src;
    const ImgImpl *fastest;
    ImgConstants own;
    ImgShape shape;
    expect_valid(whole, part, wanted, &shape);
    const ImgView src = img_view_crop(&whole->src, rect.x, rect.y, rect.width, rect.height);
    const ImgView dst = new_view(shape);
    cr_assert_eq(img_impl_fastest(op, IMG_BACKEND_CPU, img_view_shape(&src), part->params.bytes,
                                  &fastest, NULL),
                 IMG_OK);
    cr_assert_eq(
        img_op_part_constants(op, img_view_shape(&whole->src), part, &whole->constants, &own, NULL),
        IMG_OK);
    const ImgConstants *constants = own.bytes != NULL ? &own : &whole->constants;
    run(whole, &op->impls[0], part->params.bytes, constants, &src, &dst);
    expect_equal(whole, part, wanted, &dst, "reference");
    const ImgView copy = copy_of(&src);
    run(whole, fastest, part->params.bytes, constants, &copy, &dst);
    expect_equal(whole, part, wanted, &dst, fastest->name);
    img_constants_free(&own);
    free(copy.data);
    free(dst.data);
}

static void expect_rows(const Whole *whole, ImgRows wanted)
{
    const ImgRect rect = {0, wanted.first, whole->dst.width, wanted.end - wanted.first};
    ImgPart part;
    cr_assert(img_op_part(whole->step.op, img_view_shape(&whole->src), whole->step.params.bytes,
                          wanted, &part));
    expect_part(whole, &part, rect);
}

/* Checks three tiles of up to 11 columns with the given rows, if the operation supports tiles. */
static void expect_tiles(const Whole *whole, ImgRows rows)
{
    const ImgShape src = img_view_shape(&whole->src);
    const int32_t width = whole->dst.width;
    for (int32_t x = 0; x < width; x += width / 3 + 1) {
        const int32_t side = width - x < 11 ? width - x : 11;
        const ImgRect wanted = {x, rows.first, side, rows.end - rows.first};
        ImgPart part;
        if (!img_op_tile(whole->step.op, src, whole->step.params.bytes, wanted, &part))
            return;
        expect_part(whole, &part, wanted);
    }
}

/* Checks bands of a result: all possible bands if the result is low, some of them if it is high.
 * Returns false if the operation rejects the picture. */
static bool expect_bands(const ImgStep *step, ImgShape shape)
{
    Whole whole;
    if (!make_whole(step, shape, &whole))
        return false;
    const int32_t height = whole.dst.height;
    const int32_t jump = height < 14 ? 1 : height < 100 ? 5 : 23;
    for (int32_t first = 0; first < height; first += jump)
        for (int32_t end = first + 1; end <= height; end += height < 14 ? 1 : 2 * jump + 3)
            expect_rows(&whole, (ImgRows){first, end});
    for (int32_t first = 0; first < height; first += 3 * jump)
        expect_tiles(&whole, (ImgRows){first, first + 1 < height ? first + 2 : height});
    expect_rows(&whole, (ImgRows){0, height});
    expect_rows(&whole, (ImgRows){height - 1, height});
    free_whole(&whole);
    return true;
}

/* --- Operations that move pixels -------------------------------------------------------------- */

/* Checks a step on pictures of several shapes and formats, and fails the test if the operation
 * rejects all of them. */
static void check_step(const ImgStep *step)
{
    static const int32_t sizes[][2] = {{1, 1}, {13, 1}, {1, 13}, {13, 11}, {150, 6}, {5, 131}};
    const ImgFormat formats[] = {GRAY1, GRAY8, GRAY16, PALETTE4, RGB8, RGBA16};
    bool any = false;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
            if ((s + f) % EVERY(3) == 0)
                any |= expect_bands(step, (ImgShape){sizes[s][0], sizes[s][1], formats[f]});
    cr_assert(any, "%s rejects all pictures", step->op->name);
}

static void check(const char *name, const char *options)
{
    const ImgStep step = step_of(name, options);
    check_step(&step);
}

static const char *const gravities[] = {"northwest", "north",     "northeast", "west",     "center",
                                        "east",      "southwest", "south",     "southeast"};

/* Returns a step with options and one of the gravities. */
static ImgStep step_at(const char *name, const char *options, int gravity)
{
    char text[256];
    snprintf(text, sizeof text, "%s gravity=%s", options, gravities[gravity]);
    return step_of(name, text);
}

Test(part, turns_need_some_rows_or_columns)
{
    check("rotate", "angle=90");
    check("rotate", "angle=180");
    check("rotate", "angle=270");
    check("rotate", "angle=360");
    check("flip", "axis=horizontal");
    check("flip", "axis=vertical");
    check("transpose", "");
    check("transverse", "");
    for (int orientation = 1; orientation <= 8; orientation++) {
        char options[32];
        snprintf(options, sizeof options, "orientation=%d", orientation);
        check("autorotate", options);
    }
}

Test(part, crops_need_their_rectangle, .timeout = 120)
{
    static const char *const options[] = {"x=1 y=2",
                                          "width=1 height=1",
                                          "width=3 height=5 x=1 y=1",
                                          "width=4 height=9 x=-3 y=-2 clamp=yes",
                                          "width=500 height=7 x=2 y=-1 clamp=yes",
                                          "aspect=3:2",
                                          "aspect=1:7",
                                          "aspect=2:1 width=4"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        for (int gravity = 0; gravity < 9; gravity++) {
            const ImgStep step = step_at("crop", options[i], gravity);
            check_step(&step);
        }
    check("crop", "width=2 height=3 x=1");
    check("crop", "aspect=16:9");
}

Test(part, trimmed_pictures_need_the_measured_rectangle)
{
    check("trim", "");
    check("trim", "tolerance=10");
    check("trim", "background=#000");
}

Test(part, quantized_pictures_need_their_own_rows)
{
    check("quantize", "colors=5 dither=none");
    check("quantize", "colors=9 dither=ordered");
    const ImgStep errors = step_of("quantize", "");
    const ImgShape shape = {9, 9, {IMG_COLOR_RGB, 8}};
    ImgPart part;
    cr_expect_not(img_op_part(errors.op, shape, errors.params.bytes, (ImgRows){0, 3}, &part));
}

Test(part, pads_of_every_border_need_the_rows_that_they_show, .timeout = 240)
{
    static const char *const options[] = {"left=3",
                                          "top=2",
                                          "bottom=40",
                                          "top=300 right=1",
                                          "left=1 top=17 right=2 bottom=9",
                                          "size=171x140",
                                          "size=x131",
                                          "size=130%",
                                          "size=300% top=2",
                                          "aspect=16:9",
                                          "aspect=1:3 left=1 bottom=5"};
    for (int border = 0; border < 4; border++)
        for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
            char text[128];
            snprintf(text, sizeof text, "%s border=%s background=%s", options[i],
                     border_names[border], i % 2 == 0 ? "white" : "transparent");
            for (int gravity = (int)i % 4; gravity < 9; gravity += 4) {
                const ImgStep step = step_at("pad", text, gravity);
                check_step(&step);
            }
        }
    check("pad", "top=5 background=#ff0000");
}

static ImgPicture *make_logo(void)
{
    const ImgShape shape = {5, 3, RGBA8};
    const size_t size = (size_t)(shape.width * shape.height) * img_format_pixel_size(shape.format);
    ImgPicture *logo = malloc(sizeof *logo + size);
    void *pixels = random_picture(shape, 8);
    logo->shape = shape;
    memcpy(logo->pixels, pixels, size);
    free(pixels);
    return logo;
}

Test(part, overlays_need_the_same_rows, .timeout = 120)
{
    static const char *const options[] = {"",
                                          "x=2 y=1",
                                          "x=-3 y=-2 opacity=0.5",
                                          "tile=on",
                                          "tile=on x=-7 y=100",
                                          "x=1 y=2147483647",
                                          "y=-2147483647",
                                          "y=40"};
    ImgPicture *logo = make_logo();
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        for (int gravity = 0; gravity < 9; gravity++) {
            ImgStep step = step_at("overlay", options[i], gravity);
            cr_assert_eq(img_params_set(step.op, &step.params, "image", "logo.png", NULL), IMG_OK);
            img_params_set_content(img_param_find(step.op, "image"), &step.params, logo);
            check_step(&step);
        }
    free(logo);
}

/* --- Warps ------------------------------------------------------------------------------------ */

static const char *const filters[] = {"nearest", "bilinear", "bicubic", "lanczos3", "lanczos4"};

static void check_filters(const char *name, const char *options)
{
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        char text[160];
        snprintf(text, sizeof text, "%s filter=%s", options, filters[i]);
        check(name, text);
    }
}

/* Checks all four borders, each with another filter. `number` is the index of the filter for the
 * first border, modulo 5. */
static void check_borders(const char *name, const char *options, int number)
{
    for (int border = 0; border < 4; border++) {
        char text[160];
        snprintf(text, sizeof text, "%s border=%s filter=%s", options, border_names[border],
                 filters[(number + border) % 5]);
        check(name, text);
    }
}

Test(part, rotations_need_the_rectangle_around_their_positions, .timeout = 240)
{
    check_filters("rotate", "angle=7.5");
    check_filters("rotate", "angle=-100.25 size=keep background=white");
    check_filters("rotate", "angle=45 size=inside");
    check_filters("rotate", "angle=179.999 background=#ff0000");
}

Test(part, affine_maps_need_the_rectangle_around_their_positions, .timeout = 240)
{
    check_borders("affine", "matrix=1,0.2,0.3,0,1,0", 0);
    check_borders("affine", "matrix=0.3,0,0,0.1,0.25,2 size=30x21", 1);
    check_borders("affine", "matrix=-1.7,0.4,30,0.2,2.1,-60 size=120%", 2);
    check_borders("affine", "matrix=1,0,3,0,1,-5", 3);
    check_borders("affine", "matrix=1,0,700000,0,1,-300000", 4);
}

Test(part, perspective_needs_the_rectangle_around_its_positions, .timeout = 240)
{
    check_borders("perspective", "corners=1,1,12,0,13,9,2,11 size=40x30", 0);
    check_borders("perspective", "corners=-5,-3,160,2,140,15,0,9", 1);
    check_borders("perspective", "size=30x20", 2);
}

/* --- Resize ----------------------------------------------------------------------------------- */

Test(part, resizes_need_the_rows_under_their_filter, .timeout = 240)
{
    static const char *const all[] = {"nearest", "box", "bilinear", "bicubic", "lanczos3"};
    static const char *const options[] = {"size=50%",
                                          "size=30%",
                                          "size=250%",
                                          "size=1%",
                                          "size=20x16 fit=fill linear=yes",
                                          "size=x40 fit=outside",
                                          "size=20x13 fit=cover gravity=southeast",
                                          "size=60x50 fit=contain",
                                          "size=9x70 fit=contain background=#ff0000 gravity=south",
                                          "size=100% fit=fill"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        for (size_t f = i % 2; f < sizeof all / sizeof all[0]; f += 2) {
            char text[160];
            snprintf(text, sizeof text, "%s filter=%s", options[i], all[f]);
            check("resize", text);
        }
}

/* --- Operations that read the pixels around a pixel ------------------------------------------- */

static void check_window(const char *name, const char *options)
{
    static const int32_t heights[] = {1, 6, 47, 150};
    for (size_t b = 0; b < 4; b++) {
        char text[128];
        snprintf(text, sizeof text, "%s border=%s", options, border_names[b]);
        const ImgStep step = step_of(name, text);
        for (size_t h = 0; h < sizeof heights / sizeof heights[0]; h++) {
            if ((b + h) % EVERY(2) == 0)
                cr_assert(expect_bands(&step, (ImgShape){WIDTH, heights[h], RGBA8}));
            if ((b + h + 1) % EVERY(2) == 0)
                cr_assert(expect_bands(&step, (ImgShape){WIDTH, heights[h], GRAY16}));
        }
    }
}

Test(part, windows_of_a_few_rows_need_only_those, .timeout = 120)
{
    check_window("sobel", "direction=both");
    check_window("laplacian", "neighbours=8");
    check_window("convolve", "kernel=1,2,3,4,5,6,7,8,9");
    check_window("median", "radius=3");
    check_window("bilateral", "radius=2");
    check_window("denoise", "search-radius=2 patch-radius=1");
}

Test(part, rectangles_with_even_sides_need_only_their_rows, .timeout = 120)
{
    for (int i = 0; i < 4; i++) {
        const char *const name = (const char *const[]){"erode", "dilate", "open", "close"}[i];
        check_window(name, "size=3x6");
        check_window(name, "size=x11");
    }
}

Test(part, blurs_of_every_factor_need_only_their_rows, .timeout = 120)
{
    check_window("blur", "sigma=0.1");
    check_window("blur", "sigma=1.3");
    check_window("blur", "sigma=3");
    check_window("blur", "sigma=9");
    check_window("blur", "sigma=30");
    check_window("sharpen", "sigma=4");
    check_window("boxblur", "radius=4");
}

/* --- Other operations ------------------------------------------------------------------------- */

/* Dither patterns repeat every 8 rows. The first needed row is a multiple of 8, so that the pattern
 * does not shift. */
Test(part, point_operations_need_the_requested_rows)
{
    const ImgStep gamma = step_of("gamma", "value=2");
    const ImgStep dither = step_of("depth", "bits=8 dither=ordered");
    ImgPart part;
    cr_assert(img_op_part(gamma.op, (ImgShape){WIDTH, 99, GRAY16}, gamma.params.bytes,
                          (ImgRows){19, 40}, &part));
    cr_expect_eq(part.src.y, 16);
    cr_expect_eq(part.src.height, 24);
    cr_expect_eq(part.skip, 3);
    cr_expect(expect_bands(&gamma, (ImgShape){WIDTH, 40, RGBA8}));
    cr_expect(expect_bands(&dither, (ImgShape){WIDTH, 40, GRAY16}));
}

Test(part, other_operations_need_the_whole_picture)
{
    const ImgStep equalize = step_of("equalize", "channels=luma"), canny = step_of("canny", "");
    const ImgShape shape = {WIDTH, 99, RGBA8};
    ImgPart part;
    cr_expect_not(img_op_part(equalize.op, shape, equalize.params.bytes, (ImgRows){19, 40}, &part));
    cr_expect_not(img_op_part(canny.op, shape, canny.params.bytes, (ImgRows){19, 40}, &part));
}

/* Returns true if an operation with parts runs with its defaults, without options and without
 * properties of a file, and also has parts then. */
static bool runs_with_defaults(const ImgOp *op)
{
    const ImgShape shape = {9, 9, {IMG_COLOR_RGB, 8}};
    ImgPart part;
    if (op->bands.part == NULL || op->needs_param || op->facts.bind != NULL)
        return false;
    const ImgStep step = step_of(op->name, "");
    return img_op_part(op, shape, step.params.bytes, (ImgRows){0, 9}, &part);
}

/* A new operation is tested here, also if no other test names it. */
Test(part, operations_have_parts_with_their_defaults, .timeout = 240)
{
    for (size_t i = 0; img_ops[i] != NULL; i++)
        if (runs_with_defaults(img_ops[i]))
            check(img_ops[i]->name, "");
}

/* Each other operation with parts must be in one of the tests above. */
Test(part, no_operation_is_left_out)
{
    static const char *const tested[] = {"affine", "resize",  "perspective", "autorotate", "crop",
                                         "pad",    "overlay", "convolve",    "quantize"};
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        bool found = img_ops[i]->bands.part == NULL || runs_with_defaults(img_ops[i]);
        for (size_t t = 0; t < sizeof tested / sizeof tested[0]; t++)
            found |= strcmp(img_ops[i]->name, tested[t]) == 0;
        cr_expect(found, "%s", img_ops[i]->name);
    }
}

/* --- Rectangles worked out by hand ------------------------------------------------------------ */

static void expect_rectangle(const char *name, const char *options, ImgShape shape, ImgRows wanted,
                             ImgRect rect, int32_t skip)
{
    const ImgStep step = step_of(name, options);
    ImgPart part;
    cr_assert(img_op_part(step.op, shape, step.params.bytes, wanted, &part));
    cr_expect(part.src.x == rect.x && part.src.y == rect.y && part.src.width == rect.width &&
                  part.src.height == rect.height && part.skip == skip,
              "%s %s: %d x %d at (%d, %d), skip %d", name, options, part.src.width, part.src.height,
              part.src.x, part.src.y, part.skip);
}

Test(part, rectangles_by_hand)
{
    const ImgShape shape = {30, 20, RGB8};
    expect_rectangle("rotate", "angle=90", shape, (ImgRows){3, 7}, (ImgRect){3, 0, 4, 20}, 0);
    expect_rectangle("rotate", "angle=270", shape, (ImgRows){3, 7}, (ImgRect){23, 0, 4, 20}, 0);
    expect_rectangle("rotate", "angle=180", shape, (ImgRows){3, 7}, (ImgRect){0, 13, 30, 4}, 0);
    expect_rectangle("flip", "axis=horizontal", shape, (ImgRows){3, 7}, (ImgRect){0, 3, 30, 4}, 0);
    expect_rectangle("crop", "width=8 height=6 x=1 y=2 gravity=southeast", shape, (ImgRows){1, 4},
                     (ImgRect){21, 13, 8, 3}, 0);
    /* Rows 2 to 5 of the result are background. Rows 10 to 13 are rows 1 to 4 of the source. The
     * part also has one row of background above them, which is skipped. */
    expect_rectangle("pad", "top=9", shape, (ImgRows){2, 6}, (ImgRect){0, 0, 30, 1}, 0);
    expect_rectangle("pad", "top=9", shape, (ImgRows){10, 14}, (ImgRect){0, 1, 30, 4}, 1);
    /* Rows 20 to 27 of the source have a weight. The part also contains rows 28 and 29, whose
     * weights are 0. */
    expect_rectangle("resize", "size=50% filter=box", (ImgShape){30, 40, RGB8}, (ImgRows){10, 14},
                     (ImgRect){0, 20, 30, 10}, 0);
    /* rows -7 to -4 of the source are rows 7 to 4, mirrored at row 3 */
    expect_rectangle("pad", "top=9 border=reflect", shape, (ImgRows){2, 6}, (ImgRect){0, 3, 30, 5},
                     0);
}

/* A tile of 10 x 10 pixels in the middle of a picture that is rotated by 45 degrees spans 15 source
 * pixels along each axis; the filter reads a few more around them. A whole row of the result spans
 * a diagonal of the source. */
Test(part, tiles_need_small_rectangles)
{
    const ImgStep step = step_of("rotate", "angle=45 size=keep"), turn = step_of("rotate", "");
    const ImgShape shape = {1000, 1000, RGB8};
    ImgPart part;
    cr_assert(img_op_tile(step.op, shape, step.params.bytes, (ImgRect){495, 495, 10, 10}, &part));
    cr_expect(part.src.x > 480 && part.src.width < 28, "%d from %d", part.src.width, part.src.x);
    cr_expect(part.src.y > 480 && part.src.height < 28, "%d from %d", part.src.height, part.src.y);
    cr_assert(img_op_part(step.op, shape, step.params.bytes, (ImgRows){495, 505}, &part));
    cr_expect(part.src.width > 700 && part.src.height > 700);
    cr_expect_not(
        img_op_tile(turn.op, shape, turn.params.bytes, (ImgRect){495, 495, 10, 10}, &part));
}

/* The picture 1 2 3, 4 5 6 becomes 4 1, 5 2, 6 3. */
Test(part, a_quarter_turn_by_hand)
{
    static uint8_t picture[] = {1, 2, 3, 4, 5, 6}, turned[2];
    const ImgStep step = step_of("rotate", "angle=90");
    const ImgShape shape = {3, 2, GRAY8};
    const ImgView whole = view_of(shape, picture);
    ImgPart part;
    cr_assert(img_op_part(step.op, shape, step.params.bytes, (ImgRows){1, 2}, &part));
    const ImgCall call = {
        .op = step.op,
        .src = img_view_crop(&whole, part.src.x, part.src.y, part.src.width, part.src.height),
        .dst = view_of((ImgShape){2, 1, GRAY8}, turned),
        .params = part.params.bytes,
        .threads = 1};
    cr_assert_eq(step.op->impls[0].run(&call, NULL), IMG_OK);
    cr_expect_eq(turned[0], 5);
    cr_expect_eq(turned[1], 2);
}
