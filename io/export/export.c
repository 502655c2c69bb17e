/* Writes JPEG, BMP and TGA files: converts the pixels to 8 bits, then calls stb_image_write. */
#include "io/export/export.h"
#include "kernels/core/store.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest width and height in pixels. TGA and JPEG store 16 bits per side. libjpeg and most
 * programs read JPEG only up to 65,500 pixels (JPEG_MAX_DIMENSION in jmorecfg.h). HEADER_ROOM is an
 * upper bound of the header's size in bytes; BMP_ROW_PADDING is the largest padding of a row in
 * bytes. */
enum { TGA_MOST = 65535, JPEG_MOST = 65500, HEADER_ROOM = 1024, BMP_ROW_PADDING = 3 };

typedef struct Sink {
    ImgOutput *output;
    ImgError *err;
} Sink;

static const char *format_name(ImgFileFormat format)
{
    return format == IMG_FILE_JPEG ? "JPEG" : format == IMG_FILE_BMP ? "BMP" : "TGA";
}

static void write_bytes(void *context, void *data, int size)
{
    const Sink *sink = context;
    if (size > 0) /* a write error stays in the output, and img_export reports it at the end */
        (void)img_output_write(sink->output, data, (size_t)size, sink->err);
}

static int output_channels(ImgFileFormat format, const ImgEightBits *eight,
                           const ImgMetadata *metadata)
{
    ImgColor color = eight->view->format.color;
    if (format != IMG_FILE_JPEG && img_eight_bits_has_alpha(eight, metadata))
        return 4;
    return color == IMG_COLOR_GRAY || color == IMG_COLOR_GRAY_ALPHA ? 1 : 3;
}

/* Fails if a side or the whole picture is too large for the format. stb_image_write computes sizes
 * and offsets as int, and file headers have 16 or 32 bits for them. */
static ImgStatus check_size(ImgFileFormat format, const ImgView *view, int channels, ImgError *err)
{
    const int32_t most = format == IMG_FILE_JPEG  ? JPEG_MOST
                         : format == IMG_FILE_TGA ? TGA_MOST
                                                  : INT32_MAX;
    if (view->width > most || view->height > most)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "%s holds at most %d pixels per side, not %d x %d; PNG holds it",
                        format_name(format), most, view->width, view->height);
    /* stb_image_write stores gray BMP as RGB. */
    uint64_t written = format == IMG_FILE_BMP && channels == 1 ? 3 : (uint64_t)channels;
    uint64_t row = (uint64_t)view->width * written + BMP_ROW_PADDING;
    if (row > INT_MAX || row * (uint64_t)view->height > INT_MAX - HEADER_ROOM)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "%d x %d pixels are too many for %s (2 GiB); PNG holds them", view->width,
                        view->height, format_name(format));
    return IMG_OK;
}

/* Returns true if stb_image_write can read the pixels directly, without a converted copy. */
static bool is_ready(const ImgEightBits *eight, int channels)
{
    const ImgView *view = eight->view;
    return view->format.bits == 8 && view->format.color != IMG_COLOR_PALETTE &&
           img_format_channels(view->format) == channels && !eight->has_key &&
           view->stride == (size_t)view->width * (size_t)channels;
}

/* Returns the size in bytes of the packed 8-bit copy of all pixels. */
static uint64_t converted_bytes(const ImgView *view, int channels)
{
    uint64_t row = (uint64_t)view->width * (uint64_t)channels;
    return row * (uint64_t)view->height; /* less than 2^31 * 2^31 * 4 = 2^64: no overflow */
}

uint64_t img_export_view_bytes(ImgFileFormat format, const ImgView *view,
                               const ImgMetadata *metadata)
{
    ImgEightBits eight;
    img_eight_bits_init(&eight, view, metadata);
    int channels = output_channels(format, &eight, metadata);
    return is_ready(&eight, channels) ? 0 : converted_bytes(view, channels);
}

