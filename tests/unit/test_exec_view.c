/* Tests of runs between pictures that the caller owns, and of progress functions that cancel a
 * run. */
#include <criterion/criterion.h>
#include <string.h>

#include "kernels/pipeline/pipeline.h"

enum { WIDTH = 5, HEIGHT = 3, FROM_STRIDE = 9, TO_STRIDE = 11, UNTOUCHED = 0xEE };

typedef struct Fixture {
    ImgStep steps[IMG_STEPS_MAX];
    size_t count;
    ImgShape after;
    uint8_t from[HEIGHT * FROM_STRIDE], to[16 * TO_STRIDE];
    ImgView from_view;
    ImgExec *exec;
} Fixture;

static void begin(Fixture *all, const char *text)
{
    const ImgFacts facts = {0};
    ImgError err = {IMG_OK, ""};
    uint64_t peak;
    const ImgShape shape = {WIDTH, HEIGHT, {IMG_COLOR_GRAY, 8}};
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 2};
    memset(all->from, 0, sizeof all->from);
    memset(all->to, UNTOUCHED, sizeof all->to);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            all->from[y * FROM_STRIDE + x] = (uint8_t)(16 * y + x);
    all->from_view = img_view_make(all->from, FROM_STRIDE, shape);
    cr_assert_eq(img_pipeline_parse(text, all->steps, &all->count, NULL, &err), IMG_OK, "%s",
                 err.message);
    cr_assert_eq(img_steps_plan(all->steps, all->count, shape, &facts, (ImgRoom){1, 0, false},
                                &all->after, &peak, &err),
                 IMG_OK, "%s", err.message);
    cr_assert_eq(img_exec_create(&config, &all->exec, NULL), IMG_OK);
}

static void end(Fixture *all)
{
    img_exec_destroy(all->exec);
}

/* Runs the steps of `text`, once with a result in memory of the caller and once in allocated
 * memory. Expects the result of img_exec_run on a copy of the picture. */
static void expect_same(const char *text)
{
    Fixture all;
    ImgImage image, result;
    ImgError err = {IMG_OK, ""};
    begin(&all, text);
    cr_assert_eq(img_image_alloc(img_view_shape(&all.from_view), &image, NULL), IMG_OK);
    for (size_t y = 0; y < HEIGHT; y++)
        memcpy(image.view.data + y * image.view.stride, all.from + y * FROM_STRIDE, WIDTH);
    ImgView to = img_view_make(all.to, TO_STRIDE, all.after), none = {.data = NULL};
    cr_assert_eq(
        img_exec_run_view(all.exec, all.steps, all.count, &all.from_view, &to, &result, NULL, &err),
        IMG_OK, "%s", err.message);
    cr_expect_null(result.view.data);
    cr_assert_eq(img_exec_run_view(all.exec, all.steps, all.count, &all.from_view, &none, &result,
                                   NULL, &err),
                 IMG_OK, "%s", err.message);
    cr_assert_eq(img_exec_run(all.exec, all.steps, all.count, &image, NULL, &err), IMG_OK, "%s",
                 err.message);
    cr_assert_eq(to.width, image.view.width, "%s", text);
    cr_assert_eq(to.height, image.view.height, "%s", text);
    const size_t row = (size_t)to.width * img_format_pixel_size(to.format);
    for (size_t y = 0; y < (size_t)to.height; y++) {
        const uint8_t *expected = image.view.data + y * image.view.stride;
        cr_expect_arr_eq(all.to + y * TO_STRIDE, expected, row, "%s, row %zu", text, y);
        cr_expect_arr_eq(result.view.data + y * result.view.stride, expected, row);
        for (size_t x = row; x < TO_STRIDE; x++)
            cr_expect_eq(all.to[y * TO_STRIDE + x], UNTOUCHED, "%s: a byte between rows", text);
    }
    cr_expect_eq(all.from[FROM_STRIDE + 2], 18, "the source has changed");
    img_image_free(&image);
    img_image_free(&result);
    end(&all);
}

Test(exec_view, results_go_to_the_given_place)
{
    expect_same("");
    expect_same("rotate");
    expect_same("rotate | flip");
    expect_same("rotate | flip | invert");
    expect_same("crop x=1 | blur sigma=1 | rotate angle=180");
}

Test(exec_view, steps_that_do_nothing_copy_the_picture)
{
    expect_same("autorotate");
    expect_same("rotate | autorotate");
    expect_same("autorotate | rotate | autorotate | autorotate");
}

/* The plan assumes that trim keeps the whole picture. The size of the result that the run finds may
 * be smaller. */
Test(exec_view, a_measured_size_may_be_smaller)
{
    expect_same("pad left=2 background=black | trim");
    expect_same("trim tolerance=100 | rotate");
    expect_same("trim | autorotate");
}

Test(exec_view, a_place_that_is_too_small_is_rejected)
{
    Fixture all;
    ImgImage result;
    ImgError err = {IMG_OK, ""};
    begin(&all, "rotate");
    ImgView to = img_view_make(all.to, TO_STRIDE, (ImgShape){2, HEIGHT, {IMG_COLOR_GRAY, 8}});
    cr_expect_eq(
        img_exec_run_view(all.exec, all.steps, all.count, &all.from_view, &to, &result, NULL, &err),
        IMG_E_USAGE);
    cr_expect_str_eq(err.message, "the result is 3 x 5 pixels, gray of 8 bits, and there is room "
                                  "for 2 x 3, gray of 8 bits");
    cr_expect_eq(all.to[0], UNTOUCHED);
    end(&all);
}

/* --- Progress --------------------------------------------------------------------------------- */

typedef struct Seen {
    int calls, stop_at;
    uint64_t done, total;
} Seen;

static ImgStatus look(void *context, uint64_t done, uint64_t total, ImgError *err)
{
    Seen *seen = context;
    cr_expect(seen->calls == 0 || done >= seen->done);
    seen->done = done;
    seen->total = total;
    return ++seen->calls == seen->stop_at ? img_fail(err, IMG_E_IO, "enough") : IMG_OK;
}

static ImgStatus run_seen(Fixture *all, Seen *seen, ImgError *err)
{
    ImgImage result;
    ImgView none = {.data = NULL};
    img_exec_set_progress(all->exec, (ImgExecProgress){look, seen});
    ImgStatus status = img_exec_run_view(all->exec, all->steps, all->count, &all->from_view, &none,
                                         &result, NULL, err);
    cr_expect_eq(result.view.data == NULL, status != IMG_OK);
    img_image_free(&result);
    return status;
}

Test(exec_view, passes_are_reported)
{
    Fixture all;
    ImgError err = {IMG_OK, ""};
    Seen seen = {.stop_at = 0};
    begin(&all, "rotate | flip | blur sigma=1");
    cr_expect_eq(run_seen(&all, &seen, &err), IMG_OK);
    cr_expect_eq(seen.calls, 4);
    cr_expect_eq(seen.done, 3);
    cr_expect_eq(seen.total, 3);
    end(&all);
}

Test(exec_view, a_progress_function_can_cancel)
{
    Fixture all;
    begin(&all, "rotate | flip | blur sigma=1");
    for (int stop_at = 1; stop_at <= 4; stop_at++) {
        ImgError err = {IMG_OK, ""};
        Seen seen = {.stop_at = stop_at};
        cr_expect_eq(run_seen(&all, &seen, &err), IMG_E_IO);
        cr_expect_str_eq(err.message, "enough");
        cr_expect_eq(seen.calls, stop_at);
    }
    end(&all);
}
