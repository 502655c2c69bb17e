#include "tests/peers/npp/npp_timing.h"

#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/bench/timing/plain_read.h"

enum { WARM_UP = 2, SAMPLES = 15, FEW = 3 };
static const float SLOW = 50; /* milliseconds; a call that takes longer is run only FEW times */
static const size_t SCRUB_BYTES = (size_t)256 << 20, NOISE_BYTES = (size_t)16 << 20;

static void check(cudaError_t code)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(code));
    exit(1);
}

NppStreamContext npp_stream(void)
{
    NppStreamContext context = {.hStream = NULL};
    struct cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0));
    context.nMultiProcessorCount = properties.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
    context.nSharedMemPerBlock = properties.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = properties.major;
    context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
    return context;
}

void *npp_memory(size_t bytes)
{
    void *memory = NULL;
    check(cudaMalloc(&memory, bytes));
    return memory;
}

void *npp_memory_of(const void *from, size_t bytes)
{
    void *memory = npp_memory(bytes);
    check(cudaMemcpy(memory, from, bytes, cudaMemcpyHostToDevice));
    return memory;
}

void npp_free(void *memory)
{
    check(cudaFree(memory));
}

int npp_step(size_t bytes)
{
    return (int)((bytes + 127) / 128 * 128);
}

void npp_fill_with_noise(void *memory, size_t bytes)
{
    uint8_t *noise = malloc(NOISE_BYTES);
    if (noise == NULL)
        exit(1);
    uint64_t state = 1;
    for (size_t i = 0; i < NOISE_BYTES; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        noise[i] = (uint8_t)(state >> 56);
    }
    for (size_t at = 0; at < bytes; at += NOISE_BYTES)
        check(cudaMemcpy((uint8_t *)memory + at, noise,
                         bytes - at < NOISE_BYTES ? bytes - at : NOISE_BYTES,
                         cudaMemcpyHostToDevice));
    free(noise);
}

/* Returns device memory that is larger than the L2 cache. It is never freed. */
static void *scrub_memory(void)
{
    static void *memory = NULL;
    if (memory == NULL) {
        memory = npp_memory(SCRUB_BYTES);
        check(cudaMemset(memory, 0x5a, SCRUB_BYTES));
    }
    return memory;
}

/* Returns the milliseconds of one run of `call`. The result is negative if NPP rejects the call. */
static float time_once(NppCall *call, const void *task, const cudaEvent_t events[2])
{
    float milliseconds = -1;
    if (img_fill_cache(scrub_memory(), SCRUB_BYTES, NULL, NULL) != IMG_OK)
        return -1;
    check(cudaEventRecord(events[0], NULL));
    if (call(task) != NPP_SUCCESS)
        return -1;
    check(cudaEventRecord(events[1], NULL));
    check(cudaEventSynchronize(events[1]));
    check(cudaEventElapsedTime(&milliseconds, events[0], events[1]));
    return milliseconds;
}

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

float npp_time(NppCall *call, const void *task)
{
    cudaEvent_t events[2];
    float samples[SAMPLES] = {0}, first = 0;
    check(cudaEventCreate(&events[0]));
    check(cudaEventCreate(&events[1]));
    for (int i = 0; i < WARM_UP && first >= 0; i++)
        first = time_once(call, task, events);
    const int count = first > SLOW ? FEW : SAMPLES;
    for (int i = 0; i < count; i++)
        samples[i] = first < 0 ? first : time_once(call, task, events);
    check(cudaEventDestroy(events[0]));
    check(cudaEventDestroy(events[1]));
    qsort(samples, (size_t)count, sizeof *samples, by_value);
    return samples[count / 2];
}

static NppStatus copy_once(const void *task)
{
    const NppCopy *copy = task;
    check(cudaMemcpyAsync(copy->to, copy->from, copy->bytes, cudaMemcpyDeviceToDevice, NULL));
    return NPP_SUCCESS;
}

float npp_time_copy(NppCopy copy)
{
    return npp_time(copy_once, &copy);
}

void npp_print(const char *name, const char *format, float milliseconds, float copy)
{
    if (milliseconds < 0)
        printf("%-22s %-7s not supported\n", name, format);
    else
        printf("%-22s %-7s %9.4f ms %5.1f%%\n", name, format, milliseconds,
               100 * copy / milliseconds);
    fflush(stdout);
}

NppiSize npp_size(int argc, char **argv, const char *usage)
{
    const NppiSize size = {argc == 3 ? atoi(argv[1]) : 4001, argc == 3 ? atoi(argv[2]) : 3001};
    if (size.width < 1 || size.height < 1 || (argc != 1 && argc != 3)) {
        fprintf(stderr, "usage: %s\n", usage);
        exit(2);
    }
    return size;
}
