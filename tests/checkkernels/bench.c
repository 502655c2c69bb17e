/* See bench.h. Bytes moved are the operation's own count. */
#include "tests/checkkernels/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/timing/host_limits.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/registry.h"

enum { WARM_UP = 3, SAMPLES = 15, NUMBER_DRAWS = 2, DRAWS_MOST = 9 };

static const struct {
    const char *name;
    ImgFormat format;
} formats[] = {
    {"gray8", {IMG_COLOR_GRAY, 8}}, {"gray16", {IMG_COLOR_GRAY, 16}},
    {"rgb8", {IMG_COLOR_RGB, 8}},   {"rgba8", {IMG_COLOR_RGBA, 8}},
    {"rgb16", {IMG_COLOR_RGB, 16}}, {"rgba16", {IMG_COLOR_RGBA, 16}},
};

typedef struct Timing {
    double median, noise; /* seconds; half the distance of the quartiles over the median */
    double copies;        /* median of how many copies (or reads) one run takes */
} Timing;

/* What one table row works on: pictures on the host, or their twins on the device. */
typedef struct Bench {
    ImgCall call;
    ImgImage src, dst, expected;
    ImgDevice *device;
    void *device_src, *device_dst;
    bool on_device, measures;
    volatile uint64_t sum; /* of plain reads: nobody asks for it, but it must be worked out */
    ImgTeam *team;
    int threads;
} Bench;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static Timing summarise(double *samples)
{
    qsort(samples, SAMPLES, sizeof *samples, by_value);
    double median = samples[SAMPLES / 2];
    double spread = samples[SAMPLES * 3 / 4] - samples[SAMPLES / 4];
    return (Timing){.median = median, .noise = spread / 2 / median};
}

static ImgStatus time_peer(Bench *bench, double *seconds, ImgError *err)
{
    size_t size = bench->dst.size < bench->src.size ? bench->dst.size : bench->src.size;
    if (bench->on_device) {
        ImgDeviceRead read = {bench->device, bench->device_src, bench->src.size};
        ImgDeviceCopy copy = {bench->device_dst, bench->device_src, size};
        return bench->measures ? img_device_time(bench->device, img_device_read, &read,
                                                 IMG_CACHES_COLD, 1, seconds, err)
                               : img_device_time(bench->device, img_device_copy, &copy,
                                                 IMG_CACHES_COLD, 1, seconds, err);
    }
    double start = img_clock();
    if (bench->measures)
        bench->sum +=
            img_host_read(bench->src.view.data, bench->src.size, bench->team, bench->threads);
    else
        img_host_copy(bench->dst.view.data, bench->src.view.data, size, bench->team,
                      bench->threads);
    *seconds = img_clock() - start;
    return IMG_OK;
}

static ImgStatus time_once(Bench *bench, const ImgImpl *impl, double *seconds, ImgError *err)
{
    if (impl == NULL)
        return time_peer(bench, seconds, err);
    if (bench->on_device) {
        ImgDeviceRow row = {impl, &bench->call};
        ImgStatus status = img_device_prepare(bench->device, impl, &bench->call, err);
        return status == IMG_OK ? img_device_time(bench->device, img_device_row, &row,
                                                  IMG_CACHES_COLD, 1, seconds, err)
                                : status;
    }
    double start = img_clock();
    ImgStatus status = impl->run(&bench->call, err);
    *seconds = img_clock() - start;
    return status;
}

/* `impl` NULL is the copy or read. One goes before every run, so that a busy machine slows both. */
static ImgStatus time_many(Bench *bench, const ImgImpl *impl, Timing *timing, ImgError *err)
{
    double samples[SAMPLES], copies[SAMPLES], unused, copy;
    ImgStatus status = IMG_OK;
    for (int i = 0; i < WARM_UP && status == IMG_OK; i++)
        status = time_once(bench, impl, &unused, err);
    for (int i = 0; i < SAMPLES && status == IMG_OK; i++) {
        status = time_once(bench, NULL, &copy, err);
        if (status == IMG_OK)
            status = time_once(bench, impl, &samples[i], err);
        if (status == IMG_OK)
            copies[i] = samples[i] / copy;
    }
    if (status != IMG_OK)
        return status;
    *timing = summarise(samples);
    timing->copies = summarise(copies).median;
    return IMG_OK;
}

