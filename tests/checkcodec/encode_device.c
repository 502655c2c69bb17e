#include "tests/checkcodec/encode_check.h"

#include "kernels/core/cuda/cuda_util.h"

static ImgStatus open_stream(cudaStream_t *stream, ImgError *err)
{
    CUDA_TRY(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), err);
    return IMG_OK;
}

static ImgStatus upload(Device *device, const ImgView *view, ImgError *err)
{
    CUDA_TRY(cudaMalloc(&device->pixels, view->stride * (size_t)view->height), err);
    CUDA_TRY(cudaMemcpy(device->pixels, view->data, view->stride * (size_t)view->height,
                        cudaMemcpyHostToDevice),
             err);
    CUDA_TRY(cudaMalloc(&device->workspace, device->plan.workspace), err);
    CUDA_TRY(cudaMalloc(&device->output, device->plan.output), err);
    CUDA_TRY(cudaMalloc(&device->size, sizeof(uint64_t)), err);
    CUDA_TRY(
        cudaMalloc(&device->strips, device->plan.options.strips.count * sizeof(ImgPngCudaStrip)),
        err);
    CUDA_TRY(cudaMalloc(&device->blocks, device->plan.starts * sizeof(ImgPngCudaBlock)), err);
    return IMG_OK;
}

ImgStatus device_open(Device *device, const ImgView *view, const ImgPngEncodeCudaOptions *options,
                      ImgError *err)
{
    ImgStatus status = img_png_encode_cuda_plan(img_view_shape(view), options, &device->plan, err);
    if (status == IMG_OK)
        status = open_stream((cudaStream_t *)&device->second_stream, err);
    if (status == IMG_OK)
        status = upload(device, view, err);
    device->places = (ImgPngEncodeCudaPlaces){.pixels = device->pixels,
                                              .stride = view->stride,
                                              .workspace = device->workspace,
                                              .output = device->output,
                                              .size = device->size,
                                              .strips = device->strips,
                                              .blocks = device->blocks};
    return status;
}

ImgStatus device_encode(Device *device, ImgError *err)
{
    ImgStatus status =
        img_png_encode_cuda(&device->plan, &device->places, NULL, device->second_stream, NULL, err);
    if (status != IMG_OK)
        return status;
    CUDA_TRY(cudaDeviceSynchronize(), err);
    return IMG_OK;
}

ImgStatus device_download(const Device *device, uint8_t *chunks, size_t *size, ImgError *err)
{
    uint64_t written = 0;
    CUDA_TRY(cudaMemcpy(&written, device->size, sizeof written, cudaMemcpyDeviceToHost), err);
    if (written > device->plan.output)
        return img_fail(err, IMG_E_DEVICE, "more bytes than the plan allows");
    CUDA_TRY(cudaMemcpy(chunks, device->output, written, cudaMemcpyDeviceToHost), err);
    *size = written;
    return IMG_OK;
}

ImgStatus device_results(const Device *device, ImgPngCudaStrip *strips, ImgError *err)
{
    CUDA_TRY(cudaMemcpy(strips, device->strips, device->plan.options.strips.count * sizeof *strips,
                        cudaMemcpyDeviceToHost),
             err);
    return IMG_OK;
}

ImgStatus device_blocks(const Device *device, ImgPngCudaBlock *blocks, ImgError *err)
{
    CUDA_TRY(cudaMemcpy(blocks, device->blocks, device->plan.starts * sizeof *blocks,
                        cudaMemcpyDeviceToHost),
             err);
    return IMG_OK;
}

void device_close(Device *device)
{
    if (device->second_stream != NULL)
        (void)cudaStreamDestroy((cudaStream_t)device->second_stream);
    (void)cudaFree(device->blocks);
    (void)cudaFree(device->strips);
    (void)cudaFree(device->size);
    (void)cudaFree(device->output);
    (void)cudaFree(device->workspace);
    (void)cudaFree(device->pixels);
    *device = (Device){0};
}
