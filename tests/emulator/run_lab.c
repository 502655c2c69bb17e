/* Runs every experiment of kernels/lab once: under the emulator for its counts, on a GPU for those
 * of Nsight Compute (README.md). `run_lab --sums` times the sums of 4,000,000 floats instead. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/cuda_util.h"
#include "kernels/lab/lab.h"

static const struct {
    int width, height;
} guard_sizes[] = {{76, 62}, {200, 150}, {1000, 1000}};

/* No multiple of a block. */
enum { SUM_ELEMENTS = 40001 };

static ImgStatus run_all(void *in, void *out, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (int v = 0; v < LAB_TILES && status == IMG_OK; v++)
        status = lab_square((LabTile)v, (int32_t *)out, NULL, err);
    for (int v = 0; v < LAB_TILES && status == IMG_OK; v++)
        status = lab_rectangle((LabTile)v, (int32_t *)out, NULL, err);
    for (size_t i = 0; i < sizeof guard_sizes / sizeof guard_sizes[0] && status == IMG_OK; i++)
        status = lab_guard((const uint8_t *)in, (uint8_t *)out, guard_sizes[i].width,
                           guard_sizes[i].height, NULL, err);
    for (int bytes = 1; bytes <= 16; bytes *= 2)
        for (int stride = 0; stride <= 33 && status == IMG_OK; stride++)
            status = lab_stride(bytes, stride, (uint32_t *)out, NULL, err);
    for (int v = 0; v < LAB_SUMS && status == IMG_OK; v++)
        status =
            lab_sum((LabSum)v, (const float *)in, SUM_ELEMENTS, LAB_SUM_ROUNDS, out, NULL, err);
    return status;
}

static ImgStatus run(ImgError *err)
{
    enum { BYTES = 1 << 20 };
    void *in = NULL, *out = NULL;
    CUDA_TRY(cudaMalloc(&in, BYTES), err);
    CUDA_TRY(cudaMalloc(&out, BYTES), err);
    CUDA_TRY(cudaMemsetAsync(in, 0, BYTES, NULL), err);
    ImgStatus status = run_all(in, out, err);
    if (status == IMG_OK)
        CUDA_TRY(cudaDeviceSynchronize(), err);
    (void)cudaFree(in);
    (void)cudaFree(out);
    return status;
}

enum { TIMED_ELEMENTS = 4000000, WARM_UP = 3, RUNS = 21 };

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Median milliseconds; the floats lie in the second-level cache from run to run. */
static ImgStatus time_sum(LabSum variant, const float *in, float *out, float *median, ImgError *err)
{
    cudaEvent_t before, after;
    float times[RUNS];
    CUDA_TRY(cudaEventCreate(&before), err);
    CUDA_TRY(cudaEventCreate(&after), err);
    for (int i = -WARM_UP; i < RUNS; i++) {
        CUDA_TRY(cudaEventRecord(before, NULL), err);
        ImgStatus status = lab_sum(variant, in, TIMED_ELEMENTS, LAB_SUM_ROUNDS, out, NULL, err);
        if (status != IMG_OK)
            return status;
        CUDA_TRY(cudaEventRecord(after, NULL), err);
        CUDA_TRY(cudaEventSynchronize(after), err);
        CUDA_TRY(cudaEventElapsedTime(&times[i < 0 ? 0 : i], before, after), err);
    }
    qsort(times, RUNS, sizeof *times, by_value);
    *median = times[RUNS / 2];
    return IMG_OK;
}

/* Whole numbers, so that every order of additions gives the same; the sum of the blocks' sums. */
static ImgStatus time_sums(float *host, float *in, float *out, ImgError *err)
{
    double expected = 0;
    for (int i = 0; i < TIMED_ELEMENTS; i++)
        expected += host[i] = (float)(i % 17);
    CUDA_TRY(cudaMemcpy(in, host, TIMED_ELEMENTS * sizeof *host, cudaMemcpyHostToDevice), err);
    for (int v = 0; v < LAB_SUMS; v++) {
        float median = 0;
        double sum = 0;
        size_t blocks = lab_sum_blocks((LabSum)v, TIMED_ELEMENTS);
        ImgStatus status = time_sum((LabSum)v, in, out, &median, err);
        if (status != IMG_OK)
            return status;
        CUDA_TRY(cudaMemcpy(host, out, blocks * sizeof *host, cudaMemcpyDeviceToHost), err);
        for (size_t b = 0; b < blocks; b++)
            sum += host[b];
        if (sum != expected)
            return img_fail(err, IMG_E_MISMATCH, "%s: %f, not %f", lab_sum_names[v], sum, expected);
        printf("%-22s %6zu blocks %8.4f ms %8.1f GB/s\n", lab_sum_names[v], blocks, median,
               TIMED_ELEMENTS * sizeof *host / (double)median * 1e-6);
    }
    return IMG_OK;
}

static ImgStatus run_sums(ImgError *err)
{
    void *in = NULL, *out = NULL;
    float *host = malloc(TIMED_ELEMENTS * sizeof *host);
    if (host == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    ImgStatus status = IMG_OK;
    if (cudaMalloc(&in, TIMED_ELEMENTS * sizeof *host) != cudaSuccess ||
        cudaMalloc(&out, TIMED_ELEMENTS / LAB_SUM_THREADS * 2 * sizeof *host) != cudaSuccess)
        status = img_fail(err, IMG_E_MEMORY, "no memory on the device");
    if (status == IMG_OK)
        status = time_sums(host, in, out, err);
    (void)cudaFree(in);
    (void)cudaFree(out);
    free(host);
    return status;
}

int main(int argc, char **argv)
{
    ImgError err = {IMG_OK, ""};
    bool sums = argc == 2 && strcmp(argv[1], "--sums") == 0;
    if ((sums ? run_sums(&err) : run(&err)) == IMG_OK)
        return 0;
    fprintf(stderr, "%s\n", err.message);
    return 1;
}
