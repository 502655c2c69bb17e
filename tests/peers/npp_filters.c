/* NPP's filters, timed as `checkkernels --bench` times ours: device events, the second-level cache
 * filled with other data before each run, medians, beside a device copy of the same bytes.
 *   npp_filters [WIDTH HEIGHT]
 * Built with the tests where CMake finds NPP; or by hand:
 *   nvcc -O2 -I. -o npp_filters tests/peers/npp_filters.c app/bench/timing/plain_read.cu \
 *        kernels/core/status.c -lnppif -lnppim -lnppidei -lnppc
 * NPP has no Sobel and no Laplacian of unsigned 16 bits: signed ones take their place. */
#include <cuda_runtime_api.h>
#include <npp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/timing/plain_read.h"

enum { WARM_UP = 2, SAMPLES = 15, FEW = 3, TAPS = 15 };
static const float SLOW = 50; /* milliseconds, from which on FEW runs are enough */
static const size_t SCRUB_BYTES = (size_t)256 << 20, NOISE_BYTES = (size_t)16 << 20;

/* A picture, its result, and room for gradients, medians and weights. */
typedef struct Pictures {
    NppiSize size;
    void *src, *dst;
    int step; /* bytes per row, of both */
    size_t bytes;
    void *extra; /* four bytes per sample */
    uint8_t *mask;
    int32_t *kernel;
    float *gauss;
    NppStreamContext context;
} Pictures;

typedef NppStatus Filter(const Pictures *p);

#define PICTURES(TYPE)                                                                             \
    (const TYPE *)p->src, p->step, p->size, (NppiPoint){0, 0}, (TYPE *)p->dst, p->step, p->size
#define AROUND NPP_BORDER_REPLICATE, p->context
#define SQUARE(side)                                                                               \
    (NppiSize){(side), (side)}, (NppiPoint)                                                        \
    {                                                                                              \
        (side) / 2, (side) / 2                                                                     \
    }

/* A Filter of a call that has `p`. */
#define FILTER(name, call)                                                                         \
    static NppStatus name(const Pictures *p)                                                       \
    {                                                                                              \
        return call;                                                                               \
    }

