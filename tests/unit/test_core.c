/* Tests of the basis of all operations: errors, shapes and sizes, parameters, suggestions, and the
 * choice of implementations. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "kernels/core/image.h"
#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/core/suggest.h"
#include "kernels/quantize/quantize.h"
#include "kernels/registry.h"

static const ImgFormat RGB8 = {IMG_COLOR_RGB, 8};

static const ImgOp *op_named(const char *name)
{
    const ImgOp *op = NULL;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find(name, &op, &err), IMG_OK, "%s", err.message);
    return op;
}

Test(status, the_first_failure_wins)
{
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_fail(&err, IMG_E_IO, "first %d", 1), IMG_E_IO);
    cr_assert_eq(img_fail(&err, IMG_E_MEMORY, "second"), IMG_E_IO);
    cr_assert_str_eq(err.message, "first 1");
}

Test(status, a_prefix_goes_before_the_message_of_a_failure)
{
    ImgError err = {IMG_OK, ""};
    img_error_prefix(&err, "in.png");
    cr_assert_str_eq(err.message, "");
    img_fail(&err, IMG_E_IO, "no such file");
    img_error_prefix(&err, "%s.png", "in");
    cr_assert_str_eq(err.message, "in.png: no such file");
}

enum { LONG_PATH = 4095 };

static const char *long_path(void)
{
    static char path[LONG_PATH + 1];
    memset(path, 'x', LONG_PATH);
    memcpy(path, "/start/", 7); /* NOLINT: the rest of the path follows */
    strcpy(path + LONG_PATH - 7, "end.png");
    return path;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

Test(status, a_long_path_loses_its_middle_but_not_the_reason)
{
    ImgError err = {IMG_OK, ""};
    img_fail(&err, IMG_E_IO, "%s: cannot be renamed to '%s': no space", long_path(), long_path());
    cr_assert_eq(strlen(err.message), IMG_MESSAGE_SIZE - 1);
    cr_assert_eq(strncmp(err.message, "/start/xxx", 10), 0);
    cr_assert(ends_with(err.message, "xxend.png': no space"), "%s", err.message);
    cr_assert_not_null(strstr(err.message, "xx...xx"));
}

Test(status, a_long_prefix_is_cut_before_the_reason)
{
    for (size_t length = 0; length < IMG_MESSAGE_SIZE; length++) {
        ImgError err = {IMG_OK, ""};
        char reason[IMG_MESSAGE_SIZE] = "";
        memset(reason, 'r', length);
        img_fail(&err, IMG_E_IO, "%s", reason);
        img_error_prefix(&err, "%s", long_path());
        cr_assert_eq(strlen(err.message), IMG_MESSAGE_SIZE - 1);
        cr_assert_eq(strncmp(err.message, "/start/xxx", 10), 0);
        const char *after = strstr(err.message, "xxend.png: ");
        cr_assert_not_null(after);
        after += strlen("xxend.png: ");
        cr_assert(length > 750 || strcmp(after, reason) == 0, "%s", err.message);
        cr_assert(length < 750 || (after[0] == 'r' && ends_with(after, "rrr")), "%s", after);
    }
}

Test(status, a_message_that_fits_exactly_is_whole)
{
    ImgError err = {IMG_OK, ""};
    char prefix[IMG_MESSAGE_SIZE] = "";
    memset(prefix, 'p', sizeof prefix - 1 - strlen(": reason"));
    img_fail(&err, IMG_E_IO, "reason");
    img_error_prefix(&err, "%s", prefix);
    cr_assert_eq(strncmp(err.message, prefix, strlen(prefix)), 0);
    cr_assert_str_eq(err.message + strlen(prefix), ": reason");
}

Test(status, characters_are_not_split)
{
    static const char euro[] = "\xE2\x82\xAC";
    for (int shift = 0; shift < 6; shift++) {
        char path[LONG_PATH + 1] = "";
        memset(path, 'x', (size_t)shift);
        while (strlen(path) + 3 <= LONG_PATH)
            strcat(path, euro);
        ImgError err = {IMG_OK, ""};
        img_fail(&err, IMG_E_IO, "%s", path);
        char *gap = strstr(err.message, "...");
        cr_assert_not_null(gap);
        cr_assert_eq(memcmp(gap - 3, euro, 3), 0);
        cr_assert_eq(memcmp(gap + 3, euro, 3), 0);
        cr_assert_geq(strlen(err.message), IMG_MESSAGE_SIZE - 6);
    }
}

