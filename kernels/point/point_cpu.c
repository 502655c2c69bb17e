/* Implementations of point operations for the CPU, in which threads divide the rows among
 * themselves. */
#include <stdlib.h>

#include "kernels/point/point_impls.h"

/* Largest number of pixels in a run, the part of a row that a thread processes at once. Longer rows
 * are divided into runs. Runs begin at multiples of 8 pixels, as ImgPointRows requires. */
enum { RUN = 1 << 15 };

typedef struct Rows {
    const ImgView *src, *dst;
    const ImgPointProgram *program;
    ImgPointRows *change;
    int64_t runs; /* number of runs into which each row is divided */
} Rows;

static void change_runs(void *context, int64_t first, int64_t end)
{
    const Rows *rows = context;
    const ImgView *src = rows->src, *dst = rows->dst;
    size_t from_size = img_format_pixel_size(src->format);
    size_t to_size = img_format_pixel_size(dst->format);
    for (int64_t i = first; i < end; i++) {
        size_t y = (size_t)(i / rows->runs), x = (size_t)(i % rows->runs) * RUN;
        int32_t left = src->width - (int32_t)x;
        rows->change(rows->program, src->data + y * src->stride + x * from_size,
                     dst->data + y * dst->stride + x * to_size, left < RUN ? left : RUN,
                     (int32_t)y);
    }
}

static ImgStatus run(const ImgCall *call, ImgPointRows *change)
{
    Rows rows = {&call->src, &call->dst, call->constants.bytes, change,
                 (call->src.width + (int64_t)RUN - 1) / RUN};
    uint64_t pixels = (uint64_t)call->src.width * (uint64_t)call->src.height;
    bool small = pixels * img_format_pixel_size(call->src.format) < IMG_BYTES_WORTH_THREADS;
    img_parallel_for(call->team, small ? 1 : call->threads, rows.runs * call->src.height,
                     change_runs, &rows);
    return IMG_OK;
}

/* --- For each processor ----------------------------------------------------------------------- */

ImgStatus img_point_cpu(const ImgCall *call, ImgError *err)
{
    (void)err;
    return run(call, img_point_rows_portable);
}

#ifdef IMGTOOL_X86
ImgStatus img_point_cpu_avx2(const ImgCall *call, ImgError *err)
{
    (void)err;
    return run(call, img_point_rows_avx2);
}

/* Returns the AVX-512 variant for this processor: only some processors with AVX-512 have the byte
 * lookup of VBMI. */
static ImgPointRows *rows_avx512(void)
{
    return __builtin_cpu_supports("avx512vbmi") ? img_point_rows_vbmi : img_point_rows_avx512;
}

ImgStatus img_point_cpu_avx512(const ImgCall *call, ImgError *err)
{
    (void)err;
    return run(call, rows_avx512());
}
#endif
