/* Tests of files that do not suit the decoding strategy that would be chosen first. Another
 * strategy must decode them, and each row must be delivered only once. */
#include "io/png/index/index.h"
#include "test_io_png.h"

enum { WIDTH = 1000 };

/* State of a zlib compressor that takes a few rows at a time. */
typedef struct Packer {
    z_stream z;
    uint8_t out[16384];
    Bytes packed;
} Packer;

/* Starts compression with a low memory level. The blocks then have about 2,000 symbols each, and
 * the decoder can find their starts. */
static void packer_start(Packer *packer, int strategy)
{
    *packer = (Packer){0};
    cr_assert_eq(deflateInit2(&packer->z, 6, Z_DEFLATED, 15, 5, strategy), Z_OK);
}

static void pack(Packer *packer, const uint8_t *data, size_t size, int flush)
{
    packer->z.next_in = (uint8_t *)data;
    packer->z.avail_in = (uInt)size;
    do {
        packer->z.next_out = packer->out;
        packer->z.avail_out = sizeof packer->out;
        cr_assert_neq(deflate(&packer->z, flush), Z_STREAM_ERROR);
        put(&packer->packed, packer->out, sizeof packer->out - packer->z.avail_out);
    } while (packer->z.avail_out == 0);
}

/* Switches to compression with matches. All rows after this call are equal. */
static void pack_by_matches(Packer *packer)
{
    packer->z.next_out = packer->out;
    packer->z.avail_out = sizeof packer->out;
    cr_assert_eq(deflateParams(&packer->z, 6, Z_DEFAULT_STRATEGY), Z_OK);
    put(&packer->packed, packer->out, sizeof packer->out - packer->z.avail_out);
}

static void put_gray_header(Bytes *png, int32_t width, int32_t height)
{
    put_test_header(png, (ImgShape){width, height, {IMG_COLOR_GRAY, 8}}, false);
}

static ImgSource *open_png(const Bytes *png)
{
    MemoryFile file = memory_file(png);
    ImgSource *source = NULL;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_source_open(file.path, &WIDE_LIMITS, &source, &err), IMG_OK, "%s",
                 err.message);
    cr_assert_eq(img_source_load(source, &err), IMG_OK, "%s", err.message);
    close(file.fd);
    return source;
}

/* Decodes a file of zeros with two threads and checks the pixels. Frees the file. Returns the
 * strategy that was used. */
static ImgPngStrategy path_of_zeros(Bytes *png)
{
    ImgError err = {IMG_OK, ""};
    ImgPngDecodeReport report;
    ImgImage image;
    ImgSource *source = open_png(png);
    const ImgPngDecodeOptions options = {.threads = 2};
    cr_assert_eq(img_source_decode(source, &options, &image, &report, &err), IMG_OK, "%s",
                 err.message);
    const ImgView *view = &image.view;
    for (int32_t y = 0; y < view->height; y++)
        for (int32_t x = 0; x < view->width; x++)
            cr_assert_eq(view->data[(size_t)y * view->stride + (size_t)x], 0);
    img_image_free(&image);
    img_source_close(source);
    free(png->data);
    return report.strategy;
}

/* --- Pieces of very different size ------------------------------------------------------------ */

enum { NOISE_ROWS = 300, FLAT_ROWS = 20000, HEIGHT = NOISE_ROWS + FLAT_ROWS };

/* Returns a sample of a picture in two parts. The upper rows are noise of 6 bits per byte. In the
 * lower rows all bytes are equal. */
static uint8_t uneven_sample(int32_t x, int32_t y)
{
    uint32_t hash = (uint32_t)(y * WIDTH + x) * 2654435761U;
    hash = (hash ^ hash >> 15) * 2246822519U;
    return y < NOISE_ROWS ? (uint8_t)(hash >> 26) : 5;
}

/* Returns a file in which one piece decompresses to a hundred times as many bytes as another. */
static Bytes uneven_png(void)
{
    Bytes png = {0};
    Packer packer;
    put_gray_header(&png, WIDTH, HEIGHT);
    packer_start(&packer, Z_HUFFMAN_ONLY);
    for (int32_t y = 0; y < HEIGHT; y++) {
        uint8_t row[1 + WIDTH] = {0};
        for (int32_t x = 0; x < WIDTH; x++)
            row[1 + x] = uneven_sample(x, y);
        if (y == NOISE_ROWS)
            pack_by_matches(&packer);
        pack(&packer, row, sizeof row, y + 1 < HEIGHT ? Z_NO_FLUSH : Z_FINISH);
    }
    put_chunk(&png, "IDAT", packer.packed.data, packer.packed.size);
    put_end(&png);
    deflateEnd(&packer.z);
    free(packer.packed.data);
    return png;
}

