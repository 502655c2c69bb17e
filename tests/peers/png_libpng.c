/* Reads and writes PNGs in memory with the basic functions of libpng. */
#include "tests/peers/png_peers.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

const LibpngSettings LIBPNG_DEFAULTS = {LIBPNG_UNSET, LIBPNG_UNSET, LIBPNG_UNSET};
const LibpngSettings LIBPNG_LIKE_OPENCV = {1, 3 /* Z_RLE */, PNG_FILTER_SUB};

typedef struct Bytes {
    const uint8_t *data;
    size_t size;
} Bytes;

static void on_read(png_structp png, png_bytep to, size_t size)
{
    Bytes *bytes = png_get_io_ptr(png);
    if (size > bytes->size)
        png_error(png, "the file ends early");
    memcpy(to, bytes->data, size);
    bytes->data += size;
    bytes->size -= size;
}

static void on_write(png_structp png, png_bytep from, size_t size)
{
    (void)from;
    *(size_t *)png_get_io_ptr(png) += size;
}

static void on_flush(png_structp png)
{
    (void)png;
}

static png_bytep *list_rows(const ImgView *view)
{
    png_bytep *rows = malloc(sizeof *rows * (size_t)view->height);
    for (int32_t y = 0; rows != NULL && y < view->height; y++)
        rows[y] = view->data + (size_t)y * view->stride;
    return rows;
}

static void use_native_order(png_structp png, int bits)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (bits == 16)
        png_set_swap(png);
#else
    (void)png, (void)bits;
#endif
}

/* Reads the picture. On an error libpng jumps back into this function, which returns false. The
 * function owns no memory, so the jump leaks none. */
static bool read_or_fail(png_structp png, png_infop info, Bytes *bytes, png_bytepp rows)
{
    if (setjmp(png_jmpbuf(png)) != 0)
        return false;
    png_set_read_fn(png, bytes, on_read);
    png_read_info(png, info);
    png_set_packing(png);
    use_native_order(png, png_get_bit_depth(png, info));
    (void)png_set_interlace_handling(png);
    png_read_update_info(png, info);
    png_read_image(png, rows);
    png_read_end(png, NULL);
    return true;
}

bool libpng_decode(const uint8_t *data, size_t size, ImgShape shape, ImgImage *image)
{
    *image = IMG_IMAGE_NONE;
    if (img_image_alloc(shape, image, NULL) != IMG_OK)
        return false;
    Bytes bytes = {data, size};
    png_bytepp rows = list_rows(&image->view);
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    bool ok = rows != NULL && info != NULL && read_or_fail(png, info, &bytes, rows);
    png_destroy_read_struct(&png, &info, NULL);
    free(rows);
    if (!ok)
        img_image_free(image);
    return ok;
}

static void set_palette(png_structp png, png_infop info, const ImgMetadata *metadata)
{
    png_color palette[256];
    for (int i = 0; i < metadata->palette_size; i++) {
        const uint8_t *entry = metadata->palette[i];
        palette[i] = (png_color){entry[0], entry[1], entry[2]};
    }
    png_set_PLTE(png, info, palette, metadata->palette_size);
}

static bool write_or_fail(png_structp png, png_infop info, const ImgView *view,
                          const ImgMetadata *metadata, LibpngSettings settings, png_bytepp rows,
                          size_t *size)
{
    static const int colors[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                 PNG_COLOR_TYPE_RGB_ALPHA, PNG_COLOR_TYPE_PALETTE};
    if (setjmp(png_jmpbuf(png)) != 0)
        return false;
    png_set_write_fn(png, size, on_write, on_flush);
    if (settings.level != LIBPNG_UNSET)
        png_set_compression_level(png, settings.level);
    if (settings.strategy != LIBPNG_UNSET)
        png_set_compression_strategy(png, settings.strategy);
    if (settings.filters != LIBPNG_UNSET)
        png_set_filter(png, PNG_FILTER_TYPE_BASE, settings.filters);
    png_set_IHDR(png, info, (png_uint_32)view->width, (png_uint_32)view->height, view->format.bits,
                 colors[view->format.color], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (view->format.color == IMG_COLOR_PALETTE)
        set_palette(png, info, metadata);
    png_write_info(png, info);
    png_set_packing(png);
    use_native_order(png, view->format.bits);
    png_write_image(png, rows);
    png_write_end(png, info);
    return true;
}

size_t libpng_encode(const ImgView *view, const ImgMetadata *metadata, LibpngSettings settings)
{
    size_t size = 0;
    png_bytepp rows = list_rows(view);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    bool ok = rows != NULL && info != NULL &&
              write_or_fail(png, info, view, metadata, settings, rows, &size);
    png_destroy_write_struct(&png, &info);
    free(rows);
    return ok ? size : 0;
}
