/* Morphological operations on the CPU: bands of rows, or where rectangles are high columns, shared
 * out among threads; each in strips whose rows of one rectangle fit a processor's cache. */
#include <stdlib.h>

#include "kernels/core/minmax.h"
#include "kernels/morphology/morphology_rows.h"

enum {
    CACHE_BYTES = 512 << 10, /* of a second-level cache, for the rows of a rectangle */
    STRIP_BYTES = 1024,      /* of a row, at the least */
    HEIGHTS = 4,             /* a band is so much higher than a rectangle, or it is not worth it */
};

typedef struct Parts {
    ImgMorphologyPart whole; /* without memory */
    ImgMorphologyRows *rows;
    int32_t bands, strips; /* down, across */
    int32_t strip;         /* pixels */
    uint8_t *scratch;      /* of all threads */
    size_t scratch_size;   /* of one */
    int threads;
} Parts;

static int32_t divided_up(int32_t a, int32_t b)
{
    return a / b + (a % b > 0 ? 1 : 0);
}

/* Strips are not much narrower than what rectangles reach beyond them. */
static int32_t strip_pixels(const ImgMorphologyStep *step, size_t pixel)
{
    const size_t rows = (size_t)img_morphology_height(step) + 4;
    const size_t reach = 2 * (size_t)img_morphology_width(step);
    size_t pixels = CACHE_BYTES / rows / pixel;
    pixels = pixels > STRIP_BYTES / pixel ? pixels : STRIP_BYTES / pixel;
    return (int32_t)(pixels > reach ? pixels : reach);
}

static Parts divided(const ImgMorphologyStep *step, const ImgView *src, const ImgView *dst,
                     int threads)
{
    const size_t pixel = img_format_pixel_size(src->format);
    const int32_t width = src->width, height = src->height;
    Parts parts = {.whole = {.step = step, .src = src, .dst = dst}, .threads = threads};
    parts.strips = divided_up(width, strip_pixels(step, pixel));
    const bool is_high = (int64_t)threads * HEIGHTS * img_morphology_height(step) > height;
    if (is_high && parts.strips < threads)
        parts.strips = img_min32(threads, divided_up(width, STRIP_BYTES / (int32_t)pixel));
    parts.strip = divided_up(width, parts.strips);
    parts.strips = divided_up(width, parts.strip);
    parts.bands = img_min32(divided_up(threads, is_high ? parts.strips : 1), height);
    parts.scratch_size = img_morphology_scratch(step, parts.strip, pixel);
    return parts;
}

static void work(void *context, int thread)
{
    const Parts *parts = context;
    const ImgView *dst = parts->whole.dst;
    const int64_t all = (int64_t)parts->bands * parts->strips;
    ImgMorphologyPart part = parts->whole;
    part.scratch = parts->scratch + (size_t)thread * parts->scratch_size;
    for (int64_t i = all * thread / parts->threads; i < all * (thread + 1) / parts->threads; i++) {
        const int64_t band = i / parts->strips, strip = i % parts->strips;
        part.top = (int32_t)(dst->height * band / parts->bands);
        part.height = (int32_t)(dst->height * (band + 1) / parts->bands) - part.top;
        part.left = (int32_t)strip * parts->strip;
        part.width = img_min32(parts->strip, dst->width - part.left);
        parts->rows(&part);
    }
}

static ImgStatus run_step(const ImgCall *call, const ImgMorphologyStep *step, const ImgView *src,
                          const ImgView *dst, ImgMorphologyRows *rows, ImgError *err)
{
    const uint64_t pixels = (uint64_t)src->width * (uint64_t)src->height;
    const bool small = pixels * img_format_pixel_size(src->format) < IMG_BYTES_WORTH_THREADS;
    Parts parts = divided(step, src, dst, small ? 1 : call->threads);
    parts.rows = rows;
    parts.scratch = malloc((size_t)parts.threads * parts.scratch_size);
    if (parts.scratch == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the rows of a rectangle");
    (void)img_parallel_run(call->team, parts.threads, work, &parts);
    free(parts.scratch);
    return IMG_OK;
}

static ImgStatus run(const ImgCall *call, ImgMorphologyRows *rows, ImgError *err)
{
    const ImgMorphology all = img_morphology(call->op, call->src.format, call->params);
    if (all.count == 1)
        return run_step(call, &all.steps[0], &call->src, &call->dst, rows, err);
    ImgImage between;
    ImgStatus status = img_image_alloc(img_view_shape(&call->src), &between, err);
    if (status == IMG_OK)
        status = run_step(call, &all.steps[0], &call->src, &between.view, rows, err);
    if (status == IMG_OK)
        status = run_step(call, &all.steps[1], &between.view, &call->dst, rows, err);
    img_image_free(&between);
    return status;
}

ImgStatus img_morphology_cpu(const ImgCall *call, ImgError *err)
{
    return run(call, img_morphology_rows_portable, err);
}

#ifdef IMGTOOL_X86
ImgStatus img_morphology_cpu_avx2(const ImgCall *call, ImgError *err)
{
    return run(call, img_morphology_rows_avx2, err);
}

ImgStatus img_morphology_cpu_avx512(const ImgCall *call, ImgError *err)
{
    return run(call, img_morphology_rows_avx512, err);
}
#endif
