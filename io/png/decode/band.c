#include "io/png/decode/band.h"

#include <string.h>

#include "kernels/core/minmax.h"

/* Largest size of the row buffer in bytes. Together with the data of inflate it stays in the
 * second-level cache. */
enum { BAND_BYTES = 256 << 10 };

/* Returns the shape of the row buffer: the row above, and as many groups of rows as fit BAND_BYTES,
 * but not more rows than the picture has. A group consists of the rows that are unfiltered
 * together. */
static ImgShape shape_of_rows(ImgShape shape)
{
    const size_t pixel = img_format_pixel_size(shape.format), row = pixel * (size_t)shape.width;
    const int32_t group = img_pixels_group(pixel), fit = (int32_t)(BAND_BYTES / row);
    const int32_t rows = fit > group ? fit - fit % group : group;
    return (ImgShape){shape.width, 1 + img_min32(rows, shape.height), shape.format};
}

uint64_t img_band_bytes(ImgShape shape)
{
    const ImgShape rows = shape_of_rows(shape);
    return (uint64_t)rows.height * (uint64_t)rows.width * img_format_pixel_size(rows.format);
}

ImgStatus img_band_make(ImgShape shape, const ImgRowSink *sink, ImgBand *band, ImgError *err)
{
    const ImgStatus status = img_image_alloc(shape_of_rows(shape), &band->rows, err);
    if (status != IMG_OK)
        return status;
    band->pixels = img_pixels_of(&band->rows.view);
    band->sink = sink;
    band->height = shape.height;
    return IMG_OK;
}

void img_band_free(ImgBand *band)
{
    img_image_free(&band->rows);
}

void img_band_restart(ImgBand *band)
{
    band->next = 0;
}

/* Passes rows `from` to `end` (exclusive) of the buffer to the sink, except rows that the sink has
 * already received. Row `from` of the buffer is row `first` of the picture. */
static void pass_rows(ImgBand *band, int32_t from, int32_t end, int32_t first)
{
    const ImgView *all = &band->pixels.view;
    const int32_t known = band->passed > first ? img_min32(band->passed - first, end - from) : 0;
    const int32_t count = end - from - known;
    if (count <= 0)
        return;
    const ImgView rows = img_view_crop(all, 0, from + known, all->width, count);
    band->passed = first + known + count;
    band->sink->take(band->sink->context, &rows, first + known);
}

/* Passes finished rows to the sink; rows 1 to `count` of the buffer are unfiltered. The last of
 * these rows stays in the buffer, because the next row may refer to it, unless it is the picture's
 * last row. Returns false if the sink needs no more rows. */
static bool pass_finished(ImgBand *band, int32_t count)
{
    const ImgView *all = &band->pixels.view;
    const int32_t from = band->next > 0 ? 0 : 1;
    const int32_t end = band->next + count == band->height ? count + 1 : count;
    img_pixels_to_native(&band->pixels, from, end);
    pass_rows(band, from, end, band->next + from - 1);
    memcpy(all->data, all->data + (size_t)count * all->stride, band->pixels.row_bytes);
    band->next += count;
    return band->sink->stopped == NULL || !*band->sink->stopped;
}

bool img_band_unfilter(ImgBand *band, const uint8_t *filtered, int32_t count)
{
    const ImgPixels *pixels = &band->pixels;
    const int32_t most = pixels->view.height - 1;
    for (int32_t done = 0; done < count;) {
        const int32_t some = img_min32(count - done, most);
        if (!img_pixels_unfilter(pixels, filtered, 1, some, band->next == 0, 0, pixels->row_bytes))
            return false;
        if (!pass_finished(band, some))
            return false;
        filtered += (size_t)some * img_pixels_filtered_bytes(pixels);
        done += some;
    }
    return true;
}
