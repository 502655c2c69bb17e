/* Tests of pictures in temporary files (kernels/core/store.h). */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <string.h>

#include "kernels/core/exec/exec.h"
#include "kernels/core/image.h"
#include "kernels/core/params.h"
#include "kernels/core/store.h"
#include "kernels/registry.h"

enum { WIDTH = 1500, HEIGHT = 67 };
static const ImgShape SHAPE = {WIDTH, HEIGHT, {IMG_COLOR_RGB, 8}};

static ImgStore *store_of(uint64_t resident)
{
    ImgStore *store;
    ImgError err = {IMG_OK, ""};
    const ImgStorePlace place = {.directory = ".", .setting = "TMPDIR"};
    cr_assert_eq(img_store_create(&place, resident, &store, &err), IMG_OK, "%s", err.message);
    return store;
}

static void fill(const ImgView *view)
{
    const size_t row = (size_t)view->width * img_format_pixel_size(view->format);
    for (size_t y = 0; y < (size_t)view->height; y++)
        for (size_t x = 0; x < row; x++)
            view->data[y * view->stride + x] = (uint8_t)(x * 7 + y * 131 + x * y / 3);
}

static void expect_same(const ImgView *a, const ImgView *b)
{
    const size_t row = (size_t)a->width * img_format_pixel_size(a->format);
    cr_assert(a->width == b->width && a->height == b->height);
    for (size_t y = 0; y < (size_t)a->height; y++)
        cr_assert_arr_eq(a->data + y * a->stride, b->data + y * b->stride, row, "row %zu", y);
}

Test(store, an_image_is_written_and_read_with_and_without_its_mapping)
{
    ImgStore *store = store_of(1 << 20);
    ImgImage stored, source, part;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_image_alloc_in(store, SHAPE, &stored, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_image_alloc(SHAPE, &source, &err), IMG_OK);
    fill(&source.view);
    for (int32_t y = 0; y < HEIGHT; y += 10) {
        const int32_t rows = y + 10 < HEIGHT ? 10 : HEIGHT - y;
        const ImgView band = img_view_crop(&source.view, 0, y, WIDTH, rows);
        cr_assert_eq(img_image_put(&stored, y, &band, &err), IMG_OK, "%s", err.message);
    }
    expect_same(&stored.view, &source.view);
    stored.view.data[5] ^= 1; /* writes to the mapped file */
    source.view.data[5] ^= 1;
    cr_assert_eq(img_image_alloc((ImgShape){300, 20, SHAPE.format}, &part, &err), IMG_OK);
    for (int32_t x = 0; x <= WIDTH - 300; x += 400) {
        const ImgView wanted = img_view_crop(&source.view, x, x / 100, 300, 20);
        cr_assert_eq(img_image_get(&stored, x, x / 100, &part.view, &err), IMG_OK, "%s",
                     err.message);
        expect_same(&part.view, &wanted);
    }
    cr_expect_not(img_image_reshape(&stored, (ImgShape){3, 3, SHAPE.format}));
    cr_expect_geq(img_store_bytes(store), stored.size);
    img_image_free(&stored);
    img_image_free(&source);
    img_image_free(&part);
    img_store_free(store);
}

Test(store, short_rows_are_written_without_what_is_around_them)
{
    static const int32_t widths[] = {1, 341, 342, 1365};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        ImgStore *store = store_of(1 << 20);
        const ImgShape shape = {widths[i], 100, {IMG_COLOR_RGB, 8}};
        ImgImage stored, source;
        ImgError err = {IMG_OK, ""};
        cr_assert_eq(img_image_alloc_in(store, shape, &stored, &err), IMG_OK, "%s", err.message);
        cr_assert_eq(img_image_alloc(shape, &source, &err), IMG_OK);
        fill(&source.view);
        const ImgView before = img_view_crop(&source.view, 0, 0, widths[i], 3);
        const ImgView after = img_view_crop(&source.view, 0, 3, widths[i], 97);
        cr_assert_eq(img_image_put(&stored, 3, &after, &err), IMG_OK, "%s", err.message);
        cr_assert_eq(img_image_put(&stored, 0, &before, &err), IMG_OK, "%s", err.message);
        expect_same(&stored.view, &source.view);
        img_image_free(&stored);
        img_image_free(&source);
        img_store_free(store);
    }
}

