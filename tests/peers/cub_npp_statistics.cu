/* Times histograms of CUB, and histograms, mean and deviation of NPP, and for comparison a plain
 * read of the same bytes. The figures are in kernels/histogram/MEASUREMENTS.md. For the figures of
 * imgtool run: checkkernels --bench --backend cuda --op histogram.
 * Build by hand with a CUDA Toolkit that has CUB and NPP:
 *   nvcc -O3 -arch=native -I. -o cub_npp_statistics tests/peers/cub_npp_statistics.cu \
 *        app/bench/timing/plain_read.cu kernels/core/status.c -lnppist -lnppc
 *   ./cub_npp_statistics WIDTH HEIGHT
 * CUB counts all channels at once, NPP's mean and deviation only one of them. Neither counts luma,
 * whereas imgtool does. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_histogram.cuh>
#include <functional>
#include <npp.h>
#include <vector>

#include "app/bench/timing/plain_read.h"

namespace
{

constexpr int WARM_UP = 3, RUNS = 15;
/* size of a buffer that is larger than the L2 cache */
constexpr size_t SCRUB_BYTES = (size_t)192 << 20;

void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

template <typename T> T *device_memory(size_t count)
{
    T *memory = nullptr;
    check(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
    return memory;
}

__global__ void fill_kernel(uint32_t *words, size_t count, bool constant)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        uint32_t x = (uint32_t)i * 2654435761u; /* mixing step of MurmurHash3 */
        x = (x ^ x >> 16) * 0x85ebca6b;
        x = (x ^ x >> 13) * 0xc2b2ae35;
        words[i] = constant ? 0x80808080 : x ^ x >> 16;
    }
}

struct Picture {
    int width, height, channels, sample_size;
    size_t row() const
    {
        return (size_t)width * channels * sample_size;
    }
    size_t bytes() const
    {
        return row() * height;
    }
};

/* Returns the median time of several runs of `work`, in seconds. Before each run the L2 cache is
 * filled with other data. */
double median_of(void *scrub, const std::function<void()> &work)
{
    cudaEvent_t before, after;
    check(cudaEventCreate(&before), "cudaEventCreate");
    check(cudaEventCreate(&after), "cudaEventCreate");
    std::vector<float> times;
    for (int i = 0; i < WARM_UP + RUNS; i++) {
        check(img_fill_cache(scrub, SCRUB_BYTES, nullptr, nullptr) == IMG_OK, "img_fill_cache");
        check(cudaEventRecord(before), "cudaEventRecord");
        work();
        check(cudaEventRecord(after), "cudaEventRecord");
        check(cudaEventSynchronize(after), "cudaEventSynchronize");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, before, after), "cudaEventElapsedTime");
        if (i >= WARM_UP)
            times.push_back(milliseconds);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2] * 1e-3;
}

void report(const Picture &picture, const char *content, const char *name, double seconds)
{
    printf("%d x %-6d %d x %-2d bits  %-9s %-26s %9.3f ms %8.1f GB/s\n", picture.width,
           picture.height, picture.channels, picture.sample_size * 8, content, name, seconds * 1e3,
           (double)picture.bytes() / seconds * 1e-9);
    fflush(stdout);
}

template <typename Sample, int CHANNELS>
void time_cub(const Picture &picture, const char *content, const Sample *src, void *scrub)
{
    const int bins = sizeof(Sample) == 1 ? 256 : 65536;
    cuda::std::array<int *, CHANNELS> counts;
    cuda::std::array<int, CHANNELS> levels, lower, upper;
    for (int c = 0; c < CHANNELS; c++) {
        counts[c] = device_memory<int>(bins);
        levels[c] = bins + 1;
        lower[c] = 0;
        upper[c] = bins;
    }
    size_t size = 0;
    void *memory = nullptr;
    auto run = [&] {
        return cub::DeviceHistogram::MultiHistogramEven<CHANNELS, CHANNELS>(
            memory, size, src, counts, levels, lower, upper, picture.width, picture.height,
            picture.row());
    };
    check(run(), "cub::DeviceHistogram");
    memory = device_memory<char>(size);
    report(picture, content, "cub::DeviceHistogram",
           median_of(scrub, [&] { check(run(), "cub::DeviceHistogram"); }));
    cudaFree(memory);
    for (int *table : counts)
        cudaFree(table);
}

NppStreamContext stream_context()
{
    NppStreamContext context = {};
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    context.nMultiProcessorCount = properties.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
    context.nSharedMemPerBlock = properties.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = properties.major;
    context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
    return context;
}