static ImgStatus run_checked(Bench *bench, const ImgImpl *impl, ImgError *err)
{
    memset(bench->dst.view.data, 0x3c, bench->dst.size);
    ImgStatus status;
    if (bench->on_device) {
        status = img_device_upload(bench->device_dst, bench->dst.view.data, bench->dst.size, err);
        if (status == IMG_OK)
            status = check_run(impl, &bench->call, bench->device, err);
        if (status == IMG_OK)
            status =
                img_device_download(bench->dst.view.data, bench->device_dst, bench->dst.size, err);
    } else {
        status = impl->run(&bench->call, err);
    }
    const ImgView *a = &bench->expected.view, *b = &bench->dst.view;
    size_t row = (size_t)a->width * img_format_pixel_size(a->format);
    for (int32_t y = 0; status == IMG_OK && y < a->height; y++)
        if (memcmp(a->data + (size_t)y * a->stride, b->data + (size_t)y * b->stride, row) != 0)
            status = img_fail(err, IMG_E_MISMATCH, "differs from the reference in row %d", y);
    return status;
}

static void bench_free(Bench *bench)
{
    img_constants_free(&bench->call.constants);
    img_image_free(&bench->src);
    img_image_free(&bench->dst);
    img_image_free(&bench->expected);
    img_device_free(bench->device_src);
    img_device_free(bench->device_dst);
    img_team_free(bench->team);
}

/* On the host as images are there; rows that go to a device lie as the executor lays them. */
static ImgStatus alloc_picture(ImgShape shape, bool on_device, ImgImage *image, ImgError *err)
{
    if (!on_device)
        return img_image_alloc(shape, image, err);
    size_t pitch = img_device_pitch(shape);
    image->size = pitch * (size_t)shape.height;
    image->view = img_view_make(malloc(image->size), pitch, shape);
    return image->view.data != NULL ? IMG_OK : img_fail(err, IMG_E_MEMORY, "no memory");
}

/* Padding too: nothing reads it, and this is quicker than pixel by pixel. "photo" has broad areas
 * of similar values with noise of 1/64 of the range, "constant" one value throughout. */
static void fill_quickly(ImgImage *image, const char *fill, uint64_t seed)
{
    enum { AREA_SHIFT = 11 }; /* 16 KiB */
    Random random = {seed};
    const uint64_t each_byte = UINT64_C(0x0101010101010101);
    bool deep = image->view.format.bits == 16;
    uint64_t high = deep ? each_byte & UINT64_C(0xff00ff00ff00ff00) : each_byte;
    uint64_t noise = deep ? UINT64_C(0x03ff03ff03ff03ff) : 3 * each_byte;
    size_t words = image->size / sizeof(uint64_t);
    for (size_t i = 0; i < words; i++) {
        uint64_t bits = random_next(&random);
        if (fill[0] == 'p')
            bits = (i >> AREA_SHIFT & 0x3f) * 4 * high + (bits & noise);
        if (fill[0] == 'c')
            bits = 0x80 * each_byte;
        memcpy(image->view.data + i * sizeof bits, &bits, sizeof bits);
    }
    memset(image->view.data + words * sizeof(uint64_t), 0x5a, image->size % sizeof(uint64_t));
}

