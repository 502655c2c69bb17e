/* Decodes with libpng. Passes only IHDR, the palette of a palette image, IDAT and IEND to libpng,
 * because it would inflate other chunks or derive values from them, which is not needed. Samples
 * keep the values of the file.
 *
 * Uses the push interface of libpng. The pull interface does not read the end of the compressed
 * data if this is in another chunk, so wrong checksums would not be detected. */
#include "io/png/libpng.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/bytes.h"
#include "io/png/idat.h"

typedef struct Reader {
    const ImgView *view;     /* the image to fill; has no pixels if `sink` is set */
    const ImgRowSink *sink;  /* receives the rows; NULL: the rows are stored in the view */
    ImgStore *store;         /* holds the pixels of the view; NULL: they are in memory */
    uint8_t *row;            /* buffer for a row in the store; NULL without a store */
    ImgProgress *progress;   /* receives the progress, and can cancel the decoding; may be NULL */
    const ImgPieces *pieces; /* reads the file; NULL: it is in memory */
    bool interlaced;
    /* `passes`: number of passes over the picture, which is 7 if it is interlaced. `since`: number
     * of calls of on_row since the last progress report. A row is finished after `passes` calls. */
    int passes, since;
    bool ended; /* true after the end chunk (IEND) has been read */
    bool extra; /* true if there was more data after the last row */
    ImgError *err;
} Reader;

/* Parts of libpng's messages, and the messages for the user that replace them. */
static const struct {
    const char *part, *meaning;
} MEANINGS[] = {
    {"CRC error", "damaged: wrong CRC in the image data (IDAT)"},
    {"Truncated compressed data", "damaged: wrong Adler-32 checksum of the image data (IDAT)"},
    {"ADLER32", "damaged: the image data (IDAT) cannot be inflated, or its Adler-32 is wrong"},
    {"Decompression error", "damaged: the image data (IDAT) cannot be inflated"},
    {"Not enough compressed data", "damaged: the image data (IDAT) is too short for its size"},
    {"bad adaptive filter value", "damaged: unknown row filter in the image data (IDAT)"},
};

