/* Checks a case with every implementation: see op_judge.h. */
#include "tests/fuzz/pixels/op_judge.h"

#include <string.h>

#include "kernels/core/params.h"
#include "kernels/core/select.h"

static void print_case(const Case *one, const char *what)
{
    char text[IMG_PARAM_TEXT];
    fprintf(stderr, "%s", one->op->name);
    for (const ImgParam *param = one->op->params; param->name != NULL; param++) {
        img_params_print(param, &one->params, text, sizeof text);
        fprintf(stderr, " %s=%s", param->name, text);
    }
    fprintf(stderr, ": %d x %d %s %d becomes %d x %d %s %d, %s, seed %llu, %d threads: %s\n",
            one->shape.width, one->shape.height, img_color_name(one->shape.format.color),
            one->shape.format.bits, one->result.width, one->result.height,
            img_color_name(one->result.format.color), one->result.format.bits, fill_name(one->fill),
            (unsigned long long)one->seed, one->threads, what);
}

static void expect_case(bool holds, const Case *one, const char *impl, const char *what)
{
    if (!holds)
        print_case(one, impl);
    expect(holds, "%s", what);
}

static bool is_checked(const Case *one, const ImgImpl *impl, ImgBackend backend)
{
    return impl->backend == backend && img_impl_usable(impl) &&
           img_impl_applies(one->op, impl, one->shape, one->params.bytes);
}

static ImgTeam *team(void)
{
    static ImgTeam *all;
    if (all == NULL)
        all = img_team_create(&(ImgTeamConfig){.stack_bytes = IMG_TEAM_STACK_BYTES});
    return all;
}

void judge_implementations(const Case *one, ImgBackend backend, ImgDevice *device, size_t alignment,
                           bool tight)
{
    static Checker checker; /* kept: later cases use its buffers again */
    CheckOptions options = {
        .backend = backend, .device = device, .threads = 1, .team = team(), .tight = tight};
    ImgError err = {IMG_OK, ""};
    checker.options = &options;
    checker.device = device;
    checker_start(&checker, one);
    for (const ImgImpl *impl = one->op->impls; impl->name != NULL; impl++) {
        if (!is_checked(one, impl, backend) ||
            (impl == one->op->impls && one->op->impls[1].name != NULL))
            continue;
        expect_case(checker.alignment == alignment || checker_lay(&checker, alignment, &err), one,
                    "reference", err.message);
        expect_case(checker_run(&checker, impl, &err), one, impl->name, err.message);
    }
    checker.one = NULL;
    img_constants_free(&checker.constants);
}

/* --- Pictures of one case --------------------------------------------------------------------- */

ImgImage case_source(const Case *one)
{
    ImgImage source;
    Random random = {one->seed};
    expect(img_image_alloc(one->shape, &source, NULL) == IMG_OK, "no memory");
    fill_view(&source.view, one->fill, &random);
    return source;
}

ImgImage case_result(const Case *one, const ImgView *source)
{
    ImgImage result;
    ImgError err = {IMG_OK, ""};
    ImgCall call = {.op = one->op, .src = *source, .params = one->params.bytes, .threads = 1};
    expect_case(img_image_alloc(one->result, &result, &err) == IMG_OK, one, "", err.message);
    expect_case(img_op_prepare(one->op, one->shape, call.params, &call.constants, &err) == IMG_OK,
                one, "constants", err.message);
    call.dst = result.view;
    expect_case(one->op->impls[0].run(&call, &err) == IMG_OK, one, "reference", err.message);
    img_constants_free(&call.constants);
    return result;
}

static bool are_rows_equal(const ImgView *a, int32_t first_a, const ImgView *b, int32_t first_b,
                           int32_t count)
{
    const size_t bytes = (size_t)a->width * img_format_pixel_size(a->format);
    bool equal = a->width == b->width && a->format.color == b->format.color &&
                 a->format.bits == b->format.bits;
    for (int32_t y = 0; equal && y < count; y++)
        equal = memcmp(a->data + (size_t)(first_a + y) * a->stride,
                       b->data + (size_t)(first_b + y) * b->stride, bytes) == 0;
    return equal;
}

/* --- Running row by row ----------------------------------------------------------------------- */

/* Gives the rows of the source to the implementation, at most `size` rows per call. Each call has
 * its own buffer, which is freed after it, so that AddressSanitizer detects late reads. */
static void give_rows(const ImgImpl *impl, void *state, const ImgView *source, int32_t size)
{
    const size_t bytes = (size_t)source->width * img_format_pixel_size(source->format);
    for (int32_t y = 0; y < source->height; y += size) {
        const int32_t count = source->height - y < size ? source->height - y : size;
        uint8_t *copy = allocate(bytes * (size_t)count);
        const ImgView rows =
            img_view_make(copy, bytes, (ImgShape){source->width, count, source->format});
        for (int32_t i = 0; i < count; i++)
            memcpy(copy + (size_t)i * bytes, source->data + (size_t)(y + i) * source->stride,
                   bytes);
        impl->by_rows->take(state, &rows, y);
        free(copy);
    }
}

static void judge_taking(const Case *one, const ImgImpl *impl, const ImgView *source,
                         const ImgView *expected, int32_t rows)
{
    ImgImage got;
    void *state;
    ImgError err = {IMG_OK, ""};
    ImgCall call = {.op = one->op,
                    .src = *source,
                    .params = one->params.bytes,
                    .threads = one->threads,
                    .team = team()};
    expect(img_image_alloc(one->result, &got, NULL) == IMG_OK, "no memory");
    expect(img_op_prepare(one->op, one->shape, call.params, &call.constants, &err) == IMG_OK, "%s",
           err.message);
    call.dst = got.view;
    call.src.data = NULL;
    (void)impl->by_rows->bytes(one->shape, call.params);
    expect_case(impl->by_rows->begin(&call, &state, &err) == IMG_OK, one, impl->name, err.message);
    give_rows(impl, state, source, rows);
    impl->by_rows->end(state);
    expect_case(are_rows_equal(&got.view, 0, expected, 0, expected->height), one, impl->name,
                "row by row: different pixels");
    img_constants_free(&call.constants);
    img_image_free(&got);
}

