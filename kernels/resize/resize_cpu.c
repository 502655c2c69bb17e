/* resize on the CPU, for a picture in memory. Each thread takes bands of 16 rows of the result. It
 * computes a band a few columns at a time, with narrow or wide sums. */
#include <stdatomic.h>

#include "kernels/core/minmax.h"
#include "kernels/resize/resize_cpu_priv.h"

/* Data that the threads for all bands of a picture share. */
typedef struct ResizeBands {
    const ImgCall *call;
    const ImgResizeVariant *variant;
    atomic_bool failed; /* true if a thread could not allocate memory */
} ResizeBands;

static ImgResizeBand band_of(const ResizeBands *shared, int64_t number)
{
    const ImgResize *own = shared->call->constants.bytes;
    const int32_t row = (int32_t)number * IMG_RESIZE_ROWS;
    return img_resize_band(shared->call, shared->variant, row,
                           img_min32(row + IMG_RESIZE_ROWS, own->down.span.count));
}

static void narrow_bands(void *context, int64_t first, int64_t end)
{
    ResizeBands *shared = context;
    ImgResizeNarrowBands bands;
    const bool made = img_resize_narrow_bands_make(shared->call->constants.bytes, &bands);
    if (!made)
        atomic_store(&shared->failed, true);
    for (int64_t number = first; made && number < end; number++) {
        const ImgResizeBand band = band_of(shared, number);
        img_resize_make_narrow(&band, &bands);
    }
    img_resize_narrow_bands_free(&bands);
}

static void wide_bands(void *context, int64_t first, int64_t end)
{
    ResizeBands *shared = context;
    ImgResizeWideBands bands = {.values = NULL};
    const bool made = img_resize_wide_bands_make(shared->call->constants.bytes, &bands);
    if (!made)
        atomic_store(&shared->failed, true);
    for (int64_t number = first; made && number < end; number++) {
        const ImgResizeBand band = band_of(shared, number);
        img_resize_make_band(&band, &bands.across, img_resize_wide_part, &bands);
    }
    img_resize_wide_bands_free(&bands);
}

static void copy_rows(void *context, int64_t first, int64_t end)
{
    const ResizeBands *shared = context;
    const ImgResize *own = shared->call->constants.bytes;
    const ImgView *src = &shared->call->src;
    for (int64_t row = first; row < end; row++) {
        const size_t y = (size_t)img_resize_copied(own, &own->down, (int32_t)row);
        img_resize_copy_row(shared->call, src->data + y * src->stride, (int32_t)row);
    }
}

static ImgStatus run(const ImgCall *call, const ImgResizeVariant *variant, ImgError *err)
{
    const ImgResize *own = call->constants.bytes;
    const int32_t made = own->down.span.count;
    const bool small = img_op_traffic(call->op, img_view_shape(&call->src), call->params) <
                       IMG_BYTES_WORTH_THREADS;
    const int threads = small ? 1 : call->threads;
    ResizeBands shared = {.call = call, .variant = variant};
    atomic_init(&shared.failed, false);
    img_resize_fill_around(call);
    if (own->copies)
        img_parallel_for(call->team, threads, made, copy_rows, &shared);
    else
        img_parallel_for(call->team, threads, (made - 1) / IMG_RESIZE_ROWS + 1,
                         own->wide ? wide_bands : narrow_bands, &shared);
    if (atomic_load(&shared.failed))
        return img_fail(err, IMG_E_MEMORY, "no memory to resize %d x %d pixels", call->src.width,
                        call->src.height);
    return IMG_OK;
}

/* Returns how many bytes a thread allocates for the vertical sums of a band. Narrow sums need pairs
 * of source rows, wide sums need strips of converted rows. */
static uint64_t bands_bytes(const ImgResize *own)
{
    const ImgResizeSpan *span = &own->down.span;
    const uint64_t rows = IMG_RESIZE_ROWS * (uint64_t)span->src / (uint64_t)span->full + 1;
    const uint64_t reached = rows + (uint64_t)own->down.taps + 4;
    const uint64_t strip = IMG_RESIZE_STRIP * sizeof(int64_t);
    if (own->wide)
        return 2 * (IMG_RESIZE_WIDE_STRIP_ROWS + IMG_RESIZE_ROWS) * strip;
    return reached * (sizeof(void *) + IMG_RESIZE_SLICE * sizeof(int16_t)) +
           IMG_RESIZE_ROWS * strip;
}

uint64_t img_resize_scratch(ImgShape src, const void *params, int threads)
{
    const ImgResize own = img_resize_describe(params, src);
    const int bands = (own.down.span.count - 1) / IMG_RESIZE_ROWS + 1;
    const uint64_t used = (uint64_t)(bands < threads ? bands : threads);
    const uint64_t each = own.copies ? 0 : img_resize_across_bytes(&own) + bands_bytes(&own);
    return used * each + img_resize_inner_bytes(params, src);
}

ImgStatus img_resize_cpu(const ImgCall *call, ImgError *err)
{
    return run(call, &img_resize_portable, err);
}

#ifdef IMGTOOL_X86
ImgStatus img_resize_cpu_avx2(const ImgCall *call, ImgError *err)
{
    return run(call, &img_resize_avx2, err);
}

ImgStatus img_resize_cpu_avx512(const ImgCall *call, ImgError *err)
{
    return run(call, &img_resize_avx512, err);
}
#endif
