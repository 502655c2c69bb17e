/* NPP's transpose, quarter turn and mirrors, timed as `checkkernels --bench` times ours: device
 * events, second-level cache filled with other data before each run, median of 15, GB/s of bytes
 * read plus bytes written, beside a device copy of the same bytes.   npp_turns [WIDTH HEIGHT] */
#include <cuda_runtime_api.h>
#include <npp.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/bench/timing/plain_read.h"

enum { WARM_UP = 3, SAMPLES = 15 };
static const size_t SCRUB_BYTES = (size_t)192 << 20;

/* One picture, and where its turned copy goes; steps are bytes per row. */
typedef struct Pictures {
    NppiSize size;
    void *src, *dst;
    int src_step, dst_step;
    size_t bytes;
    NppStreamContext context;
} Pictures;

typedef NppStatus Turn(const Pictures *p);

#define DEFINE_TURNS(SUFFIX, TYPE)                                                                 \
    static NppStatus transpose_##SUFFIX(const Pictures *p)                                         \
    {                                                                                              \
        return nppiTranspose_##SUFFIX##_Ctx((const TYPE *)p->src, p->src_step, (TYPE *)p->dst,     \
                                            p->dst_step, p->size, p->context);                     \
    }                                                                                              \
    static NppStatus rotate_##SUFFIX(const Pictures *p)                                            \
    {                                                                                              \
        NppiRect from = {0, 0, p->size.width, p->size.height};                                     \
        NppiRect to = {0, 0, p->size.height, p->size.width};                                       \
        return nppiRotate_##SUFFIX##_Ctx((const TYPE *)p->src, p->size, p->src_step, from,         \
                                         (TYPE *)p->dst, p->dst_step, to, 90, 0,                   \
                                         p->size.width - 1, NPPI_INTER_NN, p->context);            \
    }                                                                                              \
    static NppStatus flip_##SUFFIX(const Pictures *p)                                              \
    {                                                                                              \
        return nppiMirror_##SUFFIX##_Ctx((const TYPE *)p->src, p->src_step, (TYPE *)p->dst,        \
                                         p->src_step, p->size, NPP_VERTICAL_AXIS, p->context);     \
    }                                                                                              \
    static NppStatus half_##SUFFIX(const Pictures *p)                                              \
    {                                                                                              \
        return nppiMirror_##SUFFIX##_Ctx((const TYPE *)p->src, p->src_step, (TYPE *)p->dst,        \
                                         p->src_step, p->size, NPP_BOTH_AXIS, p->context);         \
    }

DEFINE_TURNS(8u_C1R, Npp8u)
DEFINE_TURNS(8u_C3R, Npp8u)
DEFINE_TURNS(8u_C4R, Npp8u)
DEFINE_TURNS(16u_C1R, Npp16u)
DEFINE_TURNS(16u_C3R, Npp16u)
DEFINE_TURNS(16u_C4R, Npp16u)

#define TURNS(SUFFIX)                                                                              \
    {                                                                                              \
        transpose_##SUFFIX, rotate_##SUFFIX, flip_##SUFFIX, half_##SUFFIX                          \
    }

static const char *const turn_names[] = {"transpose", "rotate 270", "flip horizontal",
                                         "rotate 180"};
static const struct {
    const char *name;
    size_t pixel;
    Turn *turns[4];
} formats[] = {
    {"gray8", 1, TURNS(8u_C1R)}, {"gray16", 2, TURNS(16u_C1R)}, {"rgb8", 3, TURNS(8u_C3R)},
    {"rgba8", 4, TURNS(8u_C4R)}, {"rgb16", 6, TURNS(16u_C3R)},  {"rgba16", 8, TURNS(16u_C4R)},
};

static void check(cudaError_t code)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "npp_turns: CUDA: %s\n", cudaGetErrorString(code));
    exit(1);
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Milliseconds; below 0 where NPP refuses. `turn` NULL is the copy. */
static float time_turn(const Pictures *p, Turn *turn, void *scrub)
{
    cudaEvent_t before, after;
    float samples[SAMPLES];
    check(cudaEventCreate(&before));
    check(cudaEventCreate(&after));
    for (int i = -WARM_UP; i < SAMPLES; i++) {
        float milliseconds;
        if (img_fill_cache(scrub, SCRUB_BYTES, NULL, NULL) != IMG_OK)
            return -1;
        check(cudaEventRecord(before, NULL));
        if (turn == NULL)
            check(cudaMemcpyAsync(p->dst, p->src, p->bytes, cudaMemcpyDeviceToDevice, NULL));
        else if (turn(p) != NPP_SUCCESS)
            return -1;
        check(cudaEventRecord(after, NULL));
        check(cudaEventSynchronize(after));
        check(cudaEventElapsedTime(&milliseconds, before, after));
        if (i >= 0)
            samples[i] = milliseconds;
    }
    check(cudaEventDestroy(before));
    check(cudaEventDestroy(after));
    qsort(samples, SAMPLES, sizeof *samples, by_value);
    return samples[SAMPLES / 2];
}

static NppStreamContext stream_context(void)
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

static size_t pitch(size_t bytes)
{
    return (bytes + 127) / 128 * 128;
}

int main(int argc, char **argv)
{
    int width = argc == 3 ? atoi(argv[1]) : 4001, height = argc == 3 ? atoi(argv[2]) : 3001;
    if (width < 1 || height < 1) {
        fputs("usage: npp_turns [WIDTH HEIGHT]\n", stderr);
        return 2;
    }
    void *scrub;
    check(cudaMalloc(&scrub, SCRUB_BYTES));
    check(cudaMemset(scrub, 0x5a, SCRUB_BYTES));
    printf("NPP, %d x %d pixels, median of %d runs\n", width, height, SAMPLES);
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        size_t pixel = formats[f].pixel;
        Pictures p = {.size = {width, height}, .context = stream_context()};
        p.src_step = (int)pitch((size_t)width * pixel);
        p.dst_step = (int)pitch((size_t)height * pixel);
        p.bytes = (size_t)width * (size_t)height * pixel;
        size_t tall = (size_t)p.src_step * (size_t)height,
               wide = (size_t)p.dst_step * (size_t)width;
        check(cudaMalloc(&p.src, tall > wide ? tall : wide));
        check(cudaMalloc(&p.dst, tall > wide ? tall : wide));
        check(cudaMemset(p.src, 0x35, tall));
        float copy = time_turn(&p, NULL, scrub);
        printf("%-16s %-7s %9.3f ms %8.1f GB/s 100%%\n", "(device copy)", formats[f].name, copy,
               2e-6 * (double)p.bytes / copy);
        for (int t = 0; t < 4; t++) {
            float milliseconds = time_turn(&p, formats[f].turns[t], scrub);
            if (milliseconds < 0)
                printf("%-16s %-7s not supported\n", turn_names[t], formats[f].name);
            else
                printf("%-16s %-7s %9.3f ms %8.1f GB/s %3.0f%%\n", turn_names[t], formats[f].name,
                       milliseconds, 2e-6 * (double)p.bytes / milliseconds,
                       100 * copy / milliseconds);
        }
        check(cudaFree(p.src));
        check(cudaFree(p.dst));
    }
    check(cudaFree(scrub));
    return 0;
}
