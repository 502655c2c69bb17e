/* The ground everything stands on: errors, shapes and sizes, parameters, suggestions, choice. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "kernels/core/crew.h"
#include "kernels/core/image.h"
#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/core/suggest.h"
#include "kernels/registry.h"

static const ImgFormat RGB8 = {IMG_COLOR_RGB, 8};

static const ImgOp *op_named(const char *name)
{
    const ImgOp *op = NULL;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find(name, &op, &err), IMG_OK, "%s", err.message);
    return op;
}

Test(status, first_failure_wins)
{
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_fail(&err, IMG_E_IO, "first %d", 1), IMG_E_IO);
    cr_assert_eq(img_fail(&err, IMG_E_MEMORY, "second"), IMG_E_IO);
    cr_assert_str_eq(err.message, "first 1");
}

Test(status, prefix_goes_before_the_message_and_leaves_success_alone)
{
    ImgError err = {IMG_OK, ""};
    img_error_prefix(&err, "in.png");
    cr_assert_str_eq(err.message, "");
    img_fail(&err, IMG_E_IO, "no such file");
    img_error_prefix(&err, "%s.png", "in");
    cr_assert_str_eq(err.message, "in.png: no such file");
}

Test(status, a_message_that_is_too_long_is_cut_and_ends)
{
    ImgError err = {IMG_OK, ""};
    char text[2 * IMG_MESSAGE_SIZE];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    img_fail(&err, IMG_E_IO, "%s", text);
    cr_assert_eq(strlen(err.message), IMG_MESSAGE_SIZE - 1);
    img_error_prefix(&err, "%s", text);
    cr_assert_eq(strlen(err.message), IMG_MESSAGE_SIZE - 1);
}

typedef struct Tally {
    atomic_int next, sum, workers;
} Tally;

static void add_what_is_left(void *context, int worker)
{
    Tally *tally = context;
    atomic_fetch_or(&tally->workers, 1 << worker);
    for (int i; (i = atomic_fetch_add(&tally->next, 1)) < 1000;)
        atomic_fetch_add(&tally->sum, i);
}

Test(crew, takes_all_work_once_with_any_number_of_threads)
{
    for (int threads = -1; threads <= 9; threads++) {
        Tally tally = {0};
        int ran = img_crew_run(threads, add_what_is_left, &tally);
        cr_expect(ran >= 1 && ran <= (threads > 1 ? threads : 1));
        cr_expect_eq(atomic_load(&tally.sum), 999 * 1000 / 2);
        cr_expect_eq(atomic_load(&tally.workers), (1 << ran) - 1, "each worker has its number");
    }
}

Test(image, pixel_sizes)
{
    static const struct {
        ImgFormat format;
        size_t size;
    } cases[] = {
        {{IMG_COLOR_GRAY, 1}, 1},    {{IMG_COLOR_GRAY, 8}, 1},
        {{IMG_COLOR_PALETTE, 4}, 1}, {{IMG_COLOR_GRAY_ALPHA, 8}, 2},
        {{IMG_COLOR_GRAY, 16}, 2},   {{IMG_COLOR_RGB, 8}, 3},
        {{IMG_COLOR_RGBA, 8}, 4},    {{IMG_COLOR_GRAY_ALPHA, 16}, 4},
        {{IMG_COLOR_RGB, 16}, 6},    {{IMG_COLOR_RGBA, 16}, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_eq(img_format_pixel_size(cases[i].format), cases[i].size);
}

Test(image, small_rows_are_packed)
{
    size_t bytes = 0;
    cr_assert_eq(img_shape_bytes((ImgShape){1, 200000, RGB8}, &bytes, NULL), IMG_OK);
    cr_assert_eq(bytes, 600000);
}

Test(image, long_rows_start_at_cache_lines_and_not_a_page_apart)
{
    ImgImage image;
    cr_assert_eq(img_image_alloc((ImgShape){4096, 3, {IMG_COLOR_GRAY, 8}}, &image, NULL), IMG_OK);
    cr_assert_eq(image.view.stride % 64, 0);
    cr_assert_neq(image.view.stride % 4096, 0);
    cr_assert_eq((uintptr_t)image.view.data % 64, 0);
    cr_assert_geq(image.size, 3 * image.view.stride);
    img_image_free(&image);
    cr_assert_null(image.view.data);
}

Test(image, sizes_that_do_not_fit_are_refused)
{
    ImgError err = {IMG_OK, ""};
    size_t bytes;
    ImgShape huge = {INT32_MAX, INT32_MAX, {IMG_COLOR_RGBA, 16}};
    cr_assert_eq(img_shape_bytes(huge, &bytes, &err), IMG_E_LIMIT);
    ImgImage image;
    cr_assert_eq(img_image_alloc(huge, &image, NULL), IMG_E_LIMIT);
    cr_assert_null(image.view.data);
    cr_assert_eq(img_shape_bytes((ImgShape){0, 5, RGB8}, &bytes, NULL), IMG_E_USAGE);
    cr_assert_eq(img_shape_bytes((ImgShape){5, -1, RGB8}, &bytes, NULL), IMG_E_USAGE);
}

Test(image, crop_view_points_into_its_parent)
{
    uint8_t data[4 * 10];
    ImgView view = img_view_make(data, 10, (ImgShape){3, 4, RGB8});
    ImgView part = img_view_crop(&view, 1, 2, 2, 1);
    cr_assert_eq(part.data, data + 2 * 10 + 3);
    cr_assert_eq(part.stride, 10);
    cr_assert_eq(part.width, 2);
    cr_assert_eq(part.height, 1);
}

Test(suggest, distances)
{
    cr_expect_eq(img_edit_distance("rotate", "rotate"), 0);
    cr_expect_eq(img_edit_distance("roatte", "rotate"), 1);
    cr_expect_eq(img_edit_distance("rotat", "rotate"), 1);
    cr_expect_eq(img_edit_distance("Rotate", "rotate"), 0);
    cr_expect_eq(img_edit_distance("kitten", "sitting"), 3);
    cr_expect_eq(img_edit_distance("", "abc"), 3);
}

Test(suggest, nothing_is_better_than_something_far_off)
{
    ImgSuggestion nearest = img_suggest_start("blur");
    img_suggest_offer(&nearest, "crop");
    img_suggest_offer(&nearest, "flip");
    cr_assert_null(nearest.best);
    nearest = img_suggest_start("trans");
    img_suggest_offer(&nearest, "transpose");
    cr_assert_str_eq(nearest.best, "transpose");
}

Test(params, defaults_and_values)
{
    const ImgOp *rotate = op_named("rotate");
    ImgParams params;
    char text[32];
    img_params_init(rotate, &params);
    img_params_print(&rotate->params[0], &params, text, sizeof text);
    cr_assert_str_eq(text, "90");
    cr_assert_eq(img_params_set(rotate, &params, "angle", "270", NULL), IMG_OK);
    img_params_print(&rotate->params[0], &params, text, sizeof text);
    cr_assert_str_eq(text, "270");
}

Test(params, every_default_is_a_value_that_the_parameter_takes)
{
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        cr_expect_leq(img_ops[i]->params_size, IMG_PARAMS_SIZE, "%s", img_ops[i]->name);
        for (const ImgParam *param = img_ops[i]->params; param->name != NULL; param++) {
            ImgParams params = {.bytes = {0}};
            ImgError err = {IMG_OK, ""};
            img_params_set(img_ops[i], &params, param->name, param->default_value, &err);
            cr_expect_eq(err.status, IMG_OK, "%s", err.message);
        }
    }
}

static void expect_refused(const char *op_name, const char *name, const char *value,
                           const char *must_say)
{
    const ImgOp *op = op_named(op_name);
    ImgParams params, before;
    ImgError err = {IMG_OK, ""};
    img_params_init(op, &params);
    before = params;
    cr_expect_eq(img_params_set(op, &params, name, value, &err), IMG_E_USAGE);
    cr_expect(strstr(err.message, must_say) != NULL, "'%s' lacks '%s'", err.message, must_say);
    cr_expect_eq(memcmp(&params, &before, sizeof params), 0);
}

Test(params, what_is_wrong_is_said)
{
    expect_refused("rotate", "angel", "90", "did you mean 'angle'");
    expect_refused("rotate", "angle", "91", "90|180|270");
    expect_refused("rotate", "angle", "", "90|180|270");
    expect_refused("flip", "axis", "vertcal", "did you mean 'vertical'");
    expect_refused("transpose", "angle", "90", "it takes none");
    expect_refused("crop", "width", "-1", "it takes 0..2147483647");
    expect_refused("crop", "width", "12px", "it takes 0..2147483647");
    expect_refused("crop", "width", "99999999999999999999", "it takes 0..2147483647");
    expect_refused("crop", "width", " 5", "it takes 0..2147483647");
}

Test(registry, an_operation_is_found_by_name_or_the_nearest_is_named)
{
    const ImgOp *op;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find("roatte", &op, &err), IMG_E_USAGE);
    cr_assert_null(op);
    cr_assert(strstr(err.message, "did you mean 'rotate'") != NULL);
}

Test(registry, descriptors_are_complete)
{
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        const ImgOp *op = img_ops[i];
        cr_expect(op->name && op->synopsis && op->help && op->example && op->params && op->shape &&
                      op->traffic && op->effect && op->impls,
                  "%s", op->name);
        cr_expect_eq(op->impls[0].backend, IMG_BACKEND_CPU);
        cr_expect_not_null(op->impls[0].run);
        for (const ImgImpl *impl = op->impls; impl->name != NULL; impl++)
            cr_expect(impl->note != NULL && strlen(impl->note) > 0, "%s", impl->name);
    }
}

Test(select, names_are_found_and_slips_corrected)
{
    const ImgImpl *impl = NULL;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_impl_find(op_named("rotate"), "reference", &impl, NULL), IMG_OK);
    cr_assert_str_eq(impl->name, "reference");
    cr_assert_eq(img_impl_find(op_named("rotate"), "refrence", &impl, &err), IMG_E_USAGE);
    cr_assert(strstr(err.message, "did you mean 'reference'") != NULL, "%s", err.message);
}

static const ImgShape ANY = {5, 4, {IMG_COLOR_RGB, 8}};

Test(select, the_fastest_is_the_last_that_runs_here)
{
    const ImgOp *rotate = op_named("rotate");
    const ImgImpl *impl = NULL;
    ImgParams params;
    img_params_init(rotate, &params);
    cr_assert_eq(img_impl_fastest(rotate, IMG_BACKEND_CPU, ANY, params.bytes, &impl, NULL), IMG_OK);
    cr_assert(img_impl_usable(impl));
    for (const ImgImpl *next = impl + 1; next->name != NULL; next++)
        cr_expect(next->backend != IMG_BACKEND_CPU || !img_impl_usable(next));
}

Test(select, a_row_for_quarter_turns_does_no_half_turn)
{
    const ImgOp *rotate = op_named("rotate");
    ImgParams params;
    ImgError err = {IMG_OK, ""};
    const ImgImpl *tiled = rotate->impls;
    while (strcmp(tiled->name, "cuda-tiled") != 0)
        tiled++;
    img_params_init(rotate, &params);
    cr_expect_eq(img_impl_check(rotate, tiled, ANY, params.bytes, NULL), IMG_OK);
    img_params_set(rotate, &params, "angle", "180", NULL);
    cr_expect_eq(img_impl_check(rotate, tiled, ANY, params.bytes, &err), IMG_E_USAGE);
    cr_expect(strstr(err.message, "cuda-vector") != NULL, "no remedy in '%s'", err.message);
    cr_expect(strstr(err.message, "cuda-fast") == NULL, "'%s'", err.message);
}

/* Whatever a user asks for, some row of every backend does it. */
Test(select, every_choice_has_a_row_on_the_cpu_and_on_cuda)
{
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        const ImgOp *op = img_ops[i];
        const ImgParam *param = op->params;
        bool choice = param->name != NULL && param->type == IMG_PARAM_CHOICE;
        for (int c = 0; choice ? param->choices[c].name != NULL : c < 1; c++) {
            ImgParams params;
            bool cuda = false;
            img_params_init(op, &params);
            if (choice)
                img_params_set(op, &params, param->name, param->choices[c].name, NULL);
            for (const ImgImpl *row = op->impls; row->name != NULL; row++)
                cuda |= row->backend == IMG_BACKEND_CUDA &&
                        img_impl_applies(op, row, ANY, params.bytes);
            cr_expect(cuda, "%s choice %d has no CUDA row", op->name, c);
            cr_expect(img_impl_applies(op, &op->impls[0], ANY, params.bytes));
        }
    }
}