uint64_t img_export_bytes(ImgFileFormat format, ImgShape shape, const ImgMetadata *metadata)
{
    size_t bytes;
    if (img_shape_bytes(shape, &bytes, NULL) != IMG_OK)
        return UINT64_MAX; /* no image of this shape can exist */
    const ImgView view = img_view_make(NULL, bytes / (size_t)shape.height, shape);
    return img_export_view_bytes(format, &view, metadata);
}

ImgStatus img_export_check(ImgFileFormat format, ImgShape shape, ImgError *err)
{
    const ImgView view = img_view_make(NULL, 0, shape);
    ImgEightBits eight;
    img_eight_bits_init(&eight, &view, &IMG_METADATA_NONE);
    return check_size(format, &view, output_channels(format, &eight, &IMG_METADATA_NONE), err);
}

/* Converts the pixels to packed 8-bit samples, in the store of the picture, which may be NULL. */
static ImgStatus convert(const ImgEightBits *eight, int channels, ImgStore *store, void **pixels,
                         ImgError *err)
{
    const size_t row = (size_t)eight->view->width * (size_t)channels;
    const uint64_t bytes = converted_bytes(eight->view, channels);
    ImgStatus status = IMG_OK;
    if (store != NULL)
        status = img_store_alloc(store, bytes, pixels, err);
    else if ((*pixels = malloc(bytes)) == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory for conversion to 8 bits");
    for (int32_t y = 0; status == IMG_OK && y < eight->view->height; y++)
        img_eight_bits_row(eight, y, channels, (uint8_t *)*pixels + (size_t)y * row);
    return status;
}

static void free_converted(ImgStore *store, void *pixels)
{
    if (store != NULL && pixels != NULL)
        img_store_release(store, pixels);
    else
        free(pixels);
}

ImgStatus img_export(ImgFileFormat format, const ImgImage *image, const ImgMetadata *metadata,
                     int quality, ImgOutput *output, ImgError *err)
{
    const ImgView *view = &image->view;
    ImgEightBits eight;
    img_eight_bits_init(&eight, view, metadata);
    int channels = output_channels(format, &eight, metadata);
    ImgStatus status = check_size(format, view, channels, err);
    if (status != IMG_OK)
        return status;

    void *converted = NULL;
    const uint8_t *pixels = view->data;
    if (!is_ready(&eight, channels)) {
        status = convert(&eight, channels, image->store, &converted, err);
        if (status != IMG_OK)
            return status;
        pixels = converted;
    }
    ImgError failure = {IMG_OK, ""};
    Sink sink = {output, &failure};
    bool written;
    if (format == IMG_FILE_JPEG)
        written =
            img_stb_jpeg(write_bytes, &sink, view->width, view->height, channels, pixels, quality);
    else if (format == IMG_FILE_BMP)
        written = img_stb_bmp(write_bytes, &sink, view->width, view->height, channels, pixels);
    else
        written = img_stb_tga(write_bytes, &sink, view->width, view->height, channels, pixels);
    free_converted(image->store, converted);
    if (failure.status != IMG_OK)
        return img_fail(err, failure.status, "%s", failure.message);
    if (!written)
        return img_fail(err, IMG_E_UNSUPPORTED, "cannot be written as %s", format_name(format));
    return IMG_OK;
}

bool img_export_loss(ImgFileFormat format, const ImgImage *image, const ImgMetadata *metadata,
                     char text[IMG_LOSS_TEXT])
{
    char lost[IMG_METADATA_LOSS_TEXT];
    ImgEightBits eight;
    img_eight_bits_init(&eight, &image->view, metadata);
    const bool deep = image->view.format.bits == 16;
    const bool flat = format == IMG_FILE_JPEG && img_eight_bits_has_alpha(&eight, metadata) &&
                      img_eight_bits_is_transparent(&eight);
    const bool more = img_metadata_describe_loss(metadata, lost);
    snprintf(text, IMG_LOSS_TEXT, "%s%s%s%s%s", deep ? "16 bits reduced to 8" : "",
             deep && flat ? "; " : "",
             !flat                  ? ""
             : eight.has_background ? "no transparency: blended with the background colour"
                                    : "no transparency: blended with white",
             (deep || flat) && more ? "; " : "", more ? lost : "");
    return deep || flat || more;
}
