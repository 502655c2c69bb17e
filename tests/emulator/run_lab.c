/* Runs every experiment of kernels/lab once: under the emulator for its counts, on a GPU for those
 * of Nsight Compute (README.md). */
#include <stdio.h>

#include "kernels/core/cuda_util.h"
#include "kernels/lab/lab.h"

static const struct {
    int width, height;
} guard_sizes[] = {{76, 62}, {200, 150}, {1000, 1000}};

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
    return status;
}

static ImgStatus run(ImgError *err)
{
    enum { BYTES = 1 << 20 };
    void *in = NULL, *out = NULL;
    CUDA_TRY(cudaMalloc(&in, BYTES), err);
    CUDA_TRY(cudaMalloc(&out, BYTES), err);
    ImgStatus status = run_all(in, out, err);
    if (status == IMG_OK)
        CUDA_TRY(cudaDeviceSynchronize(), err);
    (void)cudaFree(in);
    (void)cudaFree(out);
    return status;
}

int main(void)
{
    ImgError err = {IMG_OK, ""};
    if (run(&err) == IMG_OK)
        return 0;
    fprintf(stderr, "%s\n", err.message);
    return 1;
}
