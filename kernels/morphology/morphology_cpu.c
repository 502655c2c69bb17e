/* The morphology family on the CPU. Threads divide the picture into bands of rows, or into bands of
 * columns if rectangles are high. A band is processed in strips, which are so narrow that the rows
 * of one rectangle fit the second-level cache. Operations of two steps apply both steps to a block
 * in this cache, so the result of the first step is not written to memory. Near the edges of
 * blocks, the result of the first step is computed twice. */
#include <stdlib.h>

#include "kernels/core/minmax.h"
#include "kernels/morphology/morphology.h"

enum {
    /* number of bytes of the second-level cache that the rows of a rectangle may use */
    CACHE_BYTES = 512 << 10,
    STRIP_LEAST = 1024, /* smallest number of bytes per row of a strip */
    /* largest number of bytes per row of a strip, so that a few rows fit the first-level cache */
    STRIP_MOST = 2048,
    BLOCK_ROWS = 256, /* smallest number of rows of a block in operations of two steps */
    /* Smallest number of bytes per thread for which streaming stores pay off. Smaller results stay
     * in the cache. */
    BYTES_WORTH_STREAMING = 1 << 20,
    /* smallest height of a band that pays off, as a multiple of the rectangle's height */
    HEIGHTS = 4,
};

typedef struct Parts {
    ImgMorphology all;
    const ImgView *src, *dst;
    ImgMorphologyRows *rows;
    size_t pixel;
    /* number of bands, which are one below another, and number of strips, which are side by side */
    int32_t bands, strips;
    int32_t strip, block; /* number of pixels per row of a strip, and number of rows per block */
    uint8_t *memory;      /* memory of all threads */
    /* number of bytes of scratch memory per step, and number of bytes of memory per thread */
    size_t scratch, share;
    bool streamed;
    int threads;
} Parts;

static int32_t divided_up(int32_t a, int32_t b)
{
    return a / b + (a % b > 0 ? 1 : 0);
}

/* Returns the number of pixels per row of a strip. Strips are at least twice as wide as the
 * rectangle, so that little is computed twice. */
static int32_t strip_pixels(const ImgMorphologyStep *step, size_t pixel)
{
    const size_t rows = (size_t)img_morphology_height(step) + 4;
    const size_t reach = 2 * (size_t)img_morphology_width(step);
    size_t bytes = img_min_size(CACHE_BYTES / rows, STRIP_MOST);
    bytes = bytes > STRIP_LEAST ? bytes : STRIP_LEAST;
    return (int32_t)(bytes / pixel > reach ? bytes / pixel : reach);
}

static void divide(Parts *parts)
{
    const ImgMorphologyStep *step = &parts->all.steps[0];
    const int32_t width = parts->src->width, height = parts->src->height;
    const int32_t threads = parts->threads, rows = img_morphology_height(step);
    parts->strips = divided_up(width, strip_pixels(step, parts->pixel));
    const bool is_high = (int64_t)threads * HEIGHTS * rows > height;
    if (is_high && parts->strips < threads)
        parts->strips = img_min32(threads, divided_up(width, STRIP_LEAST / (int32_t)parts->pixel));
    parts->strip = divided_up(width, parts->strips);
    parts->strips = divided_up(width, parts->strip);
    parts->bands = img_min32(divided_up(threads, is_high ? parts->strips : 1), height);
    parts->block = 2 * rows > BLOCK_ROWS ? 2 * rows : BLOCK_ROWS;
}

/* Returns the number of pixels in the first step's result for a block, including the margins that
 * the second step needs. */
static size_t block_pixels(const Parts *parts)
{
    const ImgMorphologyStep *second = &parts->all.steps[1];
    return ((size_t)parts->strip + (size_t)img_morphology_width(second)) *
           ((size_t)parts->block + (size_t)img_morphology_height(second));
}

static void measure(Parts *parts)
{
    const ImgMorphologyStep *step = &parts->all.steps[0];
    const bool two = parts->all.count == 2;
    const int32_t widest = parts->strip + (two ? img_morphology_width(step) : 0);
    parts->scratch = img_morphology_scratch(step, widest, parts->pixel);
    parts->share = parts->scratch + (two ? block_pixels(parts) * parts->pixel : 0);
}

/* Returns the part of the first step's result that the second step needs to compute `part`. It is
 * clipped to the picture, except with IMG_BORDER_WRAP, where it continues on the opposite side. */
static ImgMorphologyPart first_part(const Parts *parts, const ImgMorphologyPart *part)
{
    const ImgMorphologyStep *second = &parts->all.steps[1];
    const int32_t wrap = second->border == IMG_BORDER_WRAP ? IMG_MORPHOLOGY_SIDE_MAX : 0;
    ImgMorphologyPart first = *part;
    const int64_t right = (int64_t)part->left + part->width + second->right;
    const int64_t bottom = (int64_t)part->top + part->height + second->down;
    const int64_t width = (int64_t)parts->src->width + wrap;
    const int64_t height = (int64_t)parts->src->height + wrap;
    first.left = -img_min32(wrap, second->left - part->left);
    first.top = -img_min32(wrap, second->up - part->top);
    first.width = (int32_t)((right < width ? right : width) - first.left);
    first.height = (int32_t)((bottom < height ? bottom : height) - first.top);
    first.step = &parts->all.steps[0];
    first.to = part->scratch + parts->scratch;
    first.to_stride = (size_t)first.width * parts->pixel;
    first.streamed = false;
    return first;
}

