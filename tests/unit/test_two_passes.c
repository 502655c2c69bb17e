/* Tests of steps that measure their source in one pass over it, and compute the result in bands in
 * another pass. The result must equal the result of a run on the whole picture. */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/exec/exec.h"
#include "kernels/core/store.h"
#include "kernels/pipeline/pipeline.h"
#include "tests/unit/run_op.h"

enum { WIDTH = 37, HEIGHT = 67 };

static const ImgStorePlace PLACE = {.directory = "/tmp", .setting = "TMPDIR"};

static const ImgFormat formats[] = {{IMG_COLOR_GRAY, 1},  {IMG_COLOR_GRAY, 4},
                                    {IMG_COLOR_GRAY, 16}, {IMG_COLOR_GRAY_ALPHA, 8},
                                    {IMG_COLOR_RGB, 8},   {IMG_COLOR_RGBA, 16}};

static size_t parse(const char *text, ImgStep *steps)
{
    size_t count = 0;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_pipeline_parse(text, steps, &count, NULL, &err), IMG_OK, "%s", err.message);
    return count;
}

/* Makes a picture with margins of three rows and columns that trim removes. */
static ImgImage make_picture(ImgFormat format)
{
    const ImgShape shape = {WIDTH, HEIGHT, format};
    const size_t pixel = img_format_pixel_size(format);
    ImgImage image;
    uint8_t *pixels = random_picture(shape, 5);
    cr_assert_eq(img_image_alloc(shape, &image, NULL), IMG_OK);
    const ImgView from = img_view_make(pixels, WIDTH * pixel, shape);
    img_view_copy(&from, &image.view);
    free(pixels);
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++)
            if (x < 3 || y < 3 || x >= WIDTH - 3 || y >= HEIGHT - 3)
                memset(image.view.data + (size_t)y * image.view.stride + (size_t)x * pixel, 0,
                       pixel);
    return image;
}

static ImgExec *make_exec(int threads)
{
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = threads};
    ImgExec *exec;
    cr_assert_eq(img_exec_create(&config, &exec, NULL), IMG_OK);
    return exec;
}

static ImgShape plan(ImgStep *steps, size_t count, ImgShape src)
{
    const ImgFacts facts = {0};
    ImgShape dst;
    uint64_t peak;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(
        img_steps_plan(steps, count, src, &facts, (ImgRoom){1, 0, false}, &dst, &peak, &err),
        IMG_OK, "%s", err.message);
    return dst;
}

/* --- The source ------------------------------------------------------------------------------- */

typedef struct Giver {
    const ImgImage *image;
    int32_t first, end;  /* rows of the latest request: from `first` to `end` - 1 */
    int passes, rows_of; /* number of passes so far; number of the pass that fails, or 0 */
} Giver;

static void begin_pass(const ImgRowSource *source)
{
    Giver *giver = source->context;
    if (giver != NULL)
        *giver = (Giver){giver->image, 0, 0, giver->passes + 1, giver->rows_of};
}

static ImgStatus give(void *context, int32_t first, int32_t count, ImgView *rows, ImgError *err)
{
    Giver *giver = context;
    cr_assert(first >= giver->first && first + count >= giver->end && count > 0);
    giver->first = first;
    giver->end = first + count;
    *rows = img_view_crop(&giver->image->view, 0, first, giver->image->view.width, count);
    return giver->passes == giver->rows_of && first > 20
               ? img_fail(err, IMG_E_FORMAT, "no more rows")
               : IMG_OK;
}

/* --- Runs ------------------------------------------------------------------------------------- */

typedef struct Expected {
    const ImgView *whole;
    const char *what;
    atomic_int rows; /* number of rows that were compared */
} Expected;

static ImgStatus expect_band(void *context, int worker, int32_t first, const ImgView *rows,
                             ImgError *err)
{
    Expected *expected = context;
    const size_t bytes = (size_t)rows->width * img_format_pixel_size(rows->format);
    (void)worker, (void)err;
    cr_assert_eq(rows->width, expected->whole->width, "%s", expected->what);
    cr_assert_leq(first + rows->height, expected->whole->height, "%s", expected->what);
    for (int32_t y = 0; y < rows->height; y++)
        cr_assert_eq(memcmp(rows->data + (size_t)y * rows->stride,
                            expected->whole->data + (size_t)(first + y) * expected->whole->stride,
                            bytes),
                     0, "%s: row %d", expected->what, first + y);
    atomic_fetch_add(&expected->rows, rows->height);
    return IMG_OK;
}

/* A source, in order or in a store, and the parameters of the bands: kind of source, heights and
 * number of threads. */
typedef struct Way {
    ImgRowSource source;
    ImgBandsSource kind;
    ImgBandHeights heights;
    int threads;
} Way;