Test(store, content_survives_that_its_pages_are_unmapped)
{
    enum { SIZE = 24 << 20 };
    /* With a limit of one mapped byte, the store unmaps pages as often as it can. */
    ImgStore *store = store_of(1);
    void *memory;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_store_alloc(store, SIZE, &memory, &err), IMG_OK, "%s", err.message);
    uint32_t *words = memory;
    for (uint32_t i = 0; i < SIZE / sizeof *words; i++)
        words[i] = i * 2654435761u;
    for (uint32_t i = 0; i < SIZE / sizeof *words; i++)
        cr_assert_eq(words[i], i * 2654435761u);
    img_store_release(store, memory);
    img_store_free(store);
}

Test(store, failures_name_the_directory_and_a_remedy)
{
    ImgStore *store;
    void *memory;
    ImgError err = {IMG_OK, ""};
    const ImgStorePlace place = {.directory = "no/such/directory", .setting = "TMPDIR"};
    cr_assert_eq(img_store_create(&place, 1 << 20, &store, &err), IMG_OK);
    cr_expect_eq(img_store_alloc(store, 4096, &memory, &err), IMG_E_IO);
    cr_expect(strstr(err.message, "no/such/directory") != NULL);
    cr_expect(strstr(err.message, "set TMPDIR to ") != NULL);
    img_store_free(store);
    store = store_of(1 << 20);
    img_error_clear(&err);
    cr_expect_neq(img_store_alloc(store, (size_t)1 << 50, &memory, &err), IMG_OK);
    cr_expect_null(memory);
    cr_expect_eq(img_store_bytes(store), 0);
    img_store_free(store);
}

static ImgStep step_of(const char *name, const char *param, const char *value)
{
    ImgStep step = {.strips = false};
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find(name, &step.op, &err), IMG_OK, "%s", err.message);
    img_params_init(step.op, &step.params);
    if (param != NULL)
        cr_assert_eq(img_params_set(step.op, &step.params, param, value, &err), IMG_OK, "%s",
                     err.message);
    return step;
}

static ImgImage run(const ImgStep *steps, size_t count, ImgStore *store)
{
    ImgStep own[4];
    ImgExec *exec;
    ImgImage image;
    ImgShape after;
    uint64_t peak;
    ImgError err = {IMG_OK, ""};
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 2};
    memcpy(own, steps, count * sizeof *own);
    cr_assert_eq(img_exec_create(&config, &exec, &err), IMG_OK);
    img_exec_set_store(exec, store);
    cr_assert_eq(img_image_alloc_in(store, SHAPE, &image, &err), IMG_OK);
    fill(&image.view);
    cr_assert_eq(img_steps_plan(own, count, SHAPE, &(ImgFacts){0},
                                (ImgRoom){2, UINT64_MAX, store != NULL}, &after, &peak, &err),
                 IMG_OK, "%s", err.message);
    cr_assert_eq(img_exec_run(exec, own, count, &image, NULL, &err), IMG_OK, "%s", err.message);
    img_exec_destroy(exec);
    return image;
}

Test(store, steps_on_a_picture_in_a_store_give_the_same_picture_in_the_store)
{
    const ImgStep steps[] = {
        step_of("rotate", "angle", "7.5"),
        step_of("equalize", NULL, NULL),
        step_of("blur", "sigma", "2"),
        step_of("trim", NULL, NULL),
    };
    for (size_t first = 0; first < 4; first++) {
        ImgStore *store = store_of(1 << 18);
        ImgImage in_memory = run(steps + first, 4 - first, NULL);
        ImgImage in_store = run(steps + first, 4 - first, store);
        cr_expect_eq(in_store.store, store);
        expect_same(&in_store.view, &in_memory.view);
        img_image_free(&in_memory);
        img_image_free(&in_store);
        img_store_free(store);
    }
}

