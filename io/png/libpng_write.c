/* Encodes with libpng, which writes IHDR, PLTE, IDAT and IEND. The ancillary chunks are written
 * byte by byte as they were read, so that profiles and texts stay identical. */
#include "io/png/libpng.h"

#include <png.h>
#include <stdlib.h>
#include <zlib.h>

#include "io/png/index/index.h"

enum { IDAT_BYTES = 1 << 18 };

typedef struct Writer {
    const ImgImage *image;
    uint8_t *row; /* buffer for a row of a picture in a store; NULL: the picture is in memory */
    const ImgMetadata *metadata;
    int level;
    ImgOutput *output;
    ImgProgress *progress; /* receives the progress, and can cancel the encoding; may be NULL */
    ImgError *err;
} Writer;

static void on_error(png_structp png, png_const_charp message)
{
    const Writer *writer = png_get_error_ptr(png);
    img_fail(writer->err, IMG_E_FORMAT, "cannot be written as PNG (%s)", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    /* Warnings can be ignored, because png_set_benign_errors turns all relevant faults into
     * errors. */
    (void)message;
}

static void write_bytes(png_structp png, png_bytep data, size_t size)
{
    const Writer *writer = png_get_io_ptr(png);
    if (img_output_write(writer->output, data, size, writer->err) != IMG_OK)
        /* img_output_write has already stored its error. This error only ends the encoding. */
        png_error(png, "write failed");
}

static void flush_bytes(png_structp png)
{
    (void)png; /* There is nothing to do: img_output_commit flushes the output. */
}

static int color_type(ImgColor color)
{
    switch (color) {
    case IMG_COLOR_GRAY_ALPHA:
        return PNG_COLOR_TYPE_GRAY_ALPHA;
    case IMG_COLOR_RGB:
        return PNG_COLOR_TYPE_RGB;
    case IMG_COLOR_RGBA:
        return PNG_COLOR_TYPE_RGB_ALPHA;
    case IMG_COLOR_PALETTE:
        return PNG_COLOR_TYPE_PALETTE;
    case IMG_COLOR_GRAY:
    case IMG_COLOR_COUNTS: /* A table of counts is not a picture and is never written. */
        break;
    }
    return PNG_COLOR_TYPE_GRAY;
}

static void set_compression(png_structp png, const Writer *writer)
{
    /* Filters do not help palette indices and pixels that share a byte, because neighbouring bytes
     * do not have similar values. */
    ImgFormat format = writer->image->view.format;
    bool by_value = writer->level > 0 && format.color != IMG_COLOR_PALETTE && format.bits >= 8;
    png_set_compression_level(png, writer->level);
    png_set_compression_strategy(png, by_value ? Z_FILTERED : Z_DEFAULT_STRATEGY);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, by_value ? PNG_ALL_FILTERS : PNG_FILTER_NONE);
    png_set_compression_buffer_size(png, IDAT_BYTES);
}

