#include "kernels/core/prepass/prepass.h"

#include <stdatomic.h>
#include <string.h>

#include "kernels/core/sample.h"

bool img_prepass_applies(ImgPrepass prepass, ImgFormat format)
{
    if (prepass == IMG_PREPASS_CLEAR)
        return img_format_has_alpha(format);
    return prepass == IMG_PREPASS_WIDEN && format.color == IMG_COLOR_GRAY && format.bits < 8;
}

ImgShape img_prepass_shape(ImgPrepass prepass, ImgShape src)
{
    if (prepass == IMG_PREPASS_WIDEN && img_prepass_applies(prepass, src.format))
        src.format.bits = 8;
    return src;
}

uint64_t img_prepass_scratch(ImgPrepass prepass, ImgShape src)
{
    size_t bytes = 0;
    if (img_prepass_applies(prepass, src.format))
        (void)img_shape_bytes(img_prepass_shape(prepass, src), &bytes, NULL);
    return bytes;
}

size_t img_prepass_workspace(ImgPrepass prepass, ImgShape src)
{
    enum { ALIGNMENT = 256 };
    if (!img_prepass_applies(prepass, src.format))
        return 0;
    const size_t bytes = img_device_pitch(src) * (size_t)src.height;
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* --- On the CPU ------------------------------------------------------------------------------- */

typedef struct Rows {
    const ImgView *src, *dst;
    ImgPrepass prepass;
    atomic_bool finds; /* true: some row contains a pixel that the pass would change */
} Rows;

static bool is_hidden(const uint8_t *row, size_t pixel, size_t channels, int bits)
{
    return img_sample(row, pixel * channels + channels - 1, bits) == 0;
}

/* Returns true if a pixel of the row has alpha 0. Callers pass constant channels and bits, so that
 * the compiler can specialise the loop. */
static bool row_has_hidden(const uint8_t *row, size_t width, size_t channels, int bits)
{
    bool found = false;
    for (size_t x = 0; x < width; x++)
        found |= is_hidden(row, x, channels, bits);
    return found;
}

static bool has_hidden(const ImgView *src, size_t y)
{
    const uint8_t *row = src->data + y * src->stride;
    const size_t width = (size_t)src->width;
    if (src->format.color == IMG_COLOR_GRAY_ALPHA)
        return src->format.bits == 16 ? row_has_hidden(row, width, 2, 16)
                                      : row_has_hidden(row, width, 2, 8);
    return src->format.bits == 16 ? row_has_hidden(row, width, 4, 16)
                                  : row_has_hidden(row, width, 4, 8);
}

static void find_hidden(void *context, int64_t first, int64_t end)
{
    Rows *rows = context;
    for (int64_t y = first; y < end && !atomic_load(&rows->finds); y++)
        if (has_hidden(rows->src, (size_t)y))
            atomic_store(&rows->finds, true);
}

static void clear_row(const ImgView *src, const ImgView *dst, size_t y)
{
    const size_t size = img_format_pixel_size(src->format);
    const size_t channels = (size_t)img_format_channels(src->format);
    uint8_t *row = dst->data + y * dst->stride;
    memcpy(row, src->data + y * src->stride, (size_t)src->width * size);
    for (size_t x = 0; x < (size_t)src->width; x++)
        if (is_hidden(row, x, channels, src->format.bits))
            memset(row + x * size, 0, size);
}

static void widen_row(const ImgView *src, const ImgView *dst, size_t y)
{
    const uint8_t *from = src->data + y * src->stride;
    uint8_t *to = dst->data + y * dst->stride;
    const uint32_t scale = 255 / img_format_maximum(src->format);
    for (size_t x = 0; x < (size_t)src->width; x++)
        to[x] = (uint8_t)(from[x] * scale);
}

static void change_rows(void *context, int64_t first, int64_t end)
{
    const Rows *rows = context;
    for (int64_t y = first; y < end; y++)
        (rows->prepass == IMG_PREPASS_CLEAR ? clear_row : widen_row)(rows->src, rows->dst,
                                                                     (size_t)y);
}

/* Makes the changed copy of the source. *copy has no pixels if none is needed. */
static ImgStatus make_copy(ImgPrepass prepass, const ImgCall *call, ImgImage *copy, ImgError *err)
{
    const ImgShape src = img_view_shape(&call->src);
    const int threads = img_op_band_threads(src, src.height, call->threads);
    Rows rows = {.src = &call->src, .dst = &copy->view, .prepass = prepass};
    if (!img_prepass_applies(prepass, src.format))
        return IMG_OK;
    if (prepass == IMG_PREPASS_CLEAR) {
        img_parallel_for(call->team, threads, src.height, find_hidden, &rows);
        if (!atomic_load(&rows.finds))
            return IMG_OK;
    }
    const ImgStatus status = img_image_alloc(img_prepass_shape(prepass, src), copy, err);
    if (status == IMG_OK)
        img_parallel_for(call->team, threads, src.height, change_rows, &rows);
    return status;
}

ImgStatus img_prepass_cpu(ImgPrepass prepass, const ImgCall *call, ImgPrepassRun *run,
                          const void *variant, ImgError *err)
{
    ImgImage copy = IMG_IMAGE_NONE;
    ImgCall own = *call;
    ImgStatus status = make_copy(prepass, call, &copy, err);
    if (copy.view.data != NULL)
        own.src = copy.view;
    if (status == IMG_OK)
        status = run(&own, variant, err);
    img_image_free(&copy);
    return status;
}