void time_npp_histogram(const Picture &picture, const char *content, const void *src, void *scrub)
{
    NppStreamContext context = stream_context();
    NppiSize size = {picture.width, picture.height};
    int step = (int)picture.row(), bins = picture.sample_size == 1 ? 256 : 65536;
    int levels[4] = {bins + 1, bins + 1, bins + 1, bins + 1};
    Npp32s lower[4] = {0, 0, 0, 0}, upper[4] = {bins, bins, bins, bins};
    Npp32s *counts[4];
    for (Npp32s *&table : counts)
        table = device_memory<Npp32s>(bins);
    size_t buffer_size = 0;
    Npp8u *buffer = nullptr;
    std::function<NppStatus()> run;
    if (picture.channels == 1 && picture.sample_size == 1) {
        nppiHistogramEvenGetBufferSize_8u_C1R_Ctx(size, levels[0], &buffer_size, context);
        run = [&] {
            return nppiHistogramEven_8u_C1R_Ctx((const Npp8u *)src, step, size, counts[0],
                                                levels[0], lower[0], upper[0], buffer, context);
        };
    } else if (picture.channels == 1) {
        nppiHistogramEvenGetBufferSize_16u_C1R_Ctx(size, levels[0], &buffer_size, context);
        run = [&] {
            return nppiHistogramEven_16u_C1R_Ctx((const Npp16u *)src, step, size, counts[0],
                                                 levels[0], lower[0], upper[0], buffer, context);
        };
    } else if (picture.channels == 3 && picture.sample_size == 1) {
        nppiHistogramEvenGetBufferSize_8u_C3R_Ctx(size, levels, &buffer_size, context);
        run = [&] {
            return nppiHistogramEven_8u_C3R_Ctx((const Npp8u *)src, step, size, counts, levels,
                                                lower, upper, buffer, context);
        };
    } else if (picture.channels == 4 && picture.sample_size == 1) {
        nppiHistogramEvenGetBufferSize_8u_C4R_Ctx(size, levels, &buffer_size, context);
        run = [&] {
            return nppiHistogramEven_8u_C4R_Ctx((const Npp8u *)src, step, size, counts, levels,
                                                lower, upper, buffer, context);
        };
    }
    if (run) {
        buffer = device_memory<Npp8u>(buffer_size);
        if (run() == NPP_SUCCESS)
            report(picture, content, "NPP HistogramEven",
                   median_of(scrub, [&] { check(run() == NPP_SUCCESS, "HistogramEven"); }));
        else
            printf("NPP HistogramEven refuses %d bins\n", bins);
        cudaFree(buffer);
    }
    for (Npp32s *table : counts)
        cudaFree(table);
}

/* Times the mean and deviation of one channel, because NPP has no call for all channels. */
void time_npp_mean(const Picture &picture, const char *content, const void *src, void *scrub)
{
    NppStreamContext context = stream_context();
    NppiSize size = {picture.width, picture.height};
    int step = (int)picture.row();
    size_t buffer_size = 0;
    Npp64f *results = device_memory<Npp64f>(2);
    Npp8u *buffer = nullptr;
    std::function<NppStatus()> run;
    if (picture.sample_size != 1 || picture.channels == 4)
        return;
    if (picture.channels == 1) {
        nppiMeanStdDevGetBufferHostSize_8u_C1R_Ctx(size, &buffer_size, context);
        run = [&] {
            return nppiMean_StdDev_8u_C1R_Ctx((const Npp8u *)src, step, size, buffer, results,
                                              results + 1, context);
        };
    } else {
        nppiMeanStdDevGetBufferHostSize_8u_C3CR_Ctx(size, &buffer_size, context);
        run = [&] {
            return nppiMean_StdDev_8u_C3CR_Ctx((const Npp8u *)src, step, size, 1, buffer, results,
                                               results + 1, context);
        };
    }
    buffer = device_memory<Npp8u>(buffer_size);
    report(picture, content, "NPP Mean_StdDev, 1 channel",
           median_of(scrub, [&] { check(run() == NPP_SUCCESS, "Mean_StdDev"); }));
    cudaFree(buffer);
    cudaFree(results);
}

template <typename Sample, int CHANNELS>
void time_format(int width, int height, bool constant, void *scrub)
{
    Picture picture = {width, height, CHANNELS, sizeof(Sample)};
    const char *content = constant ? "constant" : "random";
    Sample *src = device_memory<Sample>(picture.bytes() / sizeof(Sample) + 16);
    fill_kernel<<<1024, 256>>>((uint32_t *)src, picture.bytes() / 4, constant);
    report(picture, content, "plain read", median_of(scrub, [&] {
               check(img_plain_read(src, picture.bytes(), scrub, nullptr, nullptr) == IMG_OK,
                     "img_plain_read");
           }));
    time_cub<Sample, CHANNELS>(picture, content, src, scrub);
    time_npp_histogram(picture, content, src, scrub);
    time_npp_mean(picture, content, src, scrub);
    cudaFree(src);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: cub_npp_statistics WIDTH HEIGHT\n");
        return 2;
    }
    int width = atoi(argv[1]), height = atoi(argv[2]);
    void *scrub = device_memory<char>(SCRUB_BYTES);
    check(cudaMemset(scrub, 0x5a, SCRUB_BYTES), "cudaMemset");
    for (bool constant : {false, true}) {
        time_format<uint8_t, 1>(width, height, constant, scrub);
        time_format<uint8_t, 3>(width, height, constant, scrub);
        time_format<uint8_t, 4>(width, height, constant, scrub);
        time_format<uint16_t, 1>(width, height, constant, scrub);
        time_format<uint16_t, 3>(width, height, constant, scrub);
        time_format<uint16_t, 4>(width, height, constant, scrub);
    }
    return 0;
}
