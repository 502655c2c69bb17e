#include "app/bench/measure/workload.h"

#include <stdlib.h>
#include <string.h>

#include "app/bench/timing/host_limits.h"
#include "kernels/core/minmax.h"
#include "kernels/core/parallel/clock.h"

static size_t row_bytes(ImgShape shape)
{
    return (size_t)shape.width * img_format_pixel_size(shape.format);
}

static size_t device_bytes(ImgShape shape)
{
    return img_device_pitch(shape) * (size_t)shape.height;
}

ImgStatus workload_bytes(const ImgStep *step, ImgShape src, uint64_t *bytes, ImgError *err)
{
    ImgShape result;
    size_t before, after;
    ImgStatus status = step->op->shape(src, step->params.bytes, &result, err);
    if (status == IMG_OK)
        status = img_shape_bytes(src, &before, err);
    if (status == IMG_OK)
        status = img_shape_bytes(result, &after, err);
    if (status == IMG_OK)
        *bytes = (uint64_t)before + 2 * (uint64_t)after + img_max64(before, after) +
                 limit_room_bytes(src, result);
    return status;
}

static ImgStatus make_room(Workload *workload, ImgError *err)
{
    const size_t size = limit_room_bytes(img_view_shape(workload->config.src), workload->result);
    if (size == 0)
        return IMG_OK;
    workload->room = malloc(size);
    if (workload->room == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    /* Writing to all pages allocates them before the first timed run. */
    memset(workload->room, 0x5a, size);
    return IMG_OK;
}

ImgStatus workload_open(const WorkloadConfig *config, Workload *workload, ImgError *err)
{
    const ImgShape src = img_view_shape(config->src);
    *workload = WORKLOAD_NONE;
    workload->config = *config;
    if (config->team == NULL)
        workload->config.team = workload->own_team =
            img_team_create(&(ImgTeamConfig){.stack_bytes = IMG_TEAM_STACK_BYTES});
    ImgStatus status = IMG_OK;
    if (config->result != NULL)
        workload->result = *config->result;
    else
        status = config->op->shape(src, config->params, &workload->result, err);
    if (status == IMG_OK)
        status = img_image_alloc(workload->result, &workload->expected, err);
    if (status == IMG_OK)
        status = img_image_alloc(workload->result, &workload->got, err);
    if (status != IMG_OK)
        return status;
    workload->measures = limit_is_read(workload->result);
    status = make_room(workload, err);
    if (status == IMG_OK && config->constants == NULL)
        status = img_op_prepare(config->op, src, config->params, &workload->constants, err);
    workload->call =
        (ImgCall){.op = config->op,
                  .src = *config->src,
                  .dst = workload->expected.view,
                  .params = config->params,
                  .constants = config->constants != NULL ? *config->constants : workload->constants,
                  .threads = config->threads,
                  .team = workload->config.team};
    return status;
}

ImgStatus workload_expect(Workload *workload, const ImgImpl *standard, ImgError *err)
{
    workload->standard = standard;
    return standard->run(&workload->call, err);
}

static void copy_to_staging(const Workload *workload, const ImgView *view)
{
    ImgShape shape = img_view_shape(view);
    size_t pitch = img_device_pitch(shape), row = row_bytes(shape);
    for (int32_t y = 0; y < shape.height; y++) {
        uint8_t *to = workload->staging + (size_t)y * pitch;
        memcpy(to, view->data + (size_t)y * view->stride, row);
        memset(to + row, 0, pitch - row);
    }
}

static void copy_from_staging(const Workload *workload, const ImgView *view)
{
    ImgShape shape = img_view_shape(view);
    size_t pitch = img_device_pitch(shape);
    for (int32_t y = 0; y < shape.height; y++)
        memcpy(view->data + (size_t)y * view->stride, workload->staging + (size_t)y * pitch,
               row_bytes(shape));
}

ImgStatus workload_upload(Workload *workload, ImgDevice *device, ImgError *err)
{
    ImgShape src = img_view_shape(workload->config.src);
    size_t before = device_bytes(src), after = device_bytes(workload->result);
    workload->staging = malloc(img_max64(before, after));
    if (workload->staging == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    ImgStatus status = img_device_alloc(&workload->device_src, before, err);
    if (status == IMG_OK)
        status = img_device_alloc(&workload->device_dst, after, err);
    if (status == IMG_OK && workload->room != NULL)
        status =
            img_device_alloc(&workload->device_room, limit_room_bytes(src, workload->result), err);
    if (status != IMG_OK)
        return status;
    workload->device = device;
    copy_to_staging(workload, workload->config.src);
    return img_device_upload(workload->device_src, workload->staging, before, err);
}

void workload_free(Workload *workload)
{
    img_constants_free(&workload->constants);
    img_image_free(&workload->expected);
    img_image_free(&workload->got);
    img_device_free(workload->device_src);
    img_device_free(workload->device_dst);
    img_device_free(workload->device_room);
    free(workload->room);
    free(workload->staging);
    img_team_free(workload->own_team);
    *workload = WORKLOAD_NONE;
}

uint64_t workload_limit_bytes(const Workload *workload)
{
    return limit_bytes(img_view_shape(workload->config.src), workload->result);
}

/* Sets the source and the destination of the call: pictures in host memory for a CPU row, on the
 * device for a CUDA row. */
static ImgStatus set_pictures(Workload *workload, const ImgImpl *impl, ImgError *err)
{
    ImgCall *call = &workload->call;
    if (impl->backend != IMG_BACKEND_CUDA) {
        call->src = *workload->config.src;
        call->dst = workload->got.view;
        return IMG_OK;
    }
    ImgShape src = img_view_shape(workload->config.src);
    call->src = img_view_make(workload->device_src, img_device_pitch(src), src);
    call->dst =
        img_view_make(workload->device_dst, img_device_pitch(workload->result), workload->result);
    return img_device_prepare(workload->device, impl, call, err);
}

static ImgStatus run_on_device(Workload *workload, const ImgImpl *impl, ImgError *err)
{
    size_t size = device_bytes(workload->result);
    memset(workload->staging, 0x3c, size);
    ImgStatus status = img_device_upload(workload->device_dst, workload->staging, size, err);
    if (status == IMG_OK)
        status = impl->run(&workload->call, err);
    if (status == IMG_OK)
        status = img_device_wait(err);
    if (status == IMG_OK)
        status = img_device_download(workload->staging, workload->device_dst, size, err);
    if (status == IMG_OK)
        copy_from_staging(workload, &workload->got.view);
    return status;
}

ImgStatus workload_compare(const ImgView *expected, const ImgView *got, ImgError *err)
{
    size_t row = row_bytes(img_view_shape(expected));
    for (int32_t y = 0; y < expected->height; y++)
        if (memcmp(expected->data + (size_t)y * expected->stride,
                   got->data + (size_t)y * got->stride, row) != 0)
            return img_fail(err, IMG_E_MISMATCH, "differs from the reference in row %d", y);
    return IMG_OK;
}

ImgStatus workload_check(Workload *workload, const ImgImpl *impl, ImgError *err)
{
    if (impl == workload->standard)
        return IMG_OK;
    memset(workload->got.view.data, 0x3c, workload->got.size);
    ImgStatus status = set_pictures(workload, impl, err);
    if (status == IMG_OK)
        status = impl->backend == IMG_BACKEND_CUDA ? run_on_device(workload, impl, err)
                                                   : impl->run(&workload->call, err);
    return status == IMG_OK ? workload_compare(&workload->expected.view, &workload->got.view, err)
                            : status;
}

static ImgStatus time_limit_on_device(Workload *workload, ImgCaches caches, int repeats,
                                      double *seconds, ImgError *err)
{
    ImgShape src = img_view_shape(workload->config.src);
    ImgDeviceRead read = {workload->device, workload->device_src, limit_packed_bytes(src)};
    ImgDeviceCopy copy = limit_copy(src, workload->result, workload->device_src,
                                    workload->device_dst, workload->device_room);
    return img_device_time(workload->device, workload->measures ? img_device_read : img_device_copy,
                           workload->measures ? (void *)&read : (void *)&copy, caches, repeats,
                           seconds, err);
}

/* Runs the limit (a copy or a plain read) on the CPU. Treats each picture as one contiguous range
 * of bytes, because its rows in host memory are only a few bytes apart. */
static void run_limit(Workload *workload)
{
    ImgShape src = img_view_shape(workload->config.src);
    ImgDeviceCopy copy = limit_copy(src, workload->result, workload->config.src->data,
                                    workload->got.view.data, workload->room);
    if (workload->measures)
        workload->read += img_host_read(workload->config.src->data, limit_packed_bytes(src),
                                        workload->config.team, workload->config.threads);
    else
        img_host_copy(copy.to, copy.from, copy.size, workload->config.team,
                      workload->config.threads);
}

static ImgStatus time_on_cpu(Workload *workload, const ImgImpl *impl, int repeats, double *seconds,
                             ImgError *err)
{
    ImgStatus status = IMG_OK;
    double start = img_clock();
    for (int i = 0; i < repeats && status == IMG_OK; i++) {
        if (impl != NULL)
            status = impl->run(&workload->call, err);
        else
            run_limit(workload);
    }
    *seconds = (img_clock() - start) / repeats;
    return status;
}

ImgStatus workload_time(Workload *workload, const ImgImpl *impl, ImgBackend backend,
                        ImgCaches caches, int repeats, double *seconds, ImgError *err)
{
    if (impl == NULL && backend == IMG_BACKEND_CUDA)
        return time_limit_on_device(workload, caches, repeats, seconds, err);
    ImgStatus status = impl != NULL ? set_pictures(workload, impl, err) : IMG_OK;
    if (status != IMG_OK || backend != IMG_BACKEND_CUDA)
        return status != IMG_OK ? status : time_on_cpu(workload, impl, repeats, seconds, err);
    ImgDeviceRow row = {impl, &workload->call};
    return img_device_time(workload->device, img_device_row, &row, caches, repeats, seconds, err);
}

enum { AREA_BYTES = 1 << 14, WORD = sizeof(uint64_t) };

static const uint64_t EACH_BYTE = UINT64_C(0x0101010101010101);

/* Returns the next random number, by the generator xorshift64* (Vigna, "An experimental exploration
 * of Marsaglia's xorshift generators", 2016). */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545F4914F6CDD1D);
}