static void configure(png_structp png, png_infop info, Writer *writer)
{
    const ImgView *view = &writer->image->view;
    const ImgMetadata *metadata = writer->metadata;
    ImgColor color = view->format.color;

    png_set_write_fn(png, writer, write_bytes, flush_bytes);
    png_set_benign_errors(png, 0);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_check_for_invalid_index(png, 0);
    png_set_IHDR(png, info, (png_uint_32)view->width, (png_uint_32)view->height, view->format.bits,
                 color_type(color), metadata->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (metadata->palette_size > 0 && color != IMG_COLOR_GRAY && color != IMG_COLOR_GRAY_ALPHA) {
        png_color palette[256];
        for (int i = 0; i < metadata->palette_size; i++) {
            const uint8_t *entry = metadata->palette[i];
            palette[i] = (png_color){entry[0], entry[1], entry[2]};
        }
        png_set_PLTE(png, info, palette, metadata->palette_size);
    }
    set_compression(png, writer);
}

static void write_chunks(png_structp png, const ImgMetadata *metadata, ImgChunkPlace place)
{
    for (size_t i = 0; i < metadata->count; i++) {
        const ImgChunk *chunk = &metadata->chunks[i];
        if (chunk->place == place && !img_png_is_index(chunk->type))
            png_write_chunk(png, (png_const_bytep)chunk->type, chunk->data, chunk->size);
    }
}

/* Reports a finished row. If the callback fails, `writer->err` keeps the error of the callback. The
 * error from png_error only ends the encoding. */
static void report_row(png_structp png, const Writer *writer)
{
    if (img_progress_add_rows(writer->progress, 1))
        return;
    (void)img_progress_is_cancelled(writer->progress, writer->err);
    png_error(png, "stopped");
}

/* Returns a row of the picture. A row in a store is read without mapping a page. */
static const uint8_t *row_of(png_structp png, const Writer *writer, int32_t y)
{
    const ImgView *view = &writer->image->view;
    const ImgShape shape = {view->width, 1, view->format};
    const ImgView row = img_view_make(
        writer->row, (size_t)view->width * img_format_pixel_size(view->format), shape);
    if (writer->row == NULL)
        return view->data + (size_t)y * view->stride;
    if (img_image_get(writer->image, 0, y, &row, writer->err) != IMG_OK)
        png_error(png, "no store");
    return writer->row;
}

static void write_rows(png_structp png, const Writer *writer)
{
    const ImgView *view = &writer->image->view;
    png_set_packing(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (view->format.bits == 16)
        png_set_swap(png);
#endif
    int passes = png_set_interlace_handling(png);
    int since = 0; /* rows written since the last report; each row takes `passes` writes */
    img_progress_start(writer->progress, (uint64_t)view->height);
    for (int pass = 0; pass < passes; pass++) {
        for (int32_t y = 0; y < view->height; y++) {
            png_write_row(png, row_of(png, writer, y));
            if (++since == passes) {
                since = 0;
                report_row(png, writer);
            }
        }
    }
}

static void encode(png_structp png, png_infop info, Writer *writer)
{
    configure(png, info, writer);
    png_write_info_before_PLTE(png, info);
    write_chunks(png, writer->metadata, IMG_BEFORE_PLTE);
    png_write_info(png, info);
    write_chunks(png, writer->metadata, IMG_BEFORE_IDAT);
    write_rows(png, writer);
    write_chunks(png, writer->metadata, IMG_AFTER_IDAT);
    png_write_end(png, NULL);
}

/* Encodes, or returns after libpng has called longjmp. This function owns no memory, so longjmp
 * leaks nothing. */
static void encode_or_fail(png_structp png, png_infop info, Writer *writer)
{
    if (setjmp(png_jmpbuf(png)) != 0)
        return;
    encode(png, info, writer);
}

uint64_t img_libpng_encode_bytes(ImgShape shape)
{
    /* Number of rows: those that libpng buffers, which are the current and the previous row, and
     * the best and the next filtered row; and a row of a picture in a store. */
    enum { ROWS = 5 };
    const uint64_t row = 1 + (uint64_t)shape.width * img_format_pixel_size(shape.format);
    return ROWS * row + IDAT_BYTES;
}

ImgStatus img_libpng_encode(const ImgImage *image, const ImgMetadata *metadata, int level,
                            ImgProgress *progress, ImgOutput *output, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    const size_t row = (size_t)image->view.width * img_format_pixel_size(image->view.format);
    Writer writer = {.image = image,
                     .row = image->store != NULL ? malloc(row) : NULL,
                     .metadata = metadata,
                     .level = level,
                     .output = output,
                     .progress = progress,
                     .err = &failure};
    png_infop info = NULL;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer, on_error, on_warning);
    if (png != NULL && (image->store == NULL || writer.row != NULL))
        info = png_create_info_struct(png);
    if (info == NULL)
        img_fail(&failure, IMG_E_MEMORY, "libpng cannot start: no memory, or a wrong version");
    else
        encode_or_fail(png, info, &writer);
    png_destroy_write_struct(&png, &info);
    free(writer.row);
    if (failure.status == IMG_OK)
        return IMG_OK;
    return img_fail(err, failure.status, "%s", failure.message);
}
