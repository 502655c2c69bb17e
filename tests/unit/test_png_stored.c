/* Tests of streams with stored blocks. The decoder starts in the middle of a stream at stored
 * blocks of any size, and between blocks of any kind. It does not search a whole stream that has no
 * stored blocks. */
#include "test_io_png.h"

enum { WIDTH = 1000 };

static uint8_t noise(int32_t x, int32_t y)
{
    uint32_t hash = (uint32_t)(y * WIDTH + x) * 2654435761U;
    hash = (hash ^ hash >> 15) * 2246822519U;
    return (uint8_t)(hash >> 24);
}

static uint8_t coarse_noise(int32_t x, int32_t y)
{
    return noise(x, y) >> 4;
}

/* Returns samples that look like stored blocks of 0 and 5 bytes, but are data. */
static uint8_t like_blocks(int32_t x, int32_t y)
{
    static const uint8_t look[] = {0, 0, 0, 0xFF, 0xFF, 0, 5, 0, 0xFA, 0xFF, 1, 2, 3, 4, 5};
    return look[(size_t)(y * WIDTH + x) % sizeof look];
}

typedef uint8_t (*Sample)(int32_t x, int32_t y);

static Bytes rows_of(Sample sample, int32_t height)
{
    Bytes raw = {0};
    for (int32_t y = 0; y < height; y++) {
        uint8_t row[1 + WIDTH] = {0};
        for (int32_t x = 0; x < WIDTH; x++)
            row[1 + x] = sample(x, y);
        put(&raw, row, sizeof row);
    }
    return raw;
}

static void put_stored(Bytes *stream, const uint8_t *data, size_t size, bool last)
{
    const uint8_t head[] = {last, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)~size,
                            (uint8_t)(~size >> 8)};
    put(stream, head, sizeof head);
    put(stream, data, size);
}

/* Returns a zlib stream of the rows in stored blocks. The blocks have the `count` sizes in `sizes`,
 * in turn. */
static Bytes stored(const Bytes *raw, const uint16_t *sizes, size_t count)
{
    Bytes stream = {0};
    size_t at = 0;
    put(&stream, "\x78\x01", 2);
    for (size_t i = 0; at < raw->size; i++) {
        const size_t left = raw->size - at, most = sizes[i % count];
        const size_t size = left < most ? left : most;
        put_stored(&stream, raw->data + at, size, false);
        at += size;
    }
    put_stored(&stream, NULL, 0, true);
    put_be32(&stream, (uint32_t)adler32_z(1, raw->data, raw->size));
    return stream;
}

/* Returns a zlib stream of the rows. After every `each` rows zlib switches between two levels. */
static Bytes mixed(const Bytes *raw, size_t each, int first_level, int second_level, int strategy)
{
    z_stream z = {0};
    cr_assert_eq(deflateInit2(&z, first_level, Z_DEFLATED, 15, 8, strategy), Z_OK);
    const size_t bound = 2 * raw->size + 10000;
    Bytes stream = {malloc(bound), 0, bound};
    z.next_out = stream.data;
    z.avail_out = (uInt)bound;
    z.next_in = raw->data;
    for (size_t at = 0, i = 0; at < raw->size; i++) {
        const size_t left = raw->size - at,
                     part = left < each * (1 + WIDTH) ? left : each * (1 + WIDTH);
        z.avail_in = (uInt)part;
        cr_assert_eq(deflate(&z, Z_NO_FLUSH), Z_OK);
        cr_assert_eq(deflateParams(&z, i % 2 == 0 ? second_level : first_level, strategy), Z_OK);
        at += part;
    }
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    stream.size = z.total_out;
    deflateEnd(&z);
    return stream;
}

/* Returns a PNG whose stream is divided into IDAT chunks of `part` bytes. */
static Bytes png_of(const Bytes *stream, int32_t height, size_t part)
{
    Bytes png = {0};
    put_test_header(&png, (ImgShape){WIDTH, height, {IMG_COLOR_GRAY, 8}}, false);
    for (size_t at = 0; at < stream->size; at += part)
        put_chunk(&png, "IDAT", stream->data + at,
                  stream->size - at < part ? stream->size - at : part);
    put_end(&png);
    return png;
}

