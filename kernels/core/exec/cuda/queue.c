/* Queues passes that work on the caller's device memory, with the caller's stream and workspace. */
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/op.h"

/* Another library may have left a harmless error on the caller's thread. A launch would return this
 * error as if the launch had caused it, so the function clears it. An error that makes the device
 * unusable is returned again by the next call. */
ImgStatus img_cuda_enter(int device, int *before, ImgError *err)
{
    (void)cudaGetLastError();
    CUDA_TRY(cudaGetDevice(before), err);
    CUDA_TRY(cudaSetDevice(device), err);
    return IMG_OK;
}

void img_cuda_leave(int before)
{
    (void)cudaSetDevice(before);
}

/* The constants may be freed after this function: the driver copies unpinned memory before
 * cudaMemcpyAsync returns. */
static ImgStatus send_constants(const ImgPlan *plan, const ImgDeviceRun *run, ImgError *err)
{
    uint8_t *to = run->workspace;
    for (size_t i = 0; i < plan->count; i++) {
        const ImgConstants *constants = &plan->passes[i].constants;
        if (constants->size > 0)
            CUDA_TRY(cudaMemcpyAsync(to, constants->bytes, constants->size, cudaMemcpyHostToDevice,
                                     run->stream),
                     err);
        to += img_sent_room(constants);
    }
    return IMG_OK;
}

static ImgStatus copy(const ImgDeviceRun *run, ImgError *err)
{
    const size_t row = (size_t)run->from.width * img_format_pixel_size(run->from.format);
    CUDA_TRY(cudaMemcpy2DAsync(run->to.data, run->to.stride, run->from.data, run->from.stride, row,
                               (size_t)run->from.height, cudaMemcpyDeviceToDevice, run->stream),
             err);
    return IMG_OK;
}

static ImgView result_of(const ImgPlan *plan, size_t i, const ImgDeviceLayout *layout,
                         const ImgDeviceRun *run)
{
    const ImgShape shape = plan->passes[i].dst;
    uint8_t *memory = run->workspace;
    if (i + 1 == plan->count)
        return run->to;
    return img_view_make(memory + layout->image[i % 2], img_device_pitch(shape), shape);
}

ImgStatus img_cuda_queue(const ImgPlan *plan, const ImgDeviceLayout *layout,
                         const ImgDeviceRun *run, ImgError *err)
{
    const uint8_t *constants = run->workspace;
    ImgView view = run->from;
    if (plan->count == 0)
        return copy(run, err);
    ImgStatus status = send_constants(plan, run, err);
    for (size_t i = 0; status == IMG_OK && i < plan->count; i++) {
        const ImgPass *pass = &plan->passes[i];
        const ImgCall call = {.op = pass->op,
                              .src = view,
                              .dst = result_of(plan, i, layout, run),
                              .params = pass->params,
                              .constants = pass->constants,
                              .device_constants = constants,
                              .stream = run->stream,
                              .workspace = (uint8_t *)run->workspace + layout->workspace};
        status = pass->impl->run(&call, err);
        constants += img_sent_room(&pass->constants);
        view = call.dst;
    }
    return status;
}
