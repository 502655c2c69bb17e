/* Implements run_op.h. */
#include "tests/unit/run_op.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/color/palette.h"
#include "kernels/core/params.h"
#include "kernels/core/sample.h"
#include "kernels/registry.h"
#include "kernels/window/border.h"

static void set_options(const ImgOp *op, const char *options, ImgParams *params)
{
    ImgError err = {IMG_OK, ""};
    char name[64], value[256];
    int used = 0;
    img_params_init(op, params);
    for (const char *at = options; sscanf(at, " %63[^=]=%255s%n", name, value, &used) == 2;
         at += used)
        cr_assert_eq(img_params_set(op, params, name, value, &err), IMG_OK, "%s", err.message);
}

static void bind_palette(const ImgOp *op, ImgShape src, ImgParams *params)
{
    ImgPalette palette = {.colors = {{0, 0, 0, 255}, {255, 0, 0, 255}},
                          .count = 2,
                          .room = INT32_C(1) << src.format.bits};
    if (src.format.color == IMG_COLOR_PALETTE && op->palette.bind != NULL)
        (void)op->palette.bind(params->bytes, src, &palette);
}

static void *run_impl(const ImgCall *template, const ImgImpl *impl, ImgShape shape)
{
    ImgError err = {IMG_OK, ""};
    const size_t stride = (size_t)shape.width * img_format_pixel_size(shape.format);
    ImgCall call = *template;
    uint8_t *memory = calloc((size_t)shape.height, stride);
    call.dst = img_view_make(memory, stride, shape);
    cr_assert_eq(impl->run(&call, &err), IMG_OK, "%s: %s", impl->name, err.message);
    return memory;
}

/* Runs an implementation that takes rows in order. Each call gets `size` rows in a copy that is
 * freed afterwards, so that sanitizers report a later access. */
static void *run_by_rows(const ImgCall *template, const ImgImpl *impl, ImgShape shape, int32_t size)
{
    ImgError err = {IMG_OK, ""};
    const ImgView src = template->src;
    const size_t stride = (size_t)shape.width * img_format_pixel_size(shape.format);
    ImgCall call = *template;
    void *state;
    uint8_t *memory = calloc((size_t)shape.height, stride);
    call.dst = img_view_make(memory, stride, shape);
    call.src.data = NULL;
    cr_assert_eq(impl->by_rows->begin(&call, &state, &err), IMG_OK, "%s", err.message);
    for (int32_t y = 0; y < src.height; y += size) {
        const int32_t count = src.height - y < size ? src.height - y : size;
        uint8_t *copy = malloc((size_t)count * src.stride);
        memcpy(copy, src.data + (size_t)y * src.stride, (size_t)count * src.stride);
        const ImgView rows =
            img_view_make(copy, src.stride, (ImgShape){src.width, count, src.format});
        impl->by_rows->take(state, &rows, y);
        free(copy);
    }
    impl->by_rows->end(state);
    return memory;
}

static void expect_by_rows(const ImgCall *call, const ImgImpl *impl, ImgShape shape,
                           const void *expected)
{
    const int32_t height = call->src.height;
    const size_t bytes =
        (size_t)shape.width * (size_t)shape.height * img_format_pixel_size(shape.format);
    int32_t size = 1;
    for (bool ends = false; impl->by_rows != NULL && !ends; size += size < 3 ? 1 : 2 * size) {
        void *got = run_by_rows(call, impl, shape, size);
        cr_expect_eq(memcmp(expected, got, bytes), 0, "%s: %s, %d rows at a time", call->op->name,
                     impl->name, size);
        free(got);
        ends = size >= height;
    }
}

