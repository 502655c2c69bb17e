/* See check.h. */
#include "tests/checkkernels/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/registry.h"
#include "tests/checkkernels/buffer.h"

/* Sizes that are right only by accident in a kernel that does not guard its edges: one pixel,
 * lines, one less and one more than a tile, primes, several blocks, a picture large enough for a
 * processor to write it past its caches, and lines longer than a grid is high. */
static const int32_t sizes[][2] = {
    {1, 1},    {1, 2},    {2, 1},     {3, 5},       {1, 31},      {31, 1},
    {16, 16},  {17, 15},  {31, 33},   {32, 32},     {33, 31},     {63, 65},
    {64, 64},  {76, 62},  {5, 257},   {257, 5},     {127, 129},   {251, 241},
    {1003, 7}, {7, 1003}, {521, 389}, {1613, 1367}, {1, 2000000}, {2000000, 1},
};

static const ImgFormat formats[] = {
    {IMG_COLOR_GRAY, 8},        {IMG_COLOR_PALETTE, 4}, {IMG_COLOR_GRAY, 16},
    {IMG_COLOR_GRAY_ALPHA, 8},  {IMG_COLOR_RGB, 8},     {IMG_COLOR_RGBA, 8},
    {IMG_COLOR_GRAY_ALPHA, 16}, {IMG_COLOR_RGB, 16},    {IMG_COLOR_RGBA, 16},
};

enum { INT_DRAWS = 6, TRIES = 64, FAILURES_SHOWN = 5, CACHE_LINE = 64 };

static bool is_small(ImgShape shape)
{
    return (size_t)shape.width * (size_t)shape.height <= 32768;
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The least value more often than others; no more than fits a picture of that shape. */
static void print_draw(const ImgParam *param, ImgShape shape, Random *random, char *text,
                       size_t size)
{
    int64_t longest = shape.width > shape.height ? shape.width : shape.height;
    int64_t range = (int64_t)param->max - param->min;
    bool decimal = param->type == IMG_PARAM_DECIMAL;
    uint32_t bound = (uint32_t)(decimal || range < longest ? range : longest);
    bool least = random_below(random, 4) == 0;
    int64_t value = param->min + (least ? 0 : (int64_t)random_below(random, bound + 1));
    if (decimal)
        snprintf(text, size, "%lld.%03lld", (long long)value / 1000, (long long)value % 1000);
    else
        snprintf(text, size, "%lld", (long long)value);
}

/* One value of every choice in turn, and numbers that are random but for the first draw. */
static bool set_draw(const ImgOp *op, ImgShape shape, int draw, Random *random, ImgParams *params)
{
    img_params_init(op, params);
    bool has_numbers = false;
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        char text[32];
        if (param->type != IMG_PARAM_CHOICE) {
            print_draw(param, shape, random, text, sizeof text);
            has_numbers = true;
            if (draw > 0)
                (void)img_params_set(op, params, param->name, text, NULL);
        } else {
            int choices = 0;
            while (param->choices[choices].name != NULL)
                choices++;
            if (choices == 0)
                continue;
            (void)img_params_set(op, params, param->name, param->choices[draw % choices].name,
                                 NULL);
            draw /= choices;
        }
    }
    return has_numbers ? draw < INT_DRAWS : draw == 0;
}

bool check_draw_params(const ImgOp *op, ImgShape shape, int draw, Random *random, ImgParams *params)
{
    ImgShape result;
    for (int i = 0; i < TRIES; i++) {
        if (!set_draw(op, shape, draw, random, params))
            return false;
        if (op->shape(shape, params->bytes, &result, NULL) == IMG_OK)
            return true;
    }
    img_params_init(op, params);
    return op->shape(shape, params->bytes, &result, NULL) == IMG_OK;
}

static ImgStatus compare(const Buffer *expected, const Buffer *got, ImgError *err)
{
    const ImgView *a = &expected->view, *b = &got->view;
    const char *where = buffer_overwritten(got);
    if (where != NULL)
        return img_fail(err, IMG_E_MISMATCH, "wrote outside the picture: %s", where);
    size_t size = img_format_pixel_size(a->format);
    for (int32_t y = 0; y < a->height; y++) {
        const uint8_t *p = a->data + (size_t)y * a->stride;
        const uint8_t *q = b->data + (size_t)y * b->stride;
        if (memcmp(p, q, expected->row_bytes) == 0)
            continue;
        size_t i = 0;
        while (p[i] == q[i])
            i++;
        return img_fail(err, IMG_E_MISMATCH, "pixel (%zu, %d) byte %zu is 0x%02x, should be 0x%02x",
                        i / size, y, i % size, q[i], p[i]);
    }
    return IMG_OK;
}