static ImgStatus bench_open(Bench *bench, const ImgOp *op, const ImgParams *params, ImgShape shape,
                            const BenchOptions *wanted, const CheckOptions *options, bool on_device,
                            ImgError *err)
{
    ImgShape result;
    const ImgImpl *against;
    *bench =
        (Bench){.on_device = on_device, .device = options->device, .threads = options->threads};
    bench->team = img_team_create(&(ImgTeamConfig){.stack_bytes = IMG_TEAM_STACK_BYTES});
    ImgStatus status = op->shape(shape, params->bytes, &result, err);
    bench->measures = status == IMG_OK && result.format.color == IMG_COLOR_COUNTS;
    if (status == IMG_OK)
        status = alloc_picture(shape, on_device, &bench->src, err);
    if (status == IMG_OK)
        status = alloc_picture(result, on_device, &bench->dst, err);
    if (status == IMG_OK)
        status = alloc_picture(result, on_device, &bench->expected, err);
    if (status != IMG_OK)
        return status;
    fill_quickly(&bench->src, wanted->fill, options->seed);
    bench->call = (ImgCall){.op = op,
                            .src = bench->src.view,
                            .dst = bench->expected.view,
                            .params = params->bytes,
                            .threads = options->threads,
                            .team = bench->team};
    status = img_op_prepare(op, shape.format, params->bytes, &bench->call.constants, err);
    if (status == IMG_OK)
        status = img_impl_find(op, wanted->against, &against, err);
    if (status == IMG_OK)
        status = against->run(&bench->call, err);
    bench->call.dst = bench->dst.view;
    if (status != IMG_OK || !on_device)
        return status;
    status = img_device_alloc(&bench->device_src, bench->src.size, err);
    if (status == IMG_OK)
        status = img_device_alloc(&bench->device_dst, bench->dst.size, err);
    if (status == IMG_OK)
        status = img_device_upload(bench->device_src, bench->src.view.data, bench->src.size, err);
    bench->call.src.data = bench->device_src;
    bench->call.dst.data = bench->device_dst;
    return status;
}

static bool is_selected(const ImgOp *op, const ImgImpl *impl, const ImgParams *params,
                        ImgShape shape, ImgBackend backend, const CheckOptions *options)
{
    return impl->backend == backend && img_impl_usable(impl) &&
           img_impl_applies(op, impl, shape, params->bytes) &&
           (options->impl == NULL || strcmp(options->impl, impl->name) == 0);
}

static bool any_selected(const ImgOp *op, const ImgParams *params, ImgShape shape,
                         ImgBackend backend, const CheckOptions *options)
{
    for (const ImgImpl *impl = op->impls; impl->name != NULL; impl++)
        if (is_selected(op, impl, params, shape, backend, options))
            return true;
    return false;
}

/* One operation with one set of parameters on one backend: the copy, then every variant. */
static void bench_variants(const ImgOp *op, const ImgParams *params, const char *title,
                           const char *format, ImgShape shape, bool on_device,
                           const BenchOptions *wanted, const CheckOptions *options,
                           CheckTally *tally)
{
    Bench bench;
    Timing copy = {.median = 0}, timing = {.median = 0};
    bool once = wanted->once;
    double first = 0, bytes = (double)img_op_traffic(op, shape, params->bytes);
    ImgError err = {IMG_OK, ""};
    ImgBackend backend = on_device ? IMG_BACKEND_CUDA : IMG_BACKEND_CPU;
    if (!any_selected(op, params, shape, backend, options))
        return;
    ImgStatus status = bench_open(&bench, op, params, shape, wanted, options, on_device, &err);
    if (status == IMG_OK && !once)
        status = time_many(&bench, NULL, &copy, &err);
    if (status != IMG_OK) {
        printf("FAIL %s %s: %s\n", title, format, err.message);
        tally->failed++;
        bench_free(&bench);
        return;
    }
    double copied =
        bench.measures
            ? (double)bench.src.size
            : 2.0 * (double)(bench.dst.size < bench.src.size ? bench.dst.size : bench.src.size);
    const char *peer = bench.measures ? "(plain read)" : on_device ? "(device copy)" : "(memcpy)";
    if (!once)
        printf("%-22s %-7s %-20s %10.3f %5.1f%% %8.1f %6s %8s\n", title, format, peer,
               copy.median * 1e3, copy.noise * 100, copied / copy.median * 1e-9, "100%", "");
    for (const ImgImpl *impl = op->impls; impl->name != NULL; impl++) {
        if (!is_selected(op, impl, params, shape, backend, options))
            continue;
        img_error_clear(&err);
        status = run_checked(&bench, impl, &err);
        if (status == IMG_OK && !once)
            status = time_many(&bench, impl, &timing, &err);
        if (status != IMG_OK) {
            printf("%-22s %-7s %-20s FAIL: %s\n", title, format, impl->name, err.message);
            tally->failed++;
            continue;
        }
        tally->passed++;
        if (once) {
            printf("%-22s %-7s %-20s verified\n", title, format, impl->name);
            continue;
        }
        if (first == 0)
            first = timing.median;
        printf("%-22s %-7s %-20s %10.3f %5.1f%% %8.1f %5.0f%% %7.2fx verified\n", title, format,
               impl->name, timing.median * 1e3, timing.noise * 100, bytes / timing.median * 1e-9,
               bytes / copied / timing.copies * 100, first / timing.median);
    }
    fflush(stdout);
    bench_free(&bench);
}