static ImgPngDecodeReport expect_samples(const Bytes *png, const ImgPngDecodeOptions *options,
                                         Sample sample)
{
    MemoryFile file = memory_file(png);
    ImgSource *source = NULL;
    ImgPngDecodeReport report;
    ImgImage image;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_source_open(file.path, &WIDE_LIMITS, &source, &err), IMG_OK);
    cr_assert_eq(img_source_load(source, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_source_decode(source, options, &image, &report, &err), IMG_OK, "%s",
                 err.message);
    for (int32_t y = 0; y < image.view.height; y++)
        for (int32_t x = 0; x < WIDTH; x++)
            cr_assert_eq(image.view.data[(size_t)y * image.view.stride + (size_t)x], sample(x, y),
                         "%d, %d", x, y);
    img_image_free(&image);
    img_source_close(source);
    close(file.fd);
    return report;
}

static const ImgPngStrategy SPECULATIVE = IMG_PNG_SPECULATIVE;

/* Expects that speculative decoding starts in at least `least` places of the stream. All sizes of
 * chunks and numbers of threads must give the right pixels. */
static void expect_pieces(const Bytes *stream, int32_t height, Sample sample, size_t least)
{
    static const size_t parts[] = {SIZE_MAX / 2, 8192, 1000};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int threads = 1; threads <= 3; threads += 2) {
            Bytes png = png_of(stream, height, parts[i]);
            const ImgPngDecodeOptions options = {
                .threads = threads, .only = &SPECULATIVE, .piece_bytes = 20000};
            const ImgPngDecodeReport report = expect_samples(&png, &options, sample);
            cr_expect_geq(report.pieces, least, "%zu in parts of %zu", report.pieces, parts[i]);
            free(png.data);
        }
}

Test(png_stored, blocks_of_any_size_are_entered)
{
    enum { HEIGHT = 300 };
    static const uint16_t sizes[][3] = {{65535, 65535, 65535}, {0, 1, 65535}, {1, 0, 2},
                                        {5000, 5000, 5000},    {0, 0, 1000},  {16383, 7, 16384}};
    static const size_t least[] = {4, 4, 14, 14, 14, 12};
    Bytes raw = rows_of(noise, HEIGHT);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Bytes stream = stored(&raw, sizes[i], 3);
        expect_pieces(&stream, HEIGHT, noise, least[i]);
        free(stream.data);
    }
    free(raw.data);
}

/* Data that looks like the start of a block may cost time, but must do no harm. */
Test(png_stored, data_that_looks_like_blocks_is_harmless)
{
    enum { HEIGHT = 300 };
    static const uint16_t sizes[] = {65535, 999, 40000};
    Bytes raw = rows_of(like_blocks, HEIGHT), stream = stored(&raw, sizes, 3);
    expect_pieces(&stream, HEIGHT, like_blocks, 1);
    free(stream.data);
    free(raw.data);
}

Test(png_stored, stored_blocks_among_others_are_entered)
{
    enum { HEIGHT = 300 };
    Bytes raw = rows_of(noise, HEIGHT);
    for (size_t each = 1; each <= 100; each *= 10) {
        Bytes stream = mixed(&raw, each, 0, 6, Z_HUFFMAN_ONLY);
        expect_pieces(&stream, HEIGHT, noise, 5);
        free(stream.data);
    }
    free(raw.data);
}

/* Streams of stored blocks are decoded speculatively. In a stream of fixed codes, the search for
 * blocks stops after a part of the stream, and the stream is decoded with the pipeline strategy. */
Test(png_stored, the_strategy_depends_on_the_blocks)
{
    enum { HEIGHT = 3000 };
    static const uint16_t whole = 65535;
    const ImgPngDecodeOptions options = {.threads = 2};
    Bytes raw = rows_of(noise, HEIGHT), stream = stored(&raw, &whole, 1);
    Bytes png = png_of(&stream, HEIGHT, 8192);
    ImgPngDecodeReport report = expect_samples(&png, &options, noise);
    cr_expect_eq(report.strategy, IMG_PNG_SPECULATIVE, "%s",
                 img_png_strategy_name(report.strategy));
    cr_expect_geq(report.pieces, 4);
    free(png.data);
    free(stream.data);
    free(raw.data);
    raw = rows_of(coarse_noise, HEIGHT);
    stream = mixed(&raw, HEIGHT, 6, 6, Z_FIXED);
    png = png_of(&stream, HEIGHT, 8192);
    report = expect_samples(&png, &options, coarse_noise);
    cr_expect_eq(report.strategy, IMG_PNG_PIPELINED, "%s", img_png_strategy_name(report.strategy));
    free(png.data);
    free(stream.data);
    free(raw.data);
}