static ImgStatus run_bands(const char *text, const Way *way, const ImgView *whole, size_t measures,
                           ImgError *err)
{
    ImgStep steps[IMG_STEPS_MAX];
    const size_t count = parse(text, steps);
    const ImgRoom room = {way->threads, UINT64_MAX, way->kind == IMG_BANDS_IN_MEMORY};
    char what[128];
    ImgBandsPlan bands_plan;
    ImgMeasured measured = {0};
    ImgBands *bands = NULL;
    ImgRunReport report;
    ImgExec *exec = make_exec(way->threads);
    snprintf(what, sizeof what, "%s, %d rows, %d threads, %s", text, way->heights.rest,
             way->threads, way->kind == IMG_BANDS_IN_MEMORY ? "stored" : "in order");
    Expected expected = {whole, what, 0};
    const ImgBandSink sink = {expect_band, NULL, &expected};
    (void)plan(steps, count, way->source.shape);
    cr_assert(img_bands_plan(steps, count, way->source.shape, NULL, room, way->heights, way->kind,
                             &bands_plan),
              "%s", what);
    cr_assert_eq(bands_plan.measures, measures, "%s", what);
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < measures; i++) {
        begin_pass(&way->source);
        status = img_bands_measure(exec, steps, count, &way->source, way->heights, &measured, err);
    }
    if (status == IMG_OK)
        begin_pass(&way->source);
    if (status == IMG_OK)
        status =
            img_bands_begin(exec, steps, count, &way->source, way->heights, &measured, &bands, err);
    if (status == IMG_OK)
        status = img_bands_run(bands, &sink, err);
    cr_expect(status != IMG_OK || atomic_load(&expected.rows) == whole->height, "%s", what);
    img_bands_end(bands, &report);
    img_measured_free(&measured);
    img_exec_destroy(exec);
    return status;
}

static ImgImage run_whole(const char *text, const ImgImage *source)
{
    ImgStep steps[IMG_STEPS_MAX];
    const size_t count = parse(text, steps);
    ImgView to = {.data = NULL};
    ImgImage result;
    ImgError err = {IMG_OK, ""};
    ImgExec *exec = make_exec(2);
    (void)plan(steps, count, img_view_shape(&source->view));
    cr_assert_eq(img_exec_run_view(exec, steps, count, &source->view, &to, &result, NULL, &err),
                 IMG_OK, "%s", err.message);
    img_exec_destroy(exec);
    return result;
}

static ImgImage store_picture(ImgStore *store, const ImgImage *image)
{
    ImgImage stored;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_image_alloc_in(store, img_view_shape(&image->view), &stored, &err), IMG_OK,
                 "%s", err.message);
    cr_assert_eq(img_image_put(&stored, 0, &image->view, &err), IMG_OK, "%s", err.message);
    return stored;
}

/* Compares bands of several heights with the whole result, on one to three threads. */
static void check(const char *text, size_t measures, ImgFormat format)
{
    static const int32_t heights[] = {1, 7, 16, 31, HEIGHT, 200};
    const ImgImage source = make_picture(format);
    ImgImage whole = run_whole(text, &source);
    ImgStore *store;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_store_create(&PLACE, 1 << 20, &store, &err), IMG_OK);
    ImgImage stored = store_picture(store, &source);
    for (size_t i = 0; i < 2 * sizeof heights / sizeof *heights; i++) {
        Giver giver = {.image = &source, .rows_of = 0};
        Way way = {
            .source = {.shape = img_view_shape(&source.view), .rows = give, .context = &giver},
            .kind = IMG_BANDS_REPEATED,
            .heights = {heights[i / 2], heights[i / 2]},
            .threads = 1 + (int)i % 3};
        cr_assert_eq(run_bands(text, &way, &whole.view, measures, &err), IMG_OK, "%s", err.message);
        cr_assert_eq((size_t)giver.passes, measures + 1);
        way.source = (ImgRowSource){.shape = way.source.shape, .image = &stored};
        way.kind = IMG_BANDS_IN_MEMORY;
        cr_assert_eq(run_bands(text, &way, &whole.view, measures, &err), IMG_OK, "%s", err.message);
    }
    img_image_free(&stored);
    img_store_free(store);
    img_image_free(&whole);
    ImgImage own = source;
    img_image_free(&own);
}

Test(two_passes, steps_that_measure_give_the_result_of_the_whole_picture, .timeout = 120)
{
    static const char *const steps[] = {"equalize",
                                        "equalize channels=each",
                                        "autolevel",
                                        "autolevel channels=each clip=3",
                                        "threshold",
                                        "clahe",
                                        "clahe tiles=3 clip-limit=0",
                                        "clahe tiles=32",
                                        "trim"};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
            check(steps[s], 1, formats[f]);
}

Test(two_passes, each_step_that_measures_has_a_pass, .timeout = 120)
{
    const ImgFormat rgb = {IMG_COLOR_RGB, 8}, gray = {IMG_COLOR_GRAY, 16};
    check("blur sigma=2 | equalize", 1, rgb);
    check("equalize | blur sigma=2 | clahe", 2, rgb);
    check("trim | autolevel | resize 50% | threshold", 3, rgb);
    check("invert | gamma value=2 | clahe tiles=5 | trim", 2, gray);
    check("threshold value=9 | trim | median", 1, gray);
}