Test(image, pixel_sizes_match)
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

Test(image, long_rows_start_at_cache_lines_but_not_a_page_apart)
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

Test(image, memory_is_reused_for_a_picture_that_fits)
{
    ImgImage image;
    cr_assert_eq(img_image_alloc((ImgShape){100, 30, RGB8}, &image, NULL), IMG_OK);
    uint8_t *const memory = image.view.data;
    cr_assert_not(img_image_reshape(&image, (ImgShape){101, 31, RGB8}));
    cr_assert_eq(image.view.width, 100);
    cr_assert(img_image_reshape(&image, (ImgShape){70, 40, {IMG_COLOR_GRAY, 16}}));
    cr_assert_eq(image.view.data, memory);
    cr_assert_eq(image.view.stride, 140);
    cr_assert_eq(image.view.height, 40);
    cr_assert(img_image_reshape(&image, (ImgShape){100, 30, RGB8}), "its size is not forgotten");
    img_image_free(&image);
    cr_assert_not(img_image_reshape(&image, (ImgShape){1, 1, RGB8}));
}

Test(image, memory_is_released_except_for_less_than_a_page)
{
    ImgImage image;
    const ImgShape small = {50, 40, RGB8};
    cr_assert_eq(img_image_alloc((ImgShape){2000, 1500, RGB8}, &image, NULL), IMG_OK);
    cr_assert(img_image_reshape(&image, small));
    cr_assert_lt(image.size, 50 * 40 * 3 + 4096 + 64);
    memset(image.view.data, 1, image.size); /* A sanitizer reports a write past the end. */
    cr_assert(img_image_reshape(&image, small));
    cr_assert_not(img_image_reshape(&image, (ImgShape){2000, 1500, RGB8}));
    img_image_free(&image);
}

Test(image, sizes_that_do_not_fit_are_rejected)
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

Test(image, a_crop_view_points_into_its_parent)
{
    uint8_t data[4 * 10];
    ImgView view = img_view_make(data, 10, (ImgShape){3, 4, RGB8});
    ImgView part = img_view_crop(&view, 1, 2, 2, 1);
    cr_assert_eq(part.data, data + 2 * 10 + 3);
    cr_assert_eq(part.stride, 10);
    cr_assert_eq(part.width, 2);
    cr_assert_eq(part.height, 1);
}

Test(suggest, edit_distances_match)
{
    cr_expect_eq(img_edit_distance("rotate", "rotate"), 0);
    cr_expect_eq(img_edit_distance("roatte", "rotate"), 1);
    cr_expect_eq(img_edit_distance("rotat", "rotate"), 1);
    cr_expect_eq(img_edit_distance("Rotate", "rotate"), 0);
    cr_expect_eq(img_edit_distance("kitten", "sitting"), 3);
    cr_expect_eq(img_edit_distance("", "abc"), 3);
}

Test(suggest, nothing_is_suggested_for_distant_names)
{
    ImgSuggestion nearest = img_suggest_start("blur");
    img_suggest_offer(&nearest, "crop");
    img_suggest_offer(&nearest, "flip");
    cr_assert_null(nearest.best);
    nearest = img_suggest_start("trans");
    img_suggest_offer(&nearest, "transpose");
    cr_assert_str_eq(nearest.best, "transpose");
}

Test(params, defaults_and_values_are_stored)
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

Test(params, every_default_is_a_valid_value)
{
    const ImgOp *op;
    for (size_t i = 0; (op = img_op_at(i)) != NULL; i++) {
        ImgParams defaults;
        ImgError err = {IMG_OK, ""};
        cr_expect_leq(op->params_size, IMG_PARAMS_SIZE, "%s", op->name);
        cr_expect_eq(img_params_check_defaults(op, &err), IMG_OK, "%s", err.message);
        img_params_init(op, &defaults);
        for (const ImgParam *param = op->params; param->name != NULL; param++) {
            char text[IMG_PARAM_TEXT];
            cr_expect_leq(param->offset + img_param_size(param), op->params_size, "%s", op->name);
            img_params_print(param, &defaults, text, sizeof text);
            /* Colours are not compared. The default may be a name, while img_params_print prints
             * digits. */
            if (param->type != IMG_PARAM_COLOR)
                cr_expect_str_eq(text, param->default_value, "%s", op->name);
        }
    }
}