static void both_steps(const Parts *parts, const ImgMorphologyPart *part)
{
    const ImgMorphologyPart first = first_part(parts, part);
    const ImgShape shape = {first.width, first.height, parts->src->format};
    const ImgView between = img_view_make(first.to, first.to_stride, shape);
    ImgMorphologyPart second = *part;
    second.step = &parts->all.steps[1];
    second.src = &between;
    second.left = part->left - first.left;
    second.top = part->top - first.top;
    parts->rows(&first);
    parts->rows(&second);
}

/* Processes the rows `top` to `bottom` - 1 of a strip. */
static void do_strip(const Parts *parts, int32_t strip, int32_t top, int32_t bottom,
                     uint8_t *scratch)
{
    const bool two = parts->all.count == 2;
    ImgMorphologyPart part = {.step = &parts->all.steps[0],
                              .src = parts->src,
                              .left = strip * parts->strip,
                              .to_stride = parts->dst->stride,
                              .streamed = parts->streamed,
                              .scratch = scratch};
    part.width = img_min32(parts->strip, parts->src->width - part.left);
    for (part.top = top; part.top < bottom; part.top += part.height) {
        part.height = two ? img_min32(parts->block, bottom - part.top) : bottom - part.top;
        part.to = parts->dst->data + (size_t)part.top * parts->dst->stride +
                  (size_t)part.left * parts->pixel;
        if (two)
            both_steps(parts, &part);
        else
            parts->rows(&part);
    }
}

static void work(void *context, int thread)
{
    const Parts *parts = context;
    const int64_t all = (int64_t)parts->bands * parts->strips, height = parts->src->height;
    uint8_t *scratch = parts->memory + (size_t)thread * parts->share;
    for (int64_t i = all * thread / parts->threads; i < all * (thread + 1) / parts->threads; i++) {
        const int64_t band = i / parts->strips;
        do_strip(parts, (int32_t)(i % parts->strips), (int32_t)(height * band / parts->bands),
                 (int32_t)(height * (band + 1) / parts->bands), scratch);
    }
}

static Parts parts_of(const ImgCall *call)
{
    const ImgView *src = &call->src;
    const size_t pixel = img_format_pixel_size(src->format);
    const uint64_t bytes = (uint64_t)src->width * (uint64_t)src->height * pixel;
    Parts parts = {.all = img_morphology(call->op, img_view_shape(src), call->params),
                   .src = src,
                   .dst = &call->dst,
                   .pixel = pixel,
                   .threads = bytes < IMG_BYTES_WORTH_THREADS ? 1 : call->threads};
    parts.streamed = bytes / (uint64_t)parts.threads >= BYTES_WORTH_STREAMING;
    divide(&parts);
    measure(&parts);
    return parts;
}

static uint64_t scratch_of(const ImgOp *op, ImgShape src, const void *params, int threads)
{
    const ImgView view = img_view_make(NULL, 0, src);
    const ImgCall call = {.op = op, .src = view, .dst = view, .params = params, .threads = threads};
    const Parts parts = parts_of(&call);
    return img_prepass_scratch(img_morphology_prepass(op), src) +
           parts.share * (uint64_t)parts.threads;
}

uint64_t img_morphology_scratch_erode(ImgShape src, const void *params, int threads)
{
    return scratch_of(&img_op_erode, src, params, threads);
}

uint64_t img_morphology_scratch_dilate(ImgShape src, const void *params, int threads)
{
    return scratch_of(&img_op_dilate, src, params, threads);
}

uint64_t img_morphology_scratch_open(ImgShape src, const void *params, int threads)
{
    return scratch_of(&img_op_open, src, params, threads);
}

uint64_t img_morphology_scratch_close(ImgShape src, const void *params, int threads)
{
    return scratch_of(&img_op_close, src, params, threads);
}

/* The function that processes a part of a picture, for one instruction set. */
typedef struct Variant {
    ImgMorphologyRows *rows;
} Variant;

static ImgStatus run_parts(const ImgCall *call, const void *variant, ImgError *err)
{
    Parts parts = parts_of(call);
    parts.rows = ((const Variant *)variant)->rows;
    parts.memory = malloc((size_t)parts.threads * parts.share);
    if (parts.memory == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the rows of a rectangle");
    (void)img_parallel_run(call->team, parts.threads, work, &parts);
    free(parts.memory);
    return IMG_OK;
}

static ImgStatus run(const ImgCall *call, ImgMorphologyRows *rows, ImgError *err)
{
    const ImgPrepass prepass = img_morphology_prepass(call->op);
    return img_prepass_cpu(prepass, call, run_parts, &(Variant){rows}, err);
}

IMG_DEFINE_CPU_RUNS(img_morphology_cpu, run, img_morphology_rows)
