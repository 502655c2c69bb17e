/* sum: its descriptor, the reference in plain C, and the implementation with threads. */
#include "kernels/sum/sum.h"

#include <stdatomic.h>

#include "kernels/core/op.h"
#include "kernels/core/sample.h"

static const ImgParam params[] = {{.name = NULL}};

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    (void)params_of_call;
    return img_measure_shape("sum", src, img_format_channels(src.format), 1, dst, err);
}

static ImgStatus run_reference(const ImgCall *call, ImgError *err)
{
    (void)err;
    const ImgView *src = &call->src;
    uint64_t *sums = img_view_counts(&call->dst, 0);
    size_t channels = (size_t)img_format_channels(src->format);
    memset(sums, 0, channels * sizeof *sums);
    for (int32_t y = 0; y < src->height; y++) {
        const uint8_t *row = src->data + (size_t)y * src->stride;
        for (size_t i = 0; i < (size_t)src->width * channels; i++)
            sums[i % channels] += img_sample(row, i, src->format.bits);
    }
    return IMG_OK;
}

/* Number of pixels that are summed in 32 bits before they are added to the sums of 64 bits. The sum
 * of 4096 samples cannot overflow, and loops with 32-bit sums can be vectorised. */
enum { RUN = 4096 };

#define SUM_ROW(NAME, SAMPLE, CHANNELS)                                                            \
    static void NAME(const uint8_t *row, size_t width, uint64_t *sums)                             \
    {                                                                                              \
        for (size_t start = 0; start < width; start += RUN) {                                      \
            size_t end = width - start < RUN ? width : start + RUN;                                \
            uint32_t run[CHANNELS] = {0};                                                          \
            for (size_t x = start; x < end; x++) {                                                 \
                SAMPLE pixel[CHANNELS];                                                            \
                memcpy(pixel, row + x * sizeof pixel, sizeof pixel);                               \
                for (int c = 0; c < (CHANNELS); c++)                                               \
                    run[c] += pixel[c];                                                            \
            }                                                                                      \
            for (int c = 0; c < (CHANNELS); c++)                                                   \
                sums[c] += run[c];                                                                 \
        }                                                                                          \
    }
SUM_ROW(sum_row_8_1, uint8_t, 1)
SUM_ROW(sum_row_8_2, uint8_t, 2)
SUM_ROW(sum_row_8_3, uint8_t, 3)
SUM_ROW(sum_row_8_4, uint8_t, 4)
SUM_ROW(sum_row_16_1, uint16_t, 1)
SUM_ROW(sum_row_16_2, uint16_t, 2)
SUM_ROW(sum_row_16_3, uint16_t, 3)
SUM_ROW(sum_row_16_4, uint16_t, 4)

typedef struct Sums {
    const ImgView *src;
    void (*sum_row)(const uint8_t *row, size_t width, uint64_t *sums);
    atomic_uint_fast64_t of_all[4];
} Sums;

static void sum_rows(void *context, int64_t first, int64_t end)
{
    Sums *sums = context;
    uint64_t own[4] = {0};
    for (int64_t y = first; y < end; y++)
        sums->sum_row(sums->src->data + (size_t)y * sums->src->stride, (size_t)sums->src->width,
                      own);
    for (int c = 0; c < 4; c++)
        atomic_fetch_add(&sums->of_all[c], own[c]);
}

ImgStatus img_sum_cpu(const ImgCall *call, ImgError *err)
{
    static void (*const row_functions[2][4])(const uint8_t *, size_t, uint64_t *) = {
        {sum_row_8_1, sum_row_8_2, sum_row_8_3, sum_row_8_4},
        {sum_row_16_1, sum_row_16_2, sum_row_16_3, sum_row_16_4}};
    (void)err;
    const ImgView *src = &call->src;
    int channels = img_format_channels(src->format);
    Sums sums = {.src = src, .sum_row = row_functions[src->format.bits == 16][channels - 1]};
    bool small = img_measure_traffic(img_view_shape(src), call->params) < IMG_BYTES_WORTH_THREADS;
    img_parallel_for(call->team, small ? 1 : call->threads, src->height, sum_rows, &sums);
    for (int c = 0; c < channels; c++)
        img_view_counts(&call->dst, 0)[c] = atomic_load(&sums.of_all[c]);
    return IMG_OK;
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, sample by sample",
     .run = run_reference},
    {.name = "cpu", .backend = IMG_BACKEND_CPU, .note = "threads and vectors", .run = img_sum_cpu},
    {.name = "cuda-neighbours",
     .backend = IMG_BACKEND_CUDA,
     .note = "neighbouring pairs in shared memory: every warp diverges",
     .run = IMG_CUDA_RUN(img_sum_cuda_neighbours)},
    {.name = "cuda-sequential",
     .backend = IMG_BACKEND_CUDA,
     .note = "sequential addressing: whole warps finish early",
     .run = IMG_CUDA_RUN(img_sum_cuda_sequential)},
    {.name = "cuda-first-add",
     .backend = IMG_BACKEND_CUDA,
     .note = "the first addition on load: half the blocks",
     .run = IMG_CUDA_RUN(img_sum_cuda_first_add)},
    {.name = "cuda-shuffle",
     .backend = IMG_BACKEND_CUDA,
     .note = "within a warp by shuffles, without shared memory and barriers",
     .run = IMG_CUDA_RUN(img_sum_cuda_shuffle)},
    {.name = "cuda-dot",
     .backend = IMG_BACKEND_CUDA,
     .note = "16-byte loads, four samples per dot product, few blocks",
     .run = IMG_CUDA_RUN(img_sum_cuda_dot)},
    {.name = NULL},
};

const ImgOp img_measure_sum = {
    .name = "sum",
    .synopsis = "Add up the samples of each channel",
    .help = "Gives a row of sums, one for each channel.",
    .example = "",
    .params = params,
    .params_size = 0,
    .shape = shape,
    .palette = {.keeps = img_keeps_palette},
    .cost = {.cpu_ns_per_byte = 0.1, .traffic = img_measure_traffic},
    .effect = {.get = img_measure_effect},
    .impls = impls,
};