/* The check of defaults must find these errors. Otherwise the default would silently be 0. */
Test(params, a_default_that_does_not_parse_is_reported)
{
    static const char *const wrong[] = {"", "auto", "101", "-1", "1.5", "5 "};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const ImgParam params[] = {
            {.name = "size", .type = IMG_PARAM_INT, .default_value = "5", .max = 100},
            {.name = "share",
             .type = IMG_PARAM_INT,
             .offset = 4,
             .default_value = wrong[i],
             .max = 100},
            {.name = NULL},
        };
        const ImgOp op = {.name = "example", .params = params, .params_size = 8};
        ImgError err = {IMG_OK, ""};
        cr_expect_eq(img_params_check_defaults(&op, &err), IMG_E_UNSUPPORTED, "'%s'", wrong[i]);
        cr_expect_not_null(strstr(err.message, "example: the default '"), "%s", err.message);
        cr_expect_not_null(strstr(err.message, "option share"), "%s", err.message);
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

Test(params, errors_name_the_value_and_the_valid_ones)
{
    expect_refused("rotate", "angel", "90", "did you mean 'angle'");
    expect_refused("rotate", "angle", "361", "use -360..360");
    expect_refused("rotate", "angle", "", "use -360..360");
    expect_refused("flip", "axis", "vertcal", "did you mean 'vertical'");
    expect_refused("transpose", "angle", "90", "it takes none");
    expect_refused("crop", "width", "-1", "use 0..2147483647");
    expect_refused("crop", "width", "12px", "use 0..2147483647");
    expect_refused("crop", "width", "99999999999999999999", "use 0..2147483647");
    expect_refused("crop", "width", " 5", "use 0..2147483647");
}

Test(registry, an_operation_is_found_by_name_or_a_suggestion_is_made)
{
    const ImgOp *op;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find("roatte", &op, &err), IMG_E_USAGE);
    cr_assert_null(op);
    cr_assert(strstr(err.message, "did you mean 'rotate'") != NULL);
}

Test(registry, descriptors_are_complete)
{
    const ImgOp *op;
    for (size_t i = 0; (op = img_op_at(i)) != NULL; i++) {
        cr_expect(op->name && op->synopsis && op->help && op->example && op->params && op->shape &&
                      op->impls,
                  "%s", op->name);
        cr_expect_gt(op->cost.cpu_ns_per_byte, 0, "%s", op->name);
        cr_expect_lt(op->cost.cpu_ns_per_byte, 1000, "%s: that would be microseconds", op->name);
        cr_expect_eq(op->impls[0].backend, IMG_BACKEND_CPU);
        cr_expect_not_null(op->impls[0].run);
        for (const ImgImpl *impl = op->impls; impl->name != NULL; impl++)
            cr_expect(impl->note != NULL && strlen(impl->note) > 0, "%s", impl->name);
    }
}

Test(select, names_are_found_and_misspellings_corrected)
{
    const ImgImpl *impl = NULL;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_impl_find(op_named("rotate"), "reference", &impl, NULL), IMG_OK);
    cr_assert_str_eq(impl->name, "reference");
    cr_assert_eq(img_impl_find(op_named("rotate"), "refrence", &impl, &err), IMG_E_USAGE);
    cr_assert(strstr(err.message, "did you mean 'reference'") != NULL, "%s", err.message);
}

static const ImgShape ANY = {5, 4, {IMG_COLOR_RGB, 8}};

Test(select, the_last_supported_implementation_is_chosen)
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

Test(select, an_implementation_for_quarter_turns_does_no_half_turn)
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

/* For any value of its options, an operation must have an implementation on each backend. quantize
 * runs only on the CPU so far. */
Test(select, every_choice_has_an_implementation_on_cpu_and_cuda)
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
            cr_expect(cuda || op == &img_op_quantize, "%s choice %d has no CUDA row", op->name, c);
            cr_expect(img_impl_applies(op, &op->impls[0], ANY, params.bytes));
        }
    }
}