#define DEFINE_FILTERS(SUFFIX, TYPE)                                                               \
    FILTER(erode3_##SUFFIX, nppiErode3x3Border_##SUFFIX##_Ctx(PICTURES(TYPE), AROUND))             \
    FILTER(dilate3_##SUFFIX, nppiDilate3x3Border_##SUFFIX##_Ctx(PICTURES(TYPE), AROUND))           \
    FILTER(erode31_##SUFFIX,                                                                       \
           nppiErodeBorder_##SUFFIX##_Ctx(PICTURES(TYPE), p->mask, SQUARE(31), AROUND))            \
    FILTER(convolve3_##SUFFIX,                                                                     \
           nppiFilterBorder_##SUFFIX##_Ctx(PICTURES(TYPE), p->kernel, SQUARE(3), 16, AROUND))      \
    FILTER(box21_##SUFFIX, nppiFilterBoxBorder_##SUFFIX##_Ctx(PICTURES(TYPE), SQUARE(21), AROUND)) \
    FILTER(gauss3_##SUFFIX,                                                                        \
           nppiFilterGaussBorder_##SUFFIX##_Ctx(PICTURES(TYPE), NPP_MASK_SIZE_3_X_3, AROUND))      \
    FILTER(gauss15_##SUFFIX,                                                                       \
           nppiFilterGaussAdvancedBorder_##SUFFIX##_Ctx(PICTURES(TYPE), TAPS, p->gauss, AROUND))   \
    FILTER(bilateral4_##SUFFIX, nppiFilterBilateralGaussBorder_##SUFFIX##_Ctx(                     \
                                    PICTURES(TYPE), 4, 1, 25.0F * 25.0F, 2.0F * 2.0F, AROUND))     \
    static NppStatus median_##SUFFIX(const Pictures *p, int side)                                  \
    {                                                                                              \
        Npp32u bytes = 0;                                                                          \
        const NppiSize mask = {side, side};                                                        \
        NppStatus status = nppiFilterMedianBorderGetBufferSize_##SUFFIX##_Ctx(                     \
            p->size, mask, &bytes, NPP_BORDER_REPLICATE, p->context);                              \
        if (status != NPP_SUCCESS || bytes > 4 * p->bytes)                                         \
            return NPP_ERROR;                                                                      \
        return nppiFilterMedianBorder_##SUFFIX##_Ctx(PICTURES(TYPE), SQUARE(side),                 \
                                                     (Npp8u *)p->extra, AROUND);                   \
    }                                                                                              \
    FILTER(median3_##SUFFIX, median_##SUFFIX(p, 3))                                                \
    FILTER(median7_##SUFFIX, median_##SUFFIX(p, 7))

DEFINE_FILTERS(8u_C1R, Npp8u)
DEFINE_FILTERS(8u_C3R, Npp8u)
DEFINE_FILTERS(16u_C1R, Npp16u)

#define DEFINE_EDGES(SUFFIX, TYPE)                                                                 \
    FILTER(across_##SUFFIX, nppiFilterSobelHorizBorder_##SUFFIX##_Ctx(PICTURES(TYPE), AROUND))     \
    FILTER(laplace_##SUFFIX,                                                                       \
           nppiFilterLaplaceBorder_##SUFFIX##_Ctx(PICTURES(TYPE), NPP_MASK_SIZE_3_X_3, AROUND))

DEFINE_EDGES(8u_C1R, Npp8u)
DEFINE_EDGES(8u_C3R, Npp8u)
DEFINE_EDGES(16s_C1R, Npp16s)

/* Sobel's magnitude, which NPP has for gray only. */
#define DEFINE_MAGNITUDE(SUFFIX, TYPE, RESULT)                                                     \
    FILTER(magnitude_##SUFFIX,                                                                     \
           nppiGradientVectorSobelBorder_##SUFFIX##_Ctx(                                           \
               (const TYPE *)p->src, p->step, p->size, (NppiPoint){0, 0}, NULL, 0, NULL, 0,        \
               (RESULT *)p->extra, p->step / (int)sizeof(TYPE) * (int)sizeof(RESULT), NULL, 0,     \
               p->size, NPP_MASK_SIZE_3_X_3, nppiNormL2, AROUND))

DEFINE_MAGNITUDE(8u16s_C1R, Npp8u, Npp16s)
DEFINE_MAGNITUDE(16u32f_C1R, Npp16u, Npp32f)

static const char *const names[] = {
    "sobel, magnitude", "sobel x",      "laplacian",         "erode 3x3", "dilate 3x3",
    "erode 31x31",      "convolve 3x3", "box radius 10",     "gauss 3x3", "gauss 15 taps",
    "median 3x3",       "median 7x7",   "bilateral radius 4"};
enum { FILTERS = sizeof names / sizeof names[0] };

#define FILTERS_OF(SUFFIX, EDGES, MAGNITUDE)                                                       \
    {                                                                                              \
        MAGNITUDE, across_##EDGES, laplace_##EDGES, erode3_##SUFFIX, dilate3_##SUFFIX,             \
            erode31_##SUFFIX, convolve3_##SUFFIX, box21_##SUFFIX, gauss3_##SUFFIX,                 \
            gauss15_##SUFFIX, median3_##SUFFIX, median7_##SUFFIX, bilateral4_##SUFFIX              \
    }

static const struct {
    const char *name;
    size_t pixel;
    Filter *filters[FILTERS];
} formats[] = {
    {"gray8", 1, FILTERS_OF(8u_C1R, 8u_C1R, magnitude_8u16s_C1R)},
    {"rgb8", 3, FILTERS_OF(8u_C3R, 8u_C3R, NULL)},
    {"gray16", 2, FILTERS_OF(16u_C1R, 16s_C1R, magnitude_16u32f_C1R)},
};

static void check(cudaError_t code)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "npp_filters: CUDA: %s\n", cudaGetErrorString(code));
    exit(1);
}

static void *device_memory(size_t bytes)
{
    void *memory = NULL;
    check(cudaMalloc(&memory, bytes));
    return memory;
}

static void *on_device(const void *from, size_t bytes)
{
    void *memory = device_memory(bytes);
    check(cudaMemcpy(memory, from, bytes, cudaMemcpyHostToDevice));
    return memory;
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Milliseconds of one run; below 0 where NPP refuses. `filter` NULL is the copy. */
static float time_once(const Pictures *p, Filter *filter, const cudaEvent_t events[2], void *scrub)
{
    float milliseconds = -1;
    if (img_fill_cache(scrub, SCRUB_BYTES, NULL, NULL) != IMG_OK)
        return -1;
    check(cudaEventRecord(events[0], NULL));
    if (filter == NULL)
        check(cudaMemcpyAsync(p->dst, p->src, p->bytes, cudaMemcpyDeviceToDevice, NULL));
    else if (filter(p) != NPP_SUCCESS)
        return -1;
    check(cudaEventRecord(events[1], NULL));
    check(cudaEventSynchronize(events[1]));
    check(cudaEventElapsedTime(&milliseconds, events[0], events[1]));
    return milliseconds;
}

/* The median. */
static float time_filter(const Pictures *p, Filter *filter, void *scrub)
{
    cudaEvent_t events[2];
    float samples[SAMPLES] = {0}, first = 0;
    int count = SAMPLES;
    check(cudaEventCreate(&events[0]));
    check(cudaEventCreate(&events[1]));
    for (int i = 0; i < WARM_UP; i++)
        first = time_once(p, filter, events, scrub);
    if (first > SLOW)
        count = FEW;
    for (int i = 0; i < count; i++)
        samples[i] = first < 0 ? first : time_once(p, filter, events, scrub);
    check(cudaEventDestroy(events[0]));
    check(cudaEventDestroy(events[1]));
    qsort(samples, (size_t)count, sizeof *samples, by_value);
    return samples[count / 2];
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

static void fill_with_noise(void *memory, size_t bytes)
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

static void time_format(size_t format, NppiSize size, void *scrub)
{
    const size_t row = (size_t)size.width * formats[format].pixel;
    Pictures p = {.size = size, .context = stream_context()};
    uint8_t mask[31 * 31];
    const int32_t kernel[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
    float gauss[TAPS];
    memset(mask, 1, sizeof mask);
    for (int i = 0; i < TAPS; i++)
        gauss[i] = 1.0F / TAPS;
    p.step = (int)((row + 127) / 128 * 128);
    p.bytes = row * (size_t)size.height;
    const size_t memory = (size_t)p.step * (size_t)size.height;
    p.src = device_memory(memory);
    p.dst = device_memory(memory);
    p.extra = device_memory(4 * memory);
    p.mask = on_device(mask, sizeof mask);
    p.kernel = on_device(kernel, sizeof kernel);
    p.gauss = on_device(gauss, sizeof gauss);
    fill_with_noise(p.src, memory);
    const float copy = time_filter(&p, NULL, scrub);
    printf("%-18s %-7s %9.4f ms 100.0%%\n", "(device copy)", formats[format].name, copy);
    for (int i = 0; i < FILTERS; i++) {
        Filter *filter = formats[format].filters[i];
        const float milliseconds = filter != NULL ? time_filter(&p, filter, scrub) : -1;
        if (milliseconds < 0)
            printf("%-18s %-7s not supported\n", names[i], formats[format].name);
        else
            printf("%-18s %-7s %9.4f ms %5.1f%%\n", names[i], formats[format].name, milliseconds,
                   100 * copy / milliseconds);
        fflush(stdout);
    }
    void *const all[] = {p.src, p.dst, p.extra, p.mask, p.kernel, p.gauss};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        check(cudaFree(all[i]));
}

int main(int argc, char **argv)
{
    const NppiSize size = {argc == 3 ? atoi(argv[1]) : 4001, argc == 3 ? atoi(argv[2]) : 3001};
    if (size.width < 1 || size.height < 1) {
        fputs("usage: npp_filters [WIDTH HEIGHT]\n", stderr);
        return 2;
    }
    void *scrub = device_memory(SCRUB_BYTES);
    check(cudaMemset(scrub, 0x5a, SCRUB_BYTES));
    printf("NPP, %d x %d pixels, medians of %d runs\n", size.width, size.height, SAMPLES);
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
        time_format(f, size, scrub);
    check(cudaFree(scrub));
    return 0;
}