/* "rotate angle=270" */
static void make_title(const ImgOp *op, const ImgParams *params, char *title, size_t size)
{
    size_t used = (size_t)snprintf(title, size, "%s", op->name);
    for (const ImgParam *param = op->params; param->name != NULL && used < size; param++) {
        char text[IMG_PARAM_TEXT];
        img_params_print(param, params, text, sizeof text);
        if (!img_param_is_default(param, params) || param->type == IMG_PARAM_CHOICE)
            used += (size_t)snprintf(title + used, size - used, " %s", text);
    }
}

static bool is_measure(const ImgOp *op)
{
    for (size_t i = 0; img_measures[i] != NULL; i++)
        if (img_measures[i] == op)
            return true;
    return false;
}

/* Sets the parameters that were asked for. */
static bool set_values(const ImgOp *op, const BenchOptions *wanted, ImgParams *params,
                       CheckTally *tally)
{
    img_params_init(op, params);
    for (int i = 0; i < wanted->values_count; i++) {
        char name[64];
        ImgError err;
        const char *equals = strchr(wanted->values[i], '=');
        snprintf(name, sizeof name, "%.*s", equals == NULL ? 0 : (int)(equals - wanted->values[i]),
                 wanted->values[i]);
        if (equals == NULL || img_params_set(op, params, name, equals + 1, &err) != IMG_OK) {
            fprintf(stderr, "%s %s: %s\n", op->name, wanted->values[i],
                    equals == NULL ? "a parameter is NAME=VALUE" : err.message);
            tally->failed++;
            return false;
        }
    }
    return true;
}

static void bench_params(const ImgOp *op, const ImgParams *params, const char *format,
                         ImgShape shape, const CheckOptions *options, const BenchOptions *wanted,
                         CheckTally *tally)
{
    char title[64];
    make_title(op, params, title, sizeof title);
    if (options->backend != IMG_BACKEND_CUDA)
        bench_variants(op, params, title, format, shape, false, wanted, options, tally);
    if (options->backend != IMG_BACKEND_CPU)
        bench_variants(op, params, title, format, shape, true, wanted, options, tally);
}

static void bench_op(const ImgOp *op, const CheckOptions *options, const BenchOptions *wanted,
                     CheckTally *tally)
{
    ImgParams params;
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        if (wanted->format != NULL && strcmp(wanted->format, formats[f].name) != 0)
            continue;
        ImgShape shape = {wanted->width, wanted->height, formats[f].format};
        Random random = {options->seed};
        if (wanted->values_count > 0) {
            if (!set_values(op, wanted, &params, tally))
                return;
            bench_params(op, &params, formats[f].name, shape, options, wanted, tally);
            continue;
        }
        for (int draw = 0; case_params(op, shape, draw, &random, &params); draw++) {
            bool numbers = op->params[0].name != NULL && op->params[0].type != IMG_PARAM_CHOICE;
            if ((numbers && draw == NUMBER_DRAWS) || (is_measure(op) && draw > 0) ||
                draw == DRAWS_MOST)
                break; /* the further ones cost the same */
            bench_params(op, &params, formats[f].name, shape, options, wanted, tally);
        }
    }
}

void bench_all(const CheckOptions *options, const BenchOptions *wanted, CheckTally *tally)
{
    printf("%d x %d pixels, %s, median of %d runs, GB/s of bytes read plus bytes written\n",
           wanted->width, wanted->height, wanted->fill, SAMPLES);
    printf("%-22s %-7s %-20s %10s %6s %8s %6s %8s\n", "operation", "format", "variant", "ms",
           "noise", "GB/s", "copy", "speed-up");
    const ImgOp *op;
    for (size_t o = 0; (op = img_op_at(o)) != NULL; o++) {
        /* What depends on the file only chooses among turns that have rows of their own. */
        bool named = options->op != NULL && strcmp(options->op, op->name) == 0;
        if (named || (options->op == NULL && op->bind == NULL))
            bench_op(op, options, wanted, tally);
    }
}