static void expect_next_rows(void *context, const ImgView *rows, int32_t first)
{
    int32_t *next = context;
    cr_assert_eq(first, *next);
    for (int32_t y = 0; y < rows->height; y++)
        for (int32_t x = 0; x < rows->width; x++)
            cr_assert_eq(rows->data[(size_t)y * rows->stride + (size_t)x],
                         uneven_sample(x, first + y), "%d,%d", x, first + y);
    *next += rows->height;
}

/* The decoded pieces exceed their memory limit. One thread must continue after them in sequence. */
Test(png_paths, rows_come_once_if_pieces_take_too_much_memory)
{
    Bytes png = uneven_png();
    for (int threads = 4; threads <= 8; threads += 4) {
        int32_t next = 0;
        ImgError err = {IMG_OK, ""};
        ImgPngDecodeReport report;
        ImgSource *source = open_png(&png);
        const ImgPngDecodeOptions options = {.threads = threads, .piece_bytes = 4096};
        const ImgRowSink sink = {expect_next_rows, &next, NULL};
        cr_assert_eq(img_source_decode_rows(source, &options, &sink, &report, &err), IMG_OK, "%s",
                     err.message);
        cr_expect_eq(next, HEIGHT);
        cr_expect_eq(report.strategy, IMG_PNG_IN_SEQUENCE, "the file is not hard enough");
        cr_expect_gt(report.pieces, 10);
        img_source_close(source);
    }
    free(png.data);
}

/* --- Strips that are too small ---------------------------------------------------------------- */

/* Returns a file with an index of strips. Each strip of `rows` rows is a chunk of its own, and its
 * first block refers to no earlier data. */
static Bytes strips_png(int32_t strips, int32_t rows)
{
    Bytes png = {0};
    Packer packer;
    uint8_t index[IMG_PNG_INDEX_BYTES], row[1 + WIDTH] = {0};
    put_gray_header(&png, WIDTH, strips * rows);
    img_png_index_make((uint32_t)strips, index);
    put_chunk(&png, IMG_PNG_INDEX_TYPE, index, sizeof index);
    packer_start(&packer, Z_DEFAULT_STRATEGY);
    for (int32_t strip = 0; strip < strips; strip++) {
        for (int32_t y = 1; y < rows; y++)
            pack(&packer, row, sizeof row, Z_NO_FLUSH);
        pack(&packer, row, sizeof row, strip + 1 < strips ? Z_FULL_FLUSH : Z_FINISH);
        put_chunk(&png, "IDAT", packer.packed.data, packer.packed.size);
        packer.packed.size = 0;
    }
    put_end(&png);
    deflateEnd(&packer.z);
    free(packer.packed.data);
    return png;
}

static ImgPngStrategy path_of_strips(int32_t strips, int32_t rows)
{
    Bytes png = strips_png(strips, rows);
    return path_of_zeros(&png);
}

/* Starting the decoder at each of 1000 small strips would take longer than decompressing them, so
 * the pipeline is used. */
Test(png_paths, strips_of_few_rows_are_not_entered)
{
    cr_expect_eq(path_of_strips(100, 20), IMG_PNG_BY_STRIPS);
    cr_expect_eq(path_of_strips(1000, 2), IMG_PNG_PIPELINED);
}

/* --- Rows that are too long ------------------------------------------------------------------- */

static ImgPngStrategy path_of_row(int32_t width)
{
    Bytes png = {0};
    uint8_t *row = calloc(1, 1 + (size_t)width);
    put_gray_header(&png, width, 1);
    put_idat(&png, row, 1 + (size_t)width);
    put_end(&png);
    free(row);
    return path_of_zeros(&png);
}

/* The pipeline would copy a very long row for each portion of it, so such rows are decoded in
 * sequence. */
Test(png_paths, long_rows_are_decoded_in_sequence)
{
    cr_expect_eq(path_of_row(1 << 20), IMG_PNG_PIPELINED);
    cr_expect_eq(path_of_row(4 << 20), IMG_PNG_IN_SEQUENCE);
}