void *run_op(const char *name, const char *options, ImgShape src, const void *samples,
             ImgShape *result)
{
    const ImgOp *op;
    ImgParams params;
    ImgError err = {IMG_OK, ""};
    const size_t stride = (size_t)src.width * img_format_pixel_size(src.format);
    cr_assert_eq(img_op_find(name, &op, &err), IMG_OK, "%s", err.message);
    set_options(op, options, &params);
    bind_palette(op, src, &params);
    cr_assert_eq(op->shape(src, params.bytes, result, &err), IMG_OK, "%s", err.message);
    ImgCall call = {.op = op,
                    .src = img_view_make((uint8_t *)samples, stride, src),
                    .params = params.bytes,
                    .threads = 2};
    cr_assert_eq(img_op_prepare(op, src, params.bytes, &call.constants, &err), IMG_OK);
    uint8_t *expected = run_impl(&call, &op->impls[0], *result);
    const size_t bytes =
        (size_t)result->width * (size_t)result->height * img_format_pixel_size(result->format);
    for (const ImgImpl *impl = op->impls + 1; impl->name != NULL; impl++) {
        if (impl->backend != IMG_BACKEND_CPU || impl->run == NULL ||
            impl->cpu_level > img_cpu_level() ||
            (impl->applies != NULL && !impl->applies(op, src, params.bytes)))
            continue;
        uint8_t *got = run_impl(&call, impl, *result);
        cr_expect_eq(memcmp(expected, got, bytes), 0, "%s %s: %s", name, options, impl->name);
        free(got);
        expect_by_rows(&call, impl, *result, expected);
    }
    img_constants_free(&call.constants);
    return expected;
}

uint32_t sample_of(const void *samples, ImgShape shape, int32_t x, int32_t y, int c)
{
    const size_t channels = (size_t)img_format_channels(shape.format);
    return img_sample(samples, ((size_t)y * (size_t)shape.width + (size_t)x) * channels + (size_t)c,
                      shape.format.bits);
}

const char *const border_names[4] = {[IMG_BORDER_REPLICATE] = "replicate",
                                     [IMG_BORDER_REFLECT] = "reflect",
                                     [IMG_BORDER_WRAP] = "wrap",
                                     [IMG_BORDER_CONSTANT] = "constant"};

double sample_beyond(const void *samples, ImgShape shape, int32_t x, int32_t y, int c,
                     int32_t border)
{
    const int32_t column = img_border_place(x, shape.width, border);
    const int32_t line = img_border_place(y, shape.height, border);
    return column < 0 || line < 0 ? 0 : sample_of(samples, shape, column, line, c);
}

static size_t samples_of(ImgShape shape)
{
    return (size_t)shape.width * (size_t)shape.height * (size_t)img_format_channels(shape.format);
}

uint32_t farthest(const void *a, const void *b, ImgShape shape)
{
    uint32_t most = 0;
    for (size_t i = 0; i < samples_of(shape); i++) {
        const uint32_t x = img_sample(a, i, shape.format.bits);
        const uint32_t y = img_sample(b, i, shape.format.bits);
        const uint32_t distance = x > y ? x - y : y - x;
        most = distance > most ? distance : most;
    }
    return most;
}

void *random_picture(ImgShape shape, uint32_t seed)
{
    uint8_t *samples = malloc(samples_of(shape) * 2);
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (size_t i = 0; i < samples_of(shape); i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        img_sample_set(samples, i, shape.format.bits,
                       (uint32_t)(state >> 40) & img_format_maximum(shape.format));
    }
    return samples;
}

void expect_opaque_alike(const char *name, const char *options, int bits, uint32_t most)
{
    const ImgShape with = {23, 11, {IMG_COLOR_RGBA, bits}};
    const ImgShape without = {23, 11, {IMG_COLOR_RGB, bits}};
    const uint32_t maximum = img_format_maximum(with.format);
    ImgShape result;
    void *three = random_picture(without, 5), *four = random_picture(with, 5);
    for (size_t i = 0; i < samples_of(with); i++)
        img_sample_set(four, i, bits,
                       i % 4 == 3 ? maximum : img_sample(three, i / 4 * 3 + i % 4, bits));
    void *a = run_op(name, options, with, four, &result);
    void *b = run_op(name, options, without, three, &result);
    for (size_t i = 0; i < samples_of(with); i++) {
        const uint32_t wanted = i % 4 == 3 ? maximum : img_sample(b, i / 4 * 3 + i % 4, bits);
        const uint32_t got = img_sample(a, i, bits);
        cr_expect((got > wanted ? got - wanted : wanted - got) <= (i % 4 == 3 ? 0 : most),
                  "%s %s, %d bits, sample %zu: %u %u", name, options, bits, i, got, wanted);
    }
    free(a);
    free(b);
    free(three);
    free(four);
}
