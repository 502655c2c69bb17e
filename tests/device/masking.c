#include "tests/device/fake_runtime.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/exec/cuda/self_test.h"
#include "tests/device/failing_calls.h"

enum { WORKSPACE = 300 };

static uint8_t sample_at(size_t i)
{
    return (uint8_t)(i * 29 + 7);
}

/* --- The operation ---------------------------------------------------------------------------- */

typedef struct Params {
    uint8_t mask;
} Params;

static ImgStatus same_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err)
{
    (void)params;
    (void)err;
    *dst = src;
    return IMG_OK;
}

static uint64_t traffic(ImgShape src, const void *params)
{
    (void)src;
    (void)params;
    return (uint64_t)1 << 40;
}

static size_t workspace(const ImgOp *op, ImgShape src, const void *params)
{
    (void)op;
    (void)src;
    (void)params;
    return WORKSPACE;
}

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params, ImgConstants *constants,
                         ImgError *err)
{
    (void)op;
    (void)src;
    constants->bytes = malloc(1);
    if (constants->bytes == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    constants->size = 1;
    memcpy(constants->bytes, params, 1);
    return IMG_OK;
}

static void mask_rows(const ImgView *src, const ImgView *dst, uint8_t mask)
{
    for (size_t y = 0; y < (size_t)src->height; y++)
        for (size_t x = 0; x < (size_t)src->width; x++)
            dst->data[y * dst->stride + x] = src->data[y * src->stride + x] ^ mask;
}

static ImgStatus on_cpu(const ImgCall *call, ImgError *err)
{
    (void)err;
    mask_rows(&call->src, &call->dst, *(const uint8_t *)call->constants.bytes);
    return IMG_OK;
}

/* Launches two kernels. The first copies the constants to the workspace, and the second does the
 * work. */
static ImgStatus on_device(const ImgCall *call, ImgError *err)
{
    uint8_t *kept = (uint8_t *)call->workspace + WORKSPACE - 1;
    if (failing_calls_launch() == cudaSuccess)
        *kept = *(const uint8_t *)call->device_constants;
    if (failing_calls_launch() == cudaSuccess)
        mask_rows(&call->src, &call->dst, *kept);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

static const ImgImpl impls[] = {
    {.name = "plain", .backend = IMG_BACKEND_CPU, .run = on_cpu},
    {.name = "cuda-plain", .backend = IMG_BACKEND_CUDA, .run = on_device, .workspace = workspace},
    {.name = NULL},
};

static const ImgOp op = {
    .name = "mask",
    .params_size = sizeof(Params),
    .shape = same_shape,
    .cost = {.cpu_ns_per_byte = 1, .traffic = traffic},
    .constants = {.prepare = prepare},
    .impls = impls,
};

ImgStep masking_step(uint8_t mask)
{
    ImgStep step = {.op = &op};
    const Params params = {mask};
    memcpy(step.params.bytes, &params, sizeof params);
    return step;
}

/* Replaces the function of the same name in self_test.cu, which needs a GPU. */
ImgStatus img_cuda_self_test(unsigned char *device_bytes, void *stream, ImgError *err)
{
    (void)stream;
    if (failing_calls_launch() == cudaSuccess)
        for (int i = 0; i < IMG_SELF_TEST_BYTES; i++)
            device_bytes[i] = (unsigned char)(i * 7 + 3);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

/* --- Pictures --------------------------------------------------------------------------------- */

ImgShape masking_shape(void)
{
    return (ImgShape){MASKING_WIDTH, MASKING_HEIGHT, {IMG_COLOR_GRAY, 8}};
}

ImgImage masking_picture(void)
{
    ImgImage image;
    if (img_image_alloc(masking_shape(), &image, NULL) != IMG_OK)
        abort();
    for (size_t y = 0; y < MASKING_HEIGHT; y++)
        for (size_t x = 0; x < MASKING_WIDTH; x++)
            image.view.data[y * image.view.stride + x] = sample_at(y * MASKING_WIDTH + x);
    return image;
}

bool masking_is_done(const ImgView *view, uint8_t mask)
{
    if (view->width != MASKING_WIDTH || view->height != MASKING_HEIGHT)
        return false;
    for (size_t y = 0; y < MASKING_HEIGHT; y++)
        for (size_t x = 0; x < MASKING_WIDTH; x++)
            if (view->data[y * view->stride + x] != (sample_at(y * MASKING_WIDTH + x) ^ mask))
                return false;
    return true;
}

/* --- Source and sink on the device ------------------------------------------------------------ */

static ImgStatus send(void *context, const ImgDevicePlace *place, ImgError *err)
{
    (void)context;
    uint8_t *host = place->host;
    for (size_t i = 0; i < MASKING_BYTES; i++)
        host[i] = sample_at(i);
    CUDA_TRY(cudaMemcpyAsync(place->device, host, MASKING_BYTES, cudaMemcpyHostToDevice,
                             (cudaStream_t)place->stream),
             err);
    return IMG_OK;
}

/* Copies the rows `from` to `to` as a kernel does: from the bytes of the file to the picture if
 * `reads`, otherwise from the picture to the bytes. */
static void move_rows(const ImgDevicePlace *place, size_t from, size_t to, bool reads)
{
    if (failing_calls_launch() != cudaSuccess)
        return;
    for (size_t y = from; y < to; y++) {
        uint8_t *row = place->view.data + y * place->view.stride;
        uint8_t *bytes = (uint8_t *)place->device + y * MASKING_WIDTH;
        memcpy(reads ? row : bytes, reads ? bytes : row, MASKING_WIDTH);
    }
}

static ImgStatus move_in_parts(const ImgDevicePlace *place, bool reads, ImgError *err)
{
    img_stage(place->stages, "first rows");
    move_rows(place, 0, MASKING_HEIGHT / 2, reads);
    img_stage(place->stages, "last rows");
    move_rows(place, MASKING_HEIGHT / 2, MASKING_HEIGHT, reads);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

static ImgStatus decode(void *context, const ImgDevicePlace *place, ImgError *err)
{
    (void)context;
    return move_in_parts(place, true, err);
}

static ImgStatus encode(void *context, const ImgDevicePlace *place, ImgError *err)
{
    (void)context;
    return move_in_parts(place, false, err);
}

static ImgStatus fetch(void *context, const ImgDevicePlace *place, ImgError *err)
{
    (void)context;
    CUDA_TRY(cudaMemcpyAsync(place->host, place->device, MASKING_BYTES, cudaMemcpyDeviceToHost,
                             (cudaStream_t)place->stream),
             err);
    return IMG_OK;
}

static ImgStatus nothing_more(void *context, const ImgDevicePlace *place, ImgError *err)
{
    (void)context;
    (void)place;
    (void)err;
    return IMG_OK;
}

static ImgStatus keep(void *context, const ImgDevicePlace *place, ImgError *err)
{
    (void)err;
    memcpy(context, place->host, MASKING_BYTES);
    return IMG_OK;
}

ImgDeviceEnd masking_source(void)
{
    return (ImgDeviceEnd){.device_bytes = MASKING_BYTES,
                          .host_bytes = MASKING_BYTES,
                          .move = send,
                          .work = decode,
                          .end = nothing_more};
}

ImgDeviceEnd masking_sink(uint8_t *bytes)
{
    return (ImgDeviceEnd){.device_bytes = MASKING_BYTES,
                          .host_bytes = MASKING_BYTES,
                          .move = fetch,
                          .work = encode,
                          .end = keep,
                          .context = bytes};
}