static ImgStatus run_on_host(const ImgImpl *impl, ImgCall *call, const Buffer *src,
                             const Buffer *dst, ImgError *err)
{
    call->src = src->view;
    call->dst = dst->view;
    buffer_lock(src);
    buffer_lock(dst);
    ImgStatus status = impl->run(call, err);
    buffer_unlock(src);
    buffer_unlock(dst);
    return status;
}

/* What a CUDA implementation may read: the last row, too, is whole up to IMG_DEVICE_ALIGNMENT. */
static size_t tight_size(const Buffer *buffer)
{
    size_t unit = IMG_DEVICE_ALIGNMENT;
    size_t last_row = (buffer->row_bytes + unit - 1) / unit * unit;
    return buffer->view.stride * (size_t)(buffer->view.height - 1) + last_row;
}

ImgStatus check_run(const ImgImpl *impl, ImgCall *call, ImgDevice *device, ImgError *err)
{
    ImgStatus status = img_device_prepare(device, impl, call, err);
    if (status == IMG_OK)
        status = impl->run(call, err);
    return status == IMG_OK ? img_device_wait(err) : status;
}

/* The whole buffer goes to the device and back, guards included; `tight` leaves them at home, so
 * that the allocation ends where the picture does. */
static ImgStatus run_on_device(const ImgImpl *impl, ImgCall *call, const Buffer *src,
                               const Buffer *dst, const CheckOptions *options, ImgError *err)
{
    void *memory[2] = {NULL, NULL};
    const Buffer *buffers[2] = {src, dst};
    ImgView views[2];
    uint8_t *from[2];
    size_t size[2];
    ImgStatus status = IMG_OK;
    for (int i = 0; i < 2 && status == IMG_OK; i++) {
        const Buffer *b = buffers[i];
        size_t start = options->tight ? (size_t)(b->view.data - b->memory) : 0;
        from[i] = b->memory + start;
        size[i] = options->tight ? tight_size(b) : b->size;
        status = img_device_alloc(&memory[i], size[i], err);
        if (status == IMG_OK)
            status = img_device_upload(memory[i], from[i], size[i], err);
        views[i] = b->view;
        views[i].data = (uint8_t *)memory[i] + (b->view.data - from[i]);
    }
    if (status == IMG_OK) {
        call->src = views[0];
        call->dst = views[1];
        status = check_run(impl, call, options->device, err);
    }
    for (int i = 0; i < 2 && status == IMG_OK; i++)
        status = img_device_download(from[i], memory[i], size[i], err);
    img_device_free(memory[0]);
    img_device_free(memory[1]);
    return status;
}

bool check_one(const ImgOp *op, const ImgImpl *impl, const ImgParams *params, ImgShape shape,
               Fill fill, size_t alignment, const CheckOptions *options, ImgError *err)
{
    bool on_device = impl->backend == IMG_BACKEND_CUDA;
    Buffer src = {.memory = NULL}, expected = {.memory = NULL}, got = {.memory = NULL};
    uint8_t *before = NULL;
    ImgShape result;
    Random random = {options->seed};
    ImgCall call = {.op = op, .params = params->bytes, .threads = options->threads};

    ImgStatus status = op->shape(shape, params->bytes, &result, err);
    if (status != IMG_OK)
        goto done;
    /* Tables of counts lie where their entries can be addressed. */
    size_t least = result.format.color == IMG_COLOR_COUNTS ? sizeof(uint64_t) : 1;
    if (!buffer_make(&src, shape, alignment) || !buffer_make(&expected, result, least) ||
        !buffer_make(&got, result, alignment < least ? least : alignment) ||
        (before = malloc(src.size)) == NULL) {
        status = img_fail(err, IMG_E_MEMORY, "no memory");
        goto done;
    }
    fill_view(&src.view, fill, &random);
    memcpy(before, src.memory, src.size);
    status = run_on_host(&op->impls[0], &call, &src, &expected, err);
    if (status != IMG_OK)
        goto done;
    status = on_device ? run_on_device(impl, &call, &src, &got, options, err)
                       : run_on_host(impl, &call, &src, &got, err);
    if (status == IMG_OK && memcmp(before, src.memory, src.size) != 0)
        status = img_fail(err, IMG_E_MISMATCH, "changed its source");
    if (status == IMG_OK)
        status = compare(&expected, &got, err);
done:
    free(before);
    buffer_free(&src);
    buffer_free(&expected);
    buffer_free(&got);
    return status == IMG_OK;
}