static void fail(ImgError *err, const char *message)
{
    /* Lack of memory has two messages: libpng reports "Out of memory", zlib "insufficient
     * memory". */
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

/* Handles a warning of libpng. Data after the last row is harmless. All other warnings are errors,
 * because the push interface reports wrong checksums as warnings. */
static void on_warning(png_structp png, png_const_charp message)
{
    Reader *reader = png_get_error_ptr(png);
    if (strncmp(message, "Extra compress", strlen("Extra compress")) != 0)
        on_error(png, message);
    reader->extra = true;
}

/* Returns true if the header that libpng read has the width, height and format of the view. They
 * may differ if another program has changed the bytes of the file. */
static bool is_expected(png_structp png, png_infop info, const Reader *reader)
{
    const ImgView *view = reader->view;
    const bool interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    return png_get_image_width(png, info) == (png_uint_32)view->width &&
           png_get_image_height(png, info) == (png_uint_32)view->height &&
           png_get_bit_depth(png, info) == view->format.bits &&
           png_get_channels(png, info) == img_format_channels(view->format) &&
           interlaced == reader->interlaced;
}

static void on_info(png_structp png, png_infop info)
{
    Reader *reader = png_get_progressive_ptr(png);
    const ImgView *view = reader->view;
    if (!is_expected(png, info, reader))
        png_error(png, "the header has changed");
    png_set_packing(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (view->format.bits == 16)
        png_set_swap(png);
#endif
    reader->passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    size_t row_bytes = (size_t)view->width * img_format_pixel_size(view->format);
    /* A different size would be a bug in this code, not a fault of the file. */
    if (png_get_rowbytes(png, info) != row_bytes)
        png_error(png, "unexpected size of a row");
}

/* Passes a row to the sink. Only pictures that are not interlaced have a sink, so there is only one
 * pass. */
static void pass_row(png_structp png, const Reader *reader, png_bytep row, png_uint_32 y)
{
    const ImgView *all = reader->view;
    const ImgShape shape = {all->width, 1, all->format};
    const ImgView rows =
        img_view_make(row, (size_t)all->width * img_format_pixel_size(all->format), shape);
    reader->sink->take(reader->sink->context, &rows, (int32_t)y);
    if (reader->sink->stopped != NULL && *reader->sink->stopped)
        png_error(png, "no more rows are wanted");
}

/* Reports a finished row. If the callback fails, `reader->err` keeps the error of the callback. The
 * error from png_error only ends the decoding. */
static void report_row(png_structp png, Reader *reader)
{
    if (++reader->since < reader->passes)
        return;
    reader->since = 0;
    if (img_progress_add_rows(reader->progress, 1))
        return;
    (void)img_progress_is_cancelled(reader->progress, reader->err);
    png_error(png, "stopped");
}

/* Combines a row with its row in the store, which is read and written without mapping a page: the
 * passes over an interlaced picture would otherwise map all of it several times. */
static void combine_in_store(png_structp png, const Reader *reader, png_bytep row, uint8_t *to)
{
    const ImgView *view = reader->view;
    const size_t bytes = (size_t)view->width * img_format_pixel_size(view->format);
    ImgStatus status = img_store_read(reader->store, reader->row, to, bytes, reader->err);
    if (status == IMG_OK) {
        png_progressive_combine_row(png, reader->row, row);
        status = img_store_write(reader->store, to, reader->row, bytes, reader->err);
    }
    if (status != IMG_OK)
        png_error(png, "no store");
}

static void on_row(png_structp png, png_bytep row, png_uint_32 y, int pass)
{
    Reader *reader = png_get_progressive_ptr(png);
    (void)pass;
    if (row != NULL && reader->sink != NULL)
        pass_row(png, reader, row, y);
    else if (row != NULL && reader->store != NULL)
        combine_in_store(png, reader, row, reader->view->data + (size_t)y * reader->view->stride);
    else if (row != NULL) /* `row` is NULL if this pass has no pixels in this row. */
        png_progressive_combine_row(png, reader->view->data + (size_t)y * reader->view->stride,
                                    row);
    report_row(png, reader);
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
    /* Disables the limits of libpng, because the caller has checked its own limits on size and
     * memory. */
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png, 0);
    png_set_chunk_cache_max(png, 0);
    /* Disables a check of libpng: imgtool accepts indices outside the palette as valid pixels. */
    png_set_check_for_invalid_index(png, 0);
}

/* Returns true if all rows were decoded. Compressed data without errors may still end before the
 * last row. */
static bool is_complete(png_structp png, const Reader *reader)
{
    if (!reader->ended)
        return false;
    if (reader->interlaced)
        return png_get_current_pass_number(png) >= PNG_INTERLACE_ADAM7_PASSES;
    return png_get_current_row_number(png) >= (png_uint_32)reader->view->height;
}

/* Pushes a chunk to libpng in portions of the size that libpng would read itself
 * (PNG_IDAT_READ_SIZE). If a stream declares a small window, the size of the portions affects
 * whether zlib accepts larger distances, and so whether the file counts as damaged. */
static void push_chunk(png_structp png, png_infop info, const ImgPieces *pieces,
                       const uint8_t *data, size_t at, size_t size)
{
    enum { PIECE = 8192, HEAD = 8 };
    uint8_t buffer[PIECE];
    for (size_t done = 0, piece; done < size; done += piece) {
        piece = size - done < PIECE ? size - done : PIECE;
        piece = done == 0 ? HEAD : piece;
        png_process_data(png, info,
                         (png_bytep)img_file_bytes(data, pieces, at + done, piece, buffer), piece);
    }
}

/* Pushes to libpng the chunks that are necessary for the pixels. The file has `size` bytes and was
 * accepted by img_png_scan. */
static void push_chunks(png_structp png, png_infop info, const ImgPieces *pieces,
                        const uint8_t *data, size_t size, bool palette)
{
    enum { HEAD = 8 };
    static const uint8_t end[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xAE, 0x42, 0x60, 0x82};
    uint8_t header[IMG_PNG_HEADER_BYTES], head[HEAD];
    png_process_data(png, info, (png_bytep)img_file_bytes(data, pieces, 0, sizeof header, header),
                     sizeof header);
    bool idat = false, seen_idat = false;
    size_t at = IMG_PNG_HEADER_BYTES;
    while (size - at >= IMG_PNG_FRAME_BYTES) {
        const uint8_t *chunk = img_file_bytes(data, pieces, at, HEAD, head);
        const uint32_t length = img_get_be32_once(chunk);
        if (memcmp(chunk + 4, "IEND", 4) == 0 || length > size - at - IMG_PNG_FRAME_BYTES)
            break;
        idat = memcmp(chunk + 4, "IDAT", 4) == 0;
        if (seen_idat && !idat)
            break;
        if (idat || (palette && memcmp(chunk + 4, "PLTE", 4) == 0))
            push_chunk(png, info, pieces, data, at, IMG_PNG_FRAME_BYTES + (size_t)length);
        seen_idat = idat;
        at += IMG_PNG_FRAME_BYTES + (size_t)length;
    }
    png_process_data(png, info, (png_bytep)end, sizeof end);
}

/* Decodes, or returns after libpng has called longjmp. This function owns no memory, so longjmp
 * leaks nothing. */
static void decode_or_fail(png_structp png, png_infop info, Reader *reader, const uint8_t *data,
                           size_t size)
{
    if (setjmp(png_jmpbuf(png)) != 0)
        return;
    configure(png, reader);
    push_chunks(png, info, reader->pieces, data, size,
                reader->view->format.color == IMG_COLOR_PALETTE);
    if (!is_complete(png, reader))
        png_error(png, "Not enough compressed data");
}

/* Inflates `size` bytes of the stream, and drops the result. */
static int inflate_portion(z_stream *stream, const uint8_t *data, size_t size)
{
    uint8_t unwanted[1 << 12];
    int result = Z_OK;
    stream->next_in = (Bytef *)data;
    stream->avail_in = (uInt)size;
    do {
        stream->next_out = unwanted;
        stream->avail_out = sizeof unwanted;
        result = inflate(stream, Z_NO_FLUSH);
    } while (result == Z_OK && (stream->avail_in > 0 || stream->avail_out == 0));
    return result == Z_BUF_ERROR ? Z_OK : result; /* Z_BUF_ERROR: the portion is used up. */
}

/* Inflates the data of one IDAT chunk: as a whole if the file is in memory. */
static int inflate_part(z_stream *stream, const ImgIdat *idat, const ImgIdatPart *part)
{
    uint8_t buffer[1 << 12];
    const size_t most = idat->pieces != NULL ? sizeof buffer : UINT32_MAX;
    int result = Z_OK;
    for (size_t done = 0, size; done < part->size && result == Z_OK; done += size) {
        size = part->size - done < most ? part->size - done : most;
        result = inflate_portion(
            stream, img_file_bytes(idat->file, idat->pieces, part->at + done, size, buffer), size);
    }
    return result;
}

/* Checks that the compressed stream is valid to its end, because libpng stops at the last row. */
static ImgStatus check_whole_stream(const ImgPieces *pieces, const uint8_t *data, size_t size,
                                    ImgError *err)
{
    z_stream stream = {.zalloc = Z_NULL};
    ImgIdat idat = {.pieces = pieces};
    ImgStatus status = img_idat_list(data, size, &idat, err);
    if (status != IMG_OK)
        return status;
    int result = inflateInit(&stream);
    for (size_t i = 0; i < idat.count && result == Z_OK; i++)
        result = inflate_part(&stream, &idat, &idat.parts[i]);
    inflateEnd(&stream);
    img_idat_free(&idat);
    if (result == Z_MEM_ERROR)
        return img_fail(err, IMG_E_MEMORY, "no memory for decoding");
    if (result != Z_STREAM_END)
        return img_fail(err, IMG_E_FORMAT,
                        "damaged: the image data (IDAT) is too long for its size, and %s",
                        result == Z_OK ? "does not end" : "its Adler-32 or its codes are wrong");
    return IMG_OK;
}

/* Decodes the file. The caller must have set reader.view, and either the sink or the progress. */
static ImgStatus decode(const uint8_t *data, const ImgPngHeader *header, const ImgPngScan *scan,
                        Reader reader, bool *extra, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    png_structp png = NULL;
    png_infop info = NULL;

    reader.err = &failure;
    reader.interlaced = header->interlaced;
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
    if (png != NULL)
        info = png_create_info_struct(png);
    if (info == NULL)
        img_fail(&failure, IMG_E_MEMORY, "libpng cannot start: no memory, or a wrong version");
    else
        decode_or_fail(png, info, &reader, data, scan->size);
    png_destroy_read_struct(&png, &info, NULL);
    *extra = reader.extra;
    if (failure.status == IMG_OK && reader.extra)
        (void)check_whole_stream(reader.pieces, data, scan->size, &failure);
    if (failure.status == IMG_OK)
        return IMG_OK;
    return img_fail(err, failure.status, "%s", failure.message);
}

/* Returns the memory in bytes that libpng needs for rows. The rows of interlaced pictures can be up
 * to 7 pixels wider. */
uint64_t img_libpng_decode_bytes(ImgShape shape)
{
    /* ROWS are the current row, the row above, and a row of a picture in a store; WIDER counts
     * padding pixels. */
    enum { ROWS = 3, WIDER = 7 };
    const uint64_t width = (uint64_t)shape.width + WIDER;
    return ROWS * (1 + width * img_format_pixel_size(shape.format));
}

ImgStatus img_png_decode_by_libpng(const uint8_t *data, const ImgPngHeader *header,
                                   const ImgPngScan *scan, ImgProgress *progress,
                                   const ImgPieces *pieces, bool *extra, const ImgView *view,
                                   ImgStore *store, ImgError *err)
{
    const size_t row = (size_t)view->width * img_format_pixel_size(view->format);
    const Reader reader = {.view = view,
                           .store = store,
                           .row = store != NULL ? malloc(row) : NULL,
                           .progress = progress,
                           .pieces = pieces};
    const ImgStatus status = store != NULL && reader.row == NULL
                                 ? img_fail(err, IMG_E_MEMORY, "no memory for decoding")
                                 : decode(data, header, scan, reader, extra, err);
    free(reader.row);
    return status;
}

ImgStatus img_png_decode_rows_by_libpng(const uint8_t *data, const ImgPngHeader *header,
                                        const ImgPngScan *scan, ImgProgress *progress,
                                        const ImgPieces *pieces, const ImgRowSink *sink,
                                        bool *extra, ImgError *err)
{
    const ImgView all = img_view_make(NULL, 0, header->shape);
    const Reader reader = {.view = &all, .sink = sink, .progress = progress, .pieces = pieces};
    return decode(data, header, scan, reader, extra, err);
}
