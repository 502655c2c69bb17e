/* histogram: its descriptor, and the reference in plain C. */
#include "kernels/histogram/histogram.h"

#include <string.h>

#include "kernels/core/color/luma.h"
#include "kernels/core/op.h"
#include "kernels/core/sample.h"
#include "kernels/core/select.h"

static const ImgChoice transparents[] = {
    {"count", IMG_TRANSPARENT_COUNT}, {"skip", IMG_TRANSPARENT_SKIP}, {NULL, 0}};

static const ImgParam params[] = {{.name = "luma",
                                   .type = IMG_PARAM_CHOICE,
                                   .offset = offsetof(ImgHistogramParams, luma),
                                   .default_value = "709",
                                   .choices = img_luma_or_none_choices,
                                   .help = "weights of luma (brightness): ITU-R BT.709, or "
                                           "BT.601 as in Pillow and OpenCV"},
                                  {.name = "transparent",
                                   .type = IMG_PARAM_CHOICE,
                                   .offset = offsetof(ImgHistogramParams, transparent),
                                   .default_value = "count",
                                   .choices = transparents,
                                   .help = "count fully transparent pixels, or skip them"},
                                  {.name = NULL}};

bool img_histogram_has_luma(ImgFormat format, const ImgHistogramParams *own)
{
    return own->luma != IMG_LUMA_NONE &&
           (format.color == IMG_COLOR_RGB || format.color == IMG_COLOR_RGBA);
}

int32_t img_histogram_rows(ImgFormat format, const ImgHistogramParams *own)
{
    return img_format_channels(format) + (img_histogram_has_luma(format, own) ? 1 : 0);
}

bool img_histogram_skips(ImgFormat format, const ImgHistogramParams *own)
{
    return own->transparent == IMG_TRANSPARENT_SKIP && img_format_has_alpha(format);
}

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    /* a source of more than 16 bits is a table of counts; img_measure_shape rejects it, so its
     * number of bins does not matter */
    int32_t bins = src.format.bits <= 16 ? 1 << src.format.bits : 0;
    return img_measure_shape("histogram", src, bins, img_histogram_rows(src.format, params_of_call),
                             dst, err);
}

static ImgStatus run_reference(const ImgCall *call, ImgError *err)
{
    (void)err;
    const ImgHistogramParams *own = call->params;
    const ImgView *src = &call->src, *dst = &call->dst;
    size_t channels = (size_t)img_format_channels(src->format);
    bool has_luma = img_histogram_has_luma(src->format, own);
    bool skips = img_histogram_skips(src->format, own);
    ImgLumaWeights weights = img_luma_weights((ImgLuma)own->luma);
    for (int32_t t = 0; t < dst->height; t++)
        memset(img_view_counts(dst, t), 0, (size_t)dst->width * sizeof(uint64_t));
    for (int32_t y = 0; y < src->height; y++) {
        const uint8_t *row = src->data + (size_t)y * src->stride;
        for (size_t x = 0; x < (size_t)src->width; x++) {
            uint32_t sample[4] = {0};
            for (size_t c = 0; c < channels; c++)
                sample[c] = img_sample(row, x * channels + c, src->format.bits);
            if (skips && sample[channels - 1] == 0)
                continue;
            for (size_t c = 0; c < channels; c++)
                img_view_counts(dst, (int32_t)c)[sample[c]]++;
            if (has_luma)
                img_view_counts(
                    dst, (int32_t)channels)[img_luma(weights, sample[0], sample[1], sample[2])]++;
        }
    }
    return IMG_OK;
}

/* Implements ImgImpl.applies. Returns false for 16 bits, because tables of 65,536 counters per
 * channel do not fit the shared memory of a block. */
static bool applies_to_small_tables(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    (void)op, (void)params_of_call;
    return src.format.bits < 16;
}

/* The functions of an implementation that processes rows as they arrive (ImgByRows);
 * `begin_function` starts it. */
#define BY_ROWS(begin_function)                                                                    \
    (&(const ImgByRows){.bytes = img_histogram_by_rows_bytes,                                      \
                        .begin = (begin_function),                                                 \
                        .take = img_histogram_by_rows_take,                                        \
                        .end = img_histogram_by_rows_end})

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = run_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads with private tables, several for neighbouring pixels; luma in plain C",
     .run = img_histogram_cpu,
     .by_rows = BY_ROWS(img_histogram_by_rows)},
    {.name = "cpu-avx2",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX2,
     .note = "as cpu, luma with AVX2",
     .run = IMG_X86_RUN(img_histogram_cpu_avx2),
     .by_rows = BY_ROWS(IMG_X86_RUN(img_histogram_by_rows_avx2))},
    {.name = "cuda-global",
     .backend = IMG_BACKEND_CUDA,
     .note = "atomic additions to the table in global memory",
     .run = IMG_CUDA_RUN(img_histogram_cuda_global)},
    {.name = "cuda-shared",
     .backend = IMG_BACKEND_CUDA,
     .note = "one table per block in shared memory",
     .run = IMG_CUDA_RUN(img_histogram_cuda_shared),
     .applies = applies_to_small_tables},
    {.name = "cuda-warp",
     .backend = IMG_BACKEND_CUDA,
     .note = "one table per warp in shared memory",
     .run = IMG_CUDA_RUN(img_histogram_cuda_warp),
     .applies = applies_to_small_tables},
    {.name = "cuda-column",
     .backend = IMG_BACKEND_CUDA,
     .note = "one column of counters per lane: additions have no bank conflicts",
     .run = IMG_CUDA_RUN(img_histogram_cuda_column),
     .applies = applies_to_small_tables},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "as cuda-column, with 16-byte loads; 16-bit samples in slices of the table",
     .run = IMG_CUDA_RUN(img_histogram_cuda_fast),
     .workspace = IMG_CUDA_RUN(img_histogram_cuda_workspace)},
    {.name = NULL},
};

const ImgOp img_measure_histogram = {
    .name = "histogram",
    .synopsis = "Count how often each sample value occurs",
    .help = "Gives a row of counts for each channel and for luma.",
    .example = "",
    .params = params,
    .params_size = sizeof(ImgHistogramParams),
    .shape = shape,
    .palette = {.keeps = img_keeps_palette},
    .cost = {.cpu_ns_per_byte = 0.5,
             .traffic = img_measure_traffic,
             .scratch = img_histogram_scratch},
    .effect = {.get = img_measure_effect},
    .impls = impls,
};

ImgStatus img_histogram_count(const ImgView *src, const ImgHistogramParams *own, ImgTeam *team,
                              int threads, uint64_t *counts, ImgError *err)
{
    const ImgOp *op = &img_measure_histogram;
    const ImgImpl *impl = NULL;
    ImgShape picture = img_view_shape(src), table;
    ImgStatus status = op->shape(picture, own, &table, err);
    if (status == IMG_OK)
        status = img_impl_fastest(op, IMG_BACKEND_CPU, picture, own, &impl, err);
    if (status != IMG_OK)
        return status;
    size_t stride = (size_t)table.width * sizeof *counts;
    ImgCall call = {.op = op,
                    .src = *src,
                    .dst = img_view_make(counts, stride, table),
                    .params = own,
                    .threads = threads,
                    .team = team};
    return impl->run(&call, err);
}