void judge_by_rows(const Case *one, int32_t rows)
{
    ImgImage source = IMG_IMAGE_NONE, expected = IMG_IMAGE_NONE;
    for (const ImgImpl *impl = one->op->impls; impl->name != NULL; impl++) {
        if (impl->by_rows == NULL || !is_checked(one, impl, IMG_BACKEND_CPU))
            continue;
        if (source.view.data == NULL) {
            source = case_source(one);
            expected = case_result(one, &source.view);
        }
        judge_taking(one, impl, &source.view, &expected.view, rows);
    }
    img_image_free(&expected);
    img_image_free(&source);
}

/* --- Claims of an operation ------------------------------------------------------------------- */

static void judge_nothing(const Case *one, const ImgView *source, const ImgView *result)
{
    if (one->op->effect.does_nothing == NULL ||
        !one->op->effect.does_nothing(one->shape, one->params.bytes))
        return;
    expect_case(result->height == source->height &&
                    are_rows_equal(source, 0, result, 0, source->height),
                one, "reference", "it claims to change nothing, but does");
}

/* Runs an implementation on only the part of the source that some rows of the result need. These
 * rows must equal `expected`. */
static void judge_part_with(const Case *one, const ImgImpl *impl, const ImgPart *part,
                            const ImgCall *template, const ImgView *expected)
{
    ImgImage got;
    ImgError err = {IMG_OK, ""};
    ImgCall call = *template;
    expect(img_image_alloc(one->result, &got, NULL) == IMG_OK, "no memory");
    call.dst = got.view;
    expect_case(impl->run(&call, &err) == IMG_OK, one, impl->name, err.message);
    expect_case(are_rows_equal(expected, 0, &got.view, part->skip, expected->height), one,
                impl->name, "a part has different pixels");
    img_image_free(&got);
}

/* Returns a copy of a rectangle without gaps between rows, so that AddressSanitizer detects
 * accesses beyond it. */
static ImgView copy_rectangle(const ImgView *source, ImgRect rect)
{
    const ImgView view = img_view_crop(source, rect.x, rect.y, rect.width, rect.height);
    const size_t bytes = (size_t)rect.width * img_format_pixel_size(source->format);
    const ImgView copy =
        img_view_make(allocate(bytes * (size_t)rect.height), bytes, img_view_shape(&view));
    img_view_copy(&view, &copy);
    return copy;
}

static void judge_rectangle(const Case *one, const ImgPart *part, const ImgView *source,
                            const ImgView *expected)
{
    const ImgRect rect = part->src;
    Case small = *one;
    ImgError err = {IMG_OK, ""};
    small.shape.width = rect.width;
    small.shape.height = rect.height;
    small.params = part->params;
    expect_case(one->op->shape(small.shape, small.params.bytes, &small.result, &err) == IMG_OK,
                &small, "a part", err.message);
    expect_case(part->skip >= 0 && part->skip <= small.result.height - expected->height, &small,
                "a part", "a part has too few rows");
    ImgConstants whole = {NULL, 0}, own = {NULL, 0};
    ImgCall call = {.op = one->op,
                    .src = copy_rectangle(source, rect),
                    .params = small.params.bytes,
                    .threads = one->threads,
                    .team = team()};
    expect(img_op_prepare(one->op, one->shape, one->params.bytes, &whole, &err) == IMG_OK &&
               img_op_part_constants(one->op, one->shape, part, &whole, &own, &err) == IMG_OK,
           "%s", err.message);
    call.constants = own.bytes != NULL ? own : whole;
    for (const ImgImpl *impl = one->op->impls; impl->name != NULL; impl++)
        if (is_checked(&small, impl, IMG_BACKEND_CPU))
            judge_part_with(&small, impl, part, &call, expected);
    img_constants_free(&own);
    img_constants_free(&whole);
    free(call.src.data);
}

/* Returns true if the part is the whole source with the same parameters. Such a part needs no
 * check, because the whole computation is checked elsewhere. */
static bool is_whole(const Case *one, const ImgPart *part)
{
    return part->src.width == one->shape.width && part->src.height == one->shape.height &&
           memcmp(part->params.bytes, one->params.bytes, one->op->params_size) == 0;
}

void judge_part(const Case *one, ImgRows wanted)
{
    ImgPart part;
    ImgImage source = case_source(one), whole = case_result(one, &source.view);
    const int32_t width = whole.view.width, x = wanted.first % width;
    const ImgRect tile = {x, wanted.first, 1 + (width - 1 - x) / 2, wanted.end - wanted.first};
    const ImgView rows = img_view_crop(&whole.view, 0, tile.y, width, tile.height);
    const ImgView some = img_view_crop(&whole.view, tile.x, tile.y, tile.width, tile.height);
    judge_nothing(one, &source.view, &whole.view);
    if (img_op_part(one->op, one->shape, one->params.bytes, wanted, &part) && !is_whole(one, &part))
        judge_rectangle(one, &part, &source.view, &rows);
    if (img_op_tile(one->op, one->shape, one->params.bytes, tile, &part))
        judge_rectangle(one, &part, &source.view, &some);
    img_image_free(&whole);
    img_image_free(&source);
}
