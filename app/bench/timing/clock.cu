/* Measures the clock of the multiprocessors under load. A kernel counts clock cycles, and compares
 * them with a timer in nanoseconds. The specified clock is of no use, because a GPU reaches it only
 * while it is idle or cool. */
#include "app/bench/timing/device.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

enum { THREADS = 256, BLOCKS = 1024 };

static __device__ uint64_t nanoseconds()
{
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void clock_kernel(uint64_t span, uint64_t *out)
{
    uint64_t first = nanoseconds(), now = first;
    int64_t ticks = clock64();
    while (now - first < span)
        now = nanoseconds();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        out[0] = (uint64_t)(clock64() - ticks);
        out[1] = now - first;
    }
}

static ImgStatus count(uint64_t *memory, uint64_t ticks[2], ImgError *err)
{
    const uint64_t span = 2000000;
    IMG_LAUNCH(clock_kernel, BLOCKS, THREADS, 0, NULL, span, memory);
    CUDA_TRY(cudaGetLastError(), err);
    CUDA_TRY(cudaMemcpy(ticks, memory, 2 * sizeof *ticks, cudaMemcpyDeviceToHost), err);
    return IMG_OK;
}

ImgStatus img_device_clock(double *hertz, ImgError *err)
{
    void *memory = NULL;
    uint64_t ticks[2] = {0, 0};
    ImgStatus status = img_device_alloc(&memory, sizeof ticks, err);
    if (status == IMG_OK)
        status = count((uint64_t *)memory, ticks, err);
    img_device_free(memory);
    *hertz = ticks[1] > 0 ? (double)ticks[0] / (double)ticks[1] * 1e9 : 0;
    return status;
}
