/* Implements cuda/cuda_runtime_api.h for one emulated device. All calls are synchronous. */
#include <chrono>
#include <mutex>
#include <string.h>

#include "app/bench/model/emulator/state.h"

struct CUstream_st {
    unsigned flags;
};

struct CUevent_st {
    std::chrono::steady_clock::time_point time;
};

namespace emulator
{

static thread_local cudaError_t pending = cudaSuccess;

void fail_launch(cudaError_t code)
{
    pending = code;
}

bool has_failed()
{
    return pending != cudaSuccess;
}

} // namespace emulator

extern "C" {

cudaError_t cudaGetLastError(void)
{
    std::lock_guard<std::mutex> lock(emulator::turn);
    cudaError_t code = emulator::pending;
    emulator::pending = cudaSuccess;
    if (code == cudaSuccess && emulator::faulted_since_launch())
        code = cudaErrorLaunchFailure;
    emulator::begin_launch_faults();
    return code;
}

const char *cudaGetErrorString(cudaError_t code)
{
    if (code == cudaErrorLaunchFailure)
        return emulator::last_fault().c_str();
    if (code == cudaErrorInvalidConfiguration)
        return "invalid numbers of blocks or threads";
    return code == cudaErrorMemoryAllocation ? "out of memory" : "emulator error";
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int)
{
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int)
{
    *properties = {};
    strcpy(properties->name, "emulator on the CPU");
    properties->totalGlobalMem = (size_t)4 << 30;
    properties->major = 9;
    properties->multiProcessorCount = 2;
    return cudaSuccess;
}

/* The device has the same shared memory per block as an H100. It has only two multiprocessors, so
 * that kernels that divide their work among multiprocessors take many steps. */
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    *value = attribute == cudaDevAttrMultiProcessorCount ? 2 : 227 << 10;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    *stream = new CUstream_st{flags};
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t size)
{
    std::lock_guard<std::mutex> lock(emulator::turn);
    *memory = emulator::device_allocate(size);
    return *memory != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *memory)
{
    std::lock_guard<std::mutex> lock(emulator::turn);
    emulator::device_release(memory);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, cudaMemcpyKind)
{
    memcpy(to, from, size);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind kind,
                            cudaStream_t)
{
    return cudaMemcpy(to, from, size, kind);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind, cudaStream_t)
{
    for (size_t y = 0; y < height; y++)
        memcpy((char *)to + y * to_pitch, (const char *)from + y * from_pitch, width);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t size, cudaStream_t)
{
    memset(to, value, size);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = new CUevent_st();
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    *event = new CUevent_st();
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
    event->time = std::chrono::steady_clock::now();
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
{
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t)
{
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int)
{
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *own, const void *)
{
    *own = {};
    return cudaSuccess;
}
}
