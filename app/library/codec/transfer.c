#include "app/library/codec/transfer.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "io/expand.h"
#include "kernels/core/op.h"

/* --- Formats ---------------------------------------------------------------------------------- */

static imgtool_format complete_format(imgtool_format file, imgtool_format wanted)
{
    imgtool_format format = wanted;
    if (wanted.color == IMGTOOL_AS_IT_IS)
        format.color = file.color;
    if (wanted.bits == 0 && format.color == file.color)
        format.bits = file.bits;
    else if (wanted.bits == 0)
        format.bits = file.bits == 16 && format.color != IMGTOOL_BGRA ? 16 : 8;
    return format;
}

static bool has_alpha(imgtool_color color)
{
    return color == IMGTOOL_GRAY_ALPHA || color == IMGTOOL_RGBA || color == IMGTOOL_BGRA;
}

/* Returns true if the file's pixels can be converted to the requested format. Palette indices can
 * be stored with more bits than the file has, but not with fewer. */
static bool is_possible(const ImgLibTransfer *transfer)
{
    const imgtool_format to = transfer->to;
    if (to.color == IMGTOOL_PALETTE)
        return transfer->raw.color == IMG_COLOR_PALETTE && to.bits >= transfer->raw.bits;
    return img_lib_converts(
        img_lib_format_of(transfer->expands ? transfer->expanded : transfer->raw), to);
}

ImgStatus img_lib_transfer_make(ImgFormat raw, const ImgMetadata *metadata, imgtool_format wanted,
                                ImgLibTransfer *transfer, ImgError *err)
{
    char texts[2][IMG_LIB_FORMAT_TEXT];
    const imgtool_format file = img_lib_format_of(raw);
    *transfer =
        (ImgLibTransfer){.metadata = metadata, .raw = raw, .to = complete_format(file, wanted)};
    if (imgtool_pixel_size(transfer->to) == 0)
        return img_fail(err, IMG_E_USAGE, "unknown pixel format %s",
                        img_lib_format_text(transfer->to, texts[0]));
    transfer->expanded = img_expanded_shape((ImgShape){1, 1, raw}, metadata).format;
    const bool changes = transfer->expanded.color != raw.color;
    transfer->expands = changes && transfer->to.color != IMGTOOL_PALETTE &&
                        (raw.color == IMG_COLOR_PALETTE || has_alpha(transfer->to.color));
    if (!is_possible(transfer))
        return img_fail(err, IMG_E_UNSUPPORTED, "%s cannot be converted to %s",
                        img_lib_format_text(file, texts[0]),
                        img_lib_format_text(transfer->to, texts[1]));
    return IMG_OK;
}

bool img_lib_transfer_is_none(const ImgLibTransfer *transfer)
{
    const imgtool_format file = img_lib_format_of(transfer->raw);
    return transfer->to.color == IMGTOOL_PALETTE ||
           (transfer->to.color == file.color && transfer->to.bits == file.bits);
}

/* --- Rows ------------------------------------------------------------------------------------- */

imgtool_picture img_lib_rows_of(const imgtool_picture *picture, int32_t first, int32_t count)
{
    imgtool_picture rows = *picture;
    rows.pixels = (uint8_t *)picture->pixels + (size_t)first * picture->stride;
    rows.height = count;
    rows.owned = false;
    return rows;
}

static void convert(const ImgView *from, imgtool_format from_format, const imgtool_picture *to)
{
    imgtool_picture picture = img_lib_borrow(from);
    picture.format = from_format;
    img_lib_convert(&picture, to, NULL, 1);
}

/* Expands a few rows at a time to a small buffer, and converts them from there to the caller's
 * format. */
static ImgStatus expand_and_convert(const ImgLibTransfer *transfer, const ImgView *rows,
                                    const imgtool_picture *to, ImgError *err)
{
    enum { ROWS_BYTES = 64 << 10 };
    const size_t row = (size_t)rows->width * img_format_pixel_size(transfer->expanded);
    const size_t most = ROWS_BYTES / row > 0 ? ROWS_BYTES / row : 1;
    ImgImage some;
    const ImgShape shape = {rows->width, most < (size_t)rows->height ? (int32_t)most : rows->height,
                            transfer->expanded};
    ImgStatus status = img_image_alloc(shape, &some, err);
    if (status != IMG_OK)
        return status;
    const ImgExpansion expansion = img_expansion(transfer->raw, transfer->metadata);
    int32_t count = 0;
    for (int32_t y = 0; y < rows->height; y += count) {
        const int32_t left = rows->height - y;
        count = left < shape.height ? left : shape.height;
        const ImgView from = img_view_crop(rows, 0, y, rows->width, count);
        const ImgView expanded = img_view_crop(&some.view, 0, 0, rows->width, count);
        const imgtool_picture part = img_lib_rows_of(to, y, count);
        img_expand_rows(&expansion, &from, &expanded, NULL, 1);
        convert(&expanded, img_lib_format_of(transfer->expanded), &part);
    }
    img_image_free(&some);
    return IMG_OK;
}

ImgStatus img_lib_transfer_rows(const ImgLibTransfer *transfer, const ImgView *rows,
                                const imgtool_picture *to, ImgError *err)
{
    if (!transfer->expands) {
        const bool none = img_lib_transfer_is_none(transfer);
        convert(rows, none ? transfer->to : img_lib_format_of(transfer->raw), to);
        return IMG_OK;
    }
    const imgtool_format expanded = img_lib_format_of(transfer->expanded);
    if (expanded.color != transfer->to.color || expanded.bits != transfer->to.bits)
        return expand_and_convert(transfer, rows, to, err);
    const ImgView view = img_view_make(to->pixels, to->stride,
                                       (ImgShape){rows->width, rows->height, transfer->expanded});
    const ImgExpansion expansion = img_expansion(transfer->raw, transfer->metadata);
    img_expand_rows(&expansion, rows, &view, NULL, 1);
    return IMG_OK;
}

typedef struct AllRows {
    const ImgLibTransfer *transfer;
    const ImgView *from;
    const imgtool_picture *to;
    atomic_bool failed; /* true if an allocation failed in any thread */
} AllRows;

static void transfer_range(void *context, int64_t first, int64_t end)
{
    AllRows *all = context;
    const int32_t count = (int32_t)(end - first);
    const ImgView rows = img_view_crop(all->from, 0, (int32_t)first, all->from->width, count);
    const imgtool_picture to = img_lib_rows_of(all->to, (int32_t)first, count);
    if (img_lib_transfer_rows(all->transfer, &rows, &to, NULL) != IMG_OK)
        atomic_store(&all->failed, true);
}

ImgStatus img_lib_transfer_all(const ImgLibTransfer *transfer, const imgtool_context *context,
                               const ImgView *from, const imgtool_picture *to, ImgError *err)
{
    AllRows all = {.transfer = transfer, .from = from, .to = to};
    const bool few = to->stride * (size_t)to->height < IMG_BYTES_WORTH_THREADS;
    img_parallel_for(context->team, few ? 1 : context->config.threads, from->height, transfer_range,
                     &all);
    if (atomic_load(&all.failed))
        return img_fail(err, IMG_E_MEMORY, "no memory for conversion");
    return IMG_OK;
}
