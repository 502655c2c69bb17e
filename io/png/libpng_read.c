/* libpng decodes the pixels and nothing else: every ancillary chunk is kept from it, because it
 * would interpret them, inflate them or derive new ones. Samples stay as the file has them.
 * Data is pushed, because libpng's pulling reader does not look at the end of the compressed data
 * where that lies in another chunk: wrong checksums and data too much would pass. */
#include "io/png/libpng_read.h"

#include <png.h>
#include <string.h>

typedef struct Reader {
    const ImgView *view;
    bool ended; /* IEND was reached */
    ImgError *err;
} Reader;

/* libpng's words for what users should understand. */
static const struct {
    const char *part, *meaning;
} MEANINGS[] = {
    {"CRC error", "damaged: wrong CRC in the image data (IDAT)"},
    {"Truncated compressed data", "damaged: wrong Adler-32 checksum of the image data (IDAT)"},
    {"ADLER32", "damaged: the image data (IDAT) cannot be inflated, or its Adler-32 is wrong"},
    {"Decompression error", "damaged: the image data (IDAT) cannot be inflated"},
    {"Not enough compressed data", "damaged: the image data (IDAT) is too short for its size"},
    {"Extra compress", "damaged: the image data (IDAT) is too long for its size"},
    {"bad adaptive filter value", "damaged: unknown row filter in the image data (IDAT)"},
};

static void fail(ImgError *err, const char *message)
{
    /* libpng says "Out of memory", zlib "insufficient memory". */
    if (strstr(message, "memory") != NULL) {
        img_fail(err, IMG_E_MEMORY, "no memory for decoding");
        return;
    }
    for (size_t i = 0; i < sizeof MEANINGS / sizeof MEANINGS[0]; i++) {
        if (strstr(message, MEANINGS[i].part) != NULL) {
            img_fail(err, IMG_E_FORMAT, "%s", MEANINGS[i].meaning);
            return;
        }
    }
    img_fail(err, IMG_E_FORMAT, "damaged image data (%s)", message);
}

static void on_error(png_structp png, png_const_charp message)
{
    const Reader *reader = png_get_error_ptr(png);
    fail(reader->err, message);
    png_longjmp(png, 1);
}

/* The pushing reader only warns of wrong checksums and of data too much. Of chunks that deserve no
 * more than a warning, it sees none. */
static void on_warning(png_structp png, png_const_charp message)
{
    on_error(png, message);
}

static void on_info(png_structp png, png_infop info)
{
    const Reader *reader = png_get_progressive_ptr(png);
    const ImgView *view = reader->view;
    png_set_packing(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (view->format.bits == 16)
        png_set_swap(png);
#endif
    (void)png_set_interlace_handling(png);
    png_read_update_info(png, info);
    size_t row_bytes = (size_t)view->width * img_format_pixel_size(view->format);
    if (png_get_rowbytes(png, info) != row_bytes) /* would be a bug here, not in the file */
        png_error(png, "unexpected size of a row");
}

static void on_row(png_structp png, png_bytep row, png_uint_32 y, int pass)
{
    const Reader *reader = png_get_progressive_ptr(png);
    (void)pass;
    if (row != NULL) /* NULL: this pass has nothing for this row */
        png_progressive_combine_row(png, reader->view->data + (size_t)y * reader->view->stride,
                                    row);
}

static void on_end(png_structp png, png_infop info)
{
    Reader *reader = png_get_progressive_ptr(png);
    (void)info;
    reader->ended = true;
}

static void configure(png_structp png, Reader *reader)
{
    png_set_progressive_read_fn(png, reader, on_info, on_row, on_end);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_benign_errors(png, 0);
    /* Sizes and memory were checked against the caller's limits already. */
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png, 0);
    png_set_chunk_cache_max(png, 0);
    /* -1 means all chunks that libpng knows, save tRNS. */
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, (png_const_bytep) "tRNS", 1);
    /* Indices outside the palette are kept: they are pixels like others. */
    png_set_check_for_invalid_index(png, 0);
}

/* Compressed data that is in order may still end before the last row. */
static bool is_complete(png_structp png, const Reader *reader, bool interlaced)
{
    if (!reader->ended)
        return false;
    if (interlaced)
        return png_get_current_pass_number(png) >= PNG_INTERLACE_ADAM7_PASSES;
    return png_get_current_row_number(png) >= (png_uint_32)reader->view->height;
}

/* Owns nothing, so that a jump back loses nothing. */
static void decode_or_fail(png_structp png, png_infop info, Reader *reader, const uint8_t *data,
                           size_t size, bool interlaced)
{
    if (setjmp(png_jmpbuf(png)) != 0)
        return;
    configure(png, reader);
    png_process_data(png, info, (png_bytep)data, size);
    if (!is_complete(png, reader, interlaced))
        png_error(png, "Not enough compressed data");
}

ImgStatus img_png_decode_by_libpng(const uint8_t *data, const ImgPngHeader *header,
                                   const ImgPngScan *scan, ImgImage *image, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    Reader reader = {&image->view, false, &failure};
    png_structp png = NULL;
    png_infop info = NULL;

    if (img_image_alloc(header->shape, image, &failure) != IMG_OK)
        goto done;
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
    if (png != NULL)
        info = png_create_info_struct(png);
    if (info == NULL) {
        img_fail(&failure, IMG_E_MEMORY, "libpng cannot start: no memory, or a wrong version");
        goto done;
    }
    decode_or_fail(png, info, &reader, data, scan->size, header->interlaced);

done:
    png_destroy_read_struct(&png, &info, NULL);
    if (failure.status == IMG_OK)
        return IMG_OK;
    img_image_free(image);
    return img_fail(err, failure.status, "%s", failure.message);
}