/* These steps measure the picture first. If the source can be read only once, they need the whole
 * picture in memory. */
Test(two_passes, a_source_that_is_read_once_cannot_be_measured)
{
    const ImgShape shape = {WIDTH, HEIGHT, {IMG_COLOR_RGB, 8}};
    static const char *const steps[] = {"equalize", "clahe", "trim", "threshold"};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        ImgStep step[IMG_STEPS_MAX];
        ImgBandsPlan bands_plan;
        (void)parse(steps[i], step);
        (void)plan(step, 1, shape);
        cr_expect_not(img_bands_plan(step, 1, shape, NULL, (ImgRoom){1, UINT64_MAX, false},
                                     (ImgBandHeights){8, 8}, IMG_BANDS_IN_ORDER, &bands_plan));
        cr_expect_not(img_bands_plan(step, 1, shape, NULL, (ImgRoom){1, UINT64_MAX, false},
                                     (ImgBandHeights){8, 8}, IMG_BANDS_IN_MEMORY, &bands_plan));
        /* The reference implementations have no form for two passes. With them, only steps with an
         * operation that measures (ImgOp.measured.by) can be planned. */
        cr_expect_eq(img_bands_plan(step, 1, shape, "reference", (ImgRoom){1, UINT64_MAX, false},
                                    (ImgBandHeights){8, 8}, IMG_BANDS_REPEATED, &bands_plan),
                     step->op->measured.by != NULL);
    }
}

Test(two_passes, a_source_that_fails_in_any_pass_ends_the_run)
{
    const ImgImage source = make_picture((ImgFormat){IMG_COLOR_RGB, 8});
    ImgImage whole = run_whole("blur | equalize | clahe", &source), own = source;
    for (int fails = 1; fails <= 3; fails++) {
        for (int threads = 1; threads <= 3; threads++) {
            Giver giver = {.image = &source, .rows_of = fails};
            ImgError err = {IMG_OK, ""};
            const Way way = {
                .source = {.shape = img_view_shape(&source.view), .rows = give, .context = &giver},
                .kind = IMG_BANDS_REPEATED,
                .heights = {7, 7},
                .threads = threads};
            cr_expect_eq(run_bands("blur | equalize | clahe", &way, &whole.view, 2, &err),
                         IMG_E_FORMAT);
            cr_expect_str_eq(err.message, "no more rows");
            cr_expect_eq(giver.passes, fails);
        }
    }
    img_image_free(&whole);
    img_image_free(&own);
}

/* --- Pictures in a store ---------------------------------------------------------------------- */

/* Runs steps on a picture in a store. Returns the number of passes in bands. */
static size_t run_stored(const char *text, const ImgImage *source, int threads)
{
    ImgStep steps[IMG_STEPS_MAX];
    const size_t count = parse(text, steps);
    ImgImage whole = run_whole(text, source);
    ImgStore *store;
    ImgRunReport report;
    ImgError err = {IMG_OK, ""};
    ImgExec *exec = make_exec(threads);
    size_t in_bands = 0;
    cr_assert_eq(img_store_create(&PLACE, 16 << 20, &store, &err), IMG_OK);
    ImgImage image = store_picture(store, source);
    img_exec_set_store(exec, store);
    (void)plan(steps, count, img_view_shape(&source->view));
    cr_assert_eq(img_exec_run(exec, steps, count, &image, &report, &err), IMG_OK, "%s: %s", text,
                 err.message);
    Expected expected = {&whole.view, text, 0};
    cr_assert_eq(image.view.height, whole.view.height, "%s", text);
    (void)expect_band(&expected, 0, 0, &image.view, &err);
    for (size_t i = 0; i < report.count; i++)
        in_bands += report.passes[i].in_bands;
    img_exec_destroy(exec);
    img_image_free(&image);
    img_image_free(&whole);
    img_store_free(store);
    return in_bands;
}

Test(two_passes, steps_on_a_stored_picture_run_in_bands_as_far_as_they_allow)
{
    static const struct {
        const char *steps;
        size_t in_bands; /* number of passes in bands, including the passes that measure */
    } chains[] = {{"median", 1},        {"resize 50% filter=box", 1}, {"clahe", 2},
                  {"trim | rotate", 3}, {"rotate | canny | blur", 2}, {"canny", 0}};
    for (int f = 0; f < 2; f++) {
        const ImgImage source = make_picture(f ? formats[5] : formats[4]);
        ImgImage own = source;
        for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
            for (int threads = 1; threads <= 3; threads++)
                cr_expect_eq(run_stored(chains[i].steps, &source, threads), chains[i].in_bands,
                             "%s", chains[i].steps);
        img_image_free(&own);
    }
}