/* Returns eight bytes of samples for area number `area`: eight samples of one byte, or four of two
 * bytes. Each area has one of 64 levels, which are 1/64 of the range apart, and noise as large as
 * this distance. For fewer than 8 bits per sample, only the upper bits are kept. */
static uint64_t photo_word(uint64_t random, size_t area, int bits)
{
    uint64_t level = area % 64 * 4;
    if (bits == 16)
        return level * (EACH_BYTE & UINT64_C(0xff00ff00ff00ff00)) +
               (random & UINT64_C(0x03ff03ff03ff03ff));
    uint64_t word = level * EACH_BYTE + (random & 3 * EACH_BYTE);
    return word >> (8 - bits) & ((1U << bits) - 1) * EACH_BYTE;
}

void bench_fill_photo(const ImgView *view, uint64_t seed)
{
    size_t row = (size_t)view->width * img_format_pixel_size(view->format);
    /* The generator returns only zeros after a state of 0, so 1 replaces the seed 0. */
    uint64_t state = seed != 0 ? seed : 1;
    for (size_t y = 0; y < (size_t)view->height; y++) {
        uint8_t *to = view->data + y * view->stride;
        for (size_t x = 0; x < row; x += WORD) {
            size_t area = (y * row + x) / AREA_BYTES;
            uint64_t word = photo_word(next_random(&state), area, view->format.bits);
            memcpy(to + x, &word, row - x < WORD ? row - x : WORD);
        }
        memset(to + row, 0, view->stride - row);
    }
}