typedef struct Expected {
    const ImgView *whole;
    atomic_int rows;
} Expected;

static ImgStatus expect_band(void *context, int worker, int32_t first, const ImgView *rows,
                             ImgError *err)
{
    Expected *expected = context;
    const ImgView wanted =
        img_view_crop(expected->whole, 0, first, expected->whole->width, rows->height);
    (void)worker;
    (void)err;
    expect_same(rows, &wanted);
    atomic_fetch_add(&expected->rows, rows->height);
    return IMG_OK;
}

/* Runs the steps in bands of `height` rows, with the picture in `store`, or in memory if `store` is
 * NULL. Expects the same result as a run on the whole picture. */
static void expect_bands(ImgStep *steps, size_t count, ImgStore *store, int threads, int32_t height)
{
    ImgImage whole = run(steps, count, NULL), image;
    ImgExec *exec;
    ImgBands *bands;
    ImgBandsPlan plan;
    ImgRunReport report;
    ImgError err = {IMG_OK, ""};
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = threads};
    const ImgBandHeights heights = {height, height};
    cr_assert_eq(img_image_alloc_in(store, SHAPE, &image, &err), IMG_OK);
    fill(&image.view);
    const ImgRowSource source = {.shape = SHAPE, .image = &image};
    cr_assert(img_bands_plan(steps, count, SHAPE, NULL, (ImgRoom){threads, 0, store != NULL},
                             heights, IMG_BANDS_IN_MEMORY, &plan));
    cr_assert_eq(img_exec_create(&config, &exec, &err), IMG_OK);
    cr_assert_eq(img_bands_begin(exec, steps, count, &source, heights, NULL, &bands, &err), IMG_OK,
                 "%s", err.message);
    Expected expected = {&whole.view, 0};
    const ImgBandSink sink = {expect_band, NULL, &expected};
    cr_assert_eq(img_bands_run(bands, &sink, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(atomic_load(&expected.rows), whole.view.height);
    img_bands_end(bands, &report);
    img_exec_destroy(exec);
    img_image_free(&image);
    img_image_free(&whole);
}

Test(store, pictures_are_turned_cropped_and_filtered_in_bands, .timeout = 120)
{
    ImgStep chains[][3] = {
        {step_of("rotate", "angle", "90"), step_of("blur", "sigma", "2"),
         step_of("gamma", "value", "1.4")},
        {step_of("flip", "axis", "vertical"), step_of("transpose", NULL, NULL),
         step_of("median", NULL, NULL)},
        {step_of("rotate", "angle", "7.5"), step_of("median", NULL, NULL),
         step_of("crop", "height", "31")},
        {step_of("resize", "size", "50%"), step_of("sharpen", NULL, NULL),
         step_of("resize", "size", "700x90")},
        {step_of("affine", "matrix", "0.9,0.1,5,0.3,1.1,-7"), step_of("invert", NULL, NULL),
         step_of("flip", NULL, NULL)},
        {step_of("sharpen", NULL, NULL), step_of("crop", "height", "31"),
         step_of("pad", "top", "40")},
        {step_of("median", NULL, NULL), step_of("transverse", NULL, NULL),
         step_of("flip", "axis", "horizontal")},
    };
    static const int32_t heights[] = {1, 7, 13, 64, 2000};
    ImgStore *store = store_of(1 << 18);
    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++)
        for (size_t h = 0; h < sizeof heights / sizeof *heights; h++)
            for (int threads = 1; threads <= 2; threads++)
                /* Bands of one row take long, because neighbouring bands need the same rows and
                 * compute them again. So they run with one thread only. */
                if (heights[h] > 1 || threads == 1)
                    expect_bands(chains[c], 3, (c + h) % 2 == 0 ? store : NULL, threads,
                                 heights[h]);
    img_store_free(store);
}
