#include "app/compare/side.h"

#include "kernels/compare/compare.h"

/* Returns the shape of `rows` rows of the picture, or of the whole picture if it has fewer rows. */
static ImgShape rows_of(ImgShape picture, int32_t rows)
{
    if (rows < picture.height)
        picture.height = rows;
    return picture;
}

bool side_converts(const Side *side)
{
    return !img_format_equals(side->load.shape.format, side->common.format);
}

uint64_t side_image_bytes(const Side *side)
{
    return side->load.store == NULL ? img_image_bytes(side->load.shape) : 0;
}

/* Returns the bytes for copies of rows of a picture in a store, except for those that take the
 * memory that is reserved for mapped pages. */
static uint64_t copied_bytes(const Side *side, const SideRequests *how)
{
    const uint64_t bytes = img_image_bytes(rows_of(side->load.shape, how->most));
    const uint64_t reserved = img_load_resident_bytes(&side->load);
    return bytes > reserved ? bytes - reserved : 0;
}

uint64_t side_bytes(const Side *side, const SideRequests *how)
{
    const Load *load = &side->load;
    uint64_t bytes = how->by_rows
                         ? img_load_rows_bytes(load, load->report.bytes) +
                               img_load_window_bytes(load, load->shape, how->ahead, how->most)
                         : side_image_bytes(side);
    if (!how->by_rows && load->store != NULL)
        bytes += copied_bytes(side, how);
    if (side_converts(side))
        bytes += img_image_bytes(rows_of(side->common, how->most));
    return bytes;
}

ImgStatus side_begin(Side *side, const SideRequests *how, ImgError *err)
{
    Load *load = &side->load;
    ImgStatus status = IMG_OK;
    if (how->by_rows) {
        img_source_keep_file(load->source, true);
        img_load_rows_begin(load, how->team, 1, how->ahead, how->most, &side->rows);
        side->rows.expand_threads = how->threads;
    } else {
        status = img_load_failure(load, img_source_hold_pixels(load->source, err), err);
        if (status == IMG_OK)
            status = img_load_decode(load, how->team, how->decode_threads, err);
    }
    if (status == IMG_OK && load->image.store != NULL)
        status = img_load_failure(
            load, img_image_alloc(rows_of(load->shape, how->most), &side->copied, err), err);
    if (status != IMG_OK || !side_converts(side))
        return status;
    return img_load_failure(
        load, img_image_alloc(rows_of(side->common, how->most), &side->converted, err), err);
}

/* Copies rows of a picture in a store to side->copied, so that no page of the store is mapped. */
static ImgStatus copy_rows(Side *side, int32_t first, int32_t count, ImgView *view, ImgError *err)
{
    const Load *load = &side->load;
    *view = img_view_crop(&side->copied.view, 0, 0, load->image.view.width, count);
    return img_load_failure(load, img_image_get(&load->image, 0, first, view, err), err);
}

ImgStatus side_rows(Side *side, const SideRequests *how, int32_t first, int32_t count,
                    ImgView *view, ImgError *err)
{
    const Load *load = &side->load;
    const ImgRowSource *source = &side->rows.source;
    if (load->image.store != NULL) {
        const ImgStatus status = copy_rows(side, first, count, view, err);
        if (status != IMG_OK)
            return status;
    } else if (!how->by_rows) {
        *view = img_view_crop(&load->image.view, 0, first, load->image.view.width, count);
    } else if (source->rows(source->context, first, count, view, err) != IMG_OK) {
        return img_load_failure(load, side->rows.status, err);
    }
    if (side->converted.view.data != NULL) {
        const ImgView to = img_view_crop(&side->converted.view, 0, 0, view->width, count);
        img_compare_convert(view, &to, how->team, how->threads);
        *view = to;
    }
    return IMG_OK;
}

void side_end(Side *side)
{
    img_load_rows_end(&side->rows);
    img_image_free(&side->load.image);
    img_image_free(&side->copied);
    img_image_free(&side->converted);
}