size_t limit_packed_bytes(ImgShape shape)
{
    return (size_t)shape.width * img_format_pixel_size(shape.format) * (size_t)shape.height;
}

bool limit_is_read(ImgShape result)
{
    return result.format.color == IMG_COLOR_COUNTS;
}

/* Returns the number of bytes that one copy reads, which is also the number that it writes.
 * Together the two numbers are the size of source and result. */
static size_t copied_bytes(ImgShape src, ImgShape result)
{
    return (limit_packed_bytes(src) + limit_packed_bytes(result)) / 2;
}

uint64_t limit_bytes(ImgShape src, ImgShape result)
{
    return limit_is_read(result) ? limit_packed_bytes(src)
                                 : 2 * (uint64_t)copied_bytes(src, result);
}

size_t limit_room_bytes(ImgShape src, ImgShape result)
{
    const bool same = limit_packed_bytes(src) == limit_packed_bytes(result);
    return same || limit_is_read(result) ? 0 : copied_bytes(src, result);
}

ImgDeviceCopy limit_copy(ImgShape src, ImgShape result, const void *from, void *to, void *room)
{
    const bool has_room = limit_room_bytes(src, result) > 0;
    const bool shrinks = limit_packed_bytes(result) < limit_packed_bytes(src);
    return (ImgDeviceCopy){.to = has_room && shrinks ? room : to,
                           .from = has_room && !shrinks ? room : from,
                           .size = copied_bytes(src, result)};
}