static void report_failure(const ImgOp *op, const ImgImpl *impl, const ImgParams *params,
                           ImgShape shape, Fill fill, const ImgError *err)
{
    printf("FAIL %s %s %s %d-bit %d x %d, %s:", op->name, impl->name,
           img_color_name(shape.format.color), shape.format.bits, shape.width, shape.height,
           fill_name(fill));
    for (const ImgParam *param = op->params; param->name != NULL; param++) {
        char text[64];
        img_params_print(param, params, text, sizeof text);
        printf(" %s=%s", param->name, text);
    }
    printf(": %s\n", err->message);
}

/* How rows may lie: on a device as the executor lays them; on the host anywhere, and for pictures
 * that are no mere lines also at cache lines, which processors have a faster way for. The number of
 * alignments. */
static int alignments_of(const ImgImpl *impl, ImgShape shape, size_t alignments[2])
{
    int32_t side = shape.width < shape.height ? shape.width : shape.height;
    bool on_device = impl->backend == IMG_BACKEND_CUDA;
    alignments[0] = on_device ? IMG_DEVICE_ALIGNMENT : 1;
    alignments[1] = CACHE_LINE;
    return on_device || side * img_format_pixel_size(shape.format) < CACHE_LINE ? 1 : 2;
}

/* Turns move whatever they find, but counts of equal samples meet in one place. In large pictures
 * other contents show nothing else, and once is enough. */
static bool is_worth_checking(const ImgOp *op, ImgShape shape, const ImgParams *params, Fill fill,
                              int draw)
{
    if (fill == FILL_RANDOM || is_small(shape))
        return true;
    ImgShape result;
    bool counts = op->shape(shape, params->bytes, &result, NULL) == IMG_OK &&
                  result.format.color == IMG_COLOR_COUNTS;
    return draw == 0 && (counts || op->effect(shape, params->bytes).recoloured);
}

static void check_shape(const ImgOp *op, const ImgImpl *impl, ImgShape shape,
                        const CheckOptions *options, CheckTally *tally)
{
    size_t alignments[2];
    int count = alignments_of(impl, shape, alignments);
    ImgParams params;
    Random random = {options->seed};
    for (int draw = 0; check_draw_params(op, shape, draw, &random, &params); draw++) {
        if (!img_impl_applies(op, impl, shape, params.bytes))
            continue;
        for (Fill fill = 0; fill < FILL_COUNT; fill++) {
            if (!is_worth_checking(op, shape, &params, fill, draw))
                continue;
            for (int a = 0; a < count; a++) {
                if (tally->offered++ % (uint64_t)options->every != 0)
                    continue;
                ImgError err = {IMG_OK, ""};
                if (check_one(op, impl, &params, shape, fill, alignments[a], options, &err)) {
                    tally->passed++;
                    continue;
                }
                if (tally->failed++ < FAILURES_SHOWN)
                    report_failure(op, impl, &params, shape, fill, &err);
            }
        }
    }
}

static void check_impl(const ImgOp *op, const ImgImpl *impl, const CheckOptions *options,
                       CheckTally *tally)
{
    for (size_t s = 0; s < COUNT(sizes); s++) {
        for (size_t f = 0; f < COUNT(formats); f++) {
            ImgShape shape = {sizes[s][0], sizes[s][1], formats[f]};
            /* An operation that the file decides chooses among rows that others check. */
            if (is_small(shape) || (!options->small && op->bind == NULL))
                check_shape(op, impl, shape, options, tally);
        }
    }
}

void check_all(const CheckOptions *options, CheckTally *tally)
{
    const ImgOp *op;
    for (size_t o = 0; (op = img_op_at(o)) != NULL; o++) {
        if (options->op != NULL && strcmp(options->op, op->name) != 0)
            continue;
        /* The reference itself has unit tests with cases worked out by hand. */
        for (const ImgImpl *impl = op->impls + 1; impl->name != NULL; impl++) {
            if ((options->impl != NULL && strcmp(options->impl, impl->name) != 0) ||
                (options->backend != IMG_BACKEND_AUTO && options->backend != impl->backend))
                continue;
            if (!img_impl_usable(impl)) {
                printf("%-12s %-20s not in this build or processor\n", op->name, impl->name);
                continue;
            }
            CheckTally one = {0, 0, 0};
            check_impl(op, impl, options, &one);
            printf("%-12s %-20s %8llu passed %6llu failed\n", op->name, impl->name,
                   (unsigned long long)one.passed, (unsigned long long)one.failed);
            fflush(stdout);
            tally->passed += one.passed;
            tally->failed += one.failed;
        }
    }
}
