/* Makes PNG files in memory, with zlib, bit by bit, or with the encoder of imgtool. */
#include "tests/checkcodec/png_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "io/bytes.h"
#include "io/encode.h"
#include "io/output/output.h"

/* --- Bits ------------------------------------------------------------------------------------- */

void put_bits(Bits *bits, uint32_t value, int count)
{
    bits->word |= (uint64_t)value << bits->count;
    for (bits->count += count; bits->count >= 8; bits->count -= 8) {
        put(&bits->bytes, &(uint8_t){(uint8_t)bits->word}, 1);
        bits->word >>= 8;
    }
}

void align(Bits *bits)
{
    if (bits->count > 0)
        put_bits(bits, 0, 8 - bits->count);
}

/* Writes a code of `length` bits. Huffman codes are written from their highest bit. */
void put_code(Bits *bits, uint32_t code, int length)
{
    while (length-- > 0)
        put_bits(bits, code >> length & 1, 1);
}

/* --- Blocks ----------------------------------------------------------------------------------- */

/* Writes the Huffman code of a symbol (RFC 1951, section 3.2.2). The code of the alphabet may be
 * incomplete. */
void put_symbol(Bits *bits, const Alphabet *alphabet, int symbol)
{
    uint32_t code = 0;
    int length = alphabet->lengths[symbol];
    for (int bits_of = 1; bits_of <= length; bits_of++) {
        code <<= 1;
        for (int i = 0; i < alphabet->count; i++)
            code += alphabet->lengths[i] == bits_of && (bits_of < length || i < symbol);
    }
    put_code(bits, code, length);
}

/* Writes the header of a block with dynamic codes. Every code length takes four bits. */
void put_header(Bits *bits, int last, const Alphabet *literals, const Alphabet *distances)
{
    put_bits(bits, (uint32_t)last, 1);
    put_bits(bits, 2, 2);
    put_bits(bits, (uint32_t)literals->count - 257, 5);
    put_bits(bits, (uint32_t)distances->count - 1, 5);
    put_bits(bits, 15, 4);
    for (int i = 0; i < 19; i++)
        put_bits(bits, i < 3 ? 0 : 4, 3);
    for (int i = 0; i < literals->count; i++)
        put_code(bits, literals->lengths[i], 4);
    for (int i = 0; i < distances->count; i++)
        put_code(bits, distances->lengths[i], 4);
}

/* Returns code lengths for a block of literals: 8 bits for the bytes 0 to 254, and 9 bits for 255
 * and the end of the block. */
Alphabet byte_alphabet(void)
{
    Alphabet alphabet = {.count = 257};
    memset(alphabet.lengths, 8, 255);
    alphabet.lengths[255] = alphabet.lengths[256] = 9;
    return alphabet;
}

void put_bytes(Bits *bits, const Alphabet *literals, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        put_symbol(bits, literals, bytes[i]);
}

void put_stored(Bits *bits, int last, const uint8_t *bytes, uint32_t size, uint32_t flaw)
{
    put_bits(bits, (uint32_t)last, 3);
    align(bits);
    put_bits(bits, size, 16);
    put_bits(bits, (size ^ 0xffff) ^ flaw, 16);
    put(&bits->bytes, bytes, size);
}

void put(Bytes *bytes, const void *data, size_t size)
{
    if (bytes->data == NULL || bytes->capacity - bytes->size < size) {
        bytes->capacity = 2 * (bytes->size + size) + 64;
        bytes->data = realloc(bytes->data, bytes->capacity);
        if (bytes->data == NULL)
            abort();
    }
    if (size > 0)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static void put_be32(Bytes *bytes, uint32_t value)
{
    uint8_t be[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                     (uint8_t)value};
    put(bytes, be, 4);
}

void put_chunk(Bytes *png, const char *type, const void *data, size_t size)
{
    put_be32(png, (uint32_t)size);
    size_t start = png->size;
    put(png, type, 4);
    put(png, data, size);
    put_be32(png, (uint32_t)crc32(0, png->data + start, (uInt)(size + 4)));
}

/* --- Rows ------------------------------------------------------------------------------------- */

static uint64_t random_state = 1;

void random_seed(uint64_t seed)
{
    random_state = seed;
}

uint32_t random_below(uint32_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % limit;
}

size_t filtered_row_bytes(ImgShape shape)
{
    int bits = img_format_channels(shape.format) * shape.format.bits;
    return 1 + ((size_t)shape.width * (size_t)bits + 7) / 8;
}

static uint8_t make_byte(const Bytes *rows, Pattern pattern)
{
    static const uint8_t few[] = {0, 255, 1, 7};
    size_t at = rows->size;
    switch (pattern) {
    case NOISE:
        return (uint8_t)random_below(256);
    case FEW_VALUES:
        return few[random_below(random_below(4) + 1)];
    case SMOOTH:
        return (uint8_t)(random_below(5) + random_below(5) + random_below(5) - 6);
    case REPEATS:
        if (at > 20 && random_below(8) > 0)
            return rows->data[at - 17];
        return (uint8_t)random_below(100);
    default:
        return 0;
    }
}

Bytes make_rows(ImgShape shape, Pattern pattern)
{
    Bytes rows = {0};
    for (int y = 0; y < shape.height; y++) {
        put(&rows, &(uint8_t){(uint8_t)random_below(5)}, 1);
        for (size_t i = 1; i < filtered_row_bytes(shape); i++)
            put(&rows, &(uint8_t){make_byte(&rows, pattern)}, 1);
    }
    return rows;
}

/* --- Streams ---------------------------------------------------------------------------------- */

static void deflate_some(z_stream *zlib, int flush, Bytes *to)
{
    uint8_t buffer[1024];
    do {
        zlib->next_out = buffer;
        zlib->avail_out = sizeof buffer;
        if (deflate(zlib, flush) == Z_STREAM_ERROR)
            abort();
        put(to, buffer, sizeof buffer - zlib->avail_out);
    } while (zlib->avail_out == 0);
}

Bytes make_stream(const Bytes *rows, size_t row_bytes, const Packing *packing)
{
    Bytes stream = {0};
    z_stream zlib = {0};
    if (deflateInit2(&zlib, packing->level, Z_DEFLATED, packing->window_bits, packing->memory_level,
                     packing->strategy) != Z_OK)
        abort();
    size_t step = packing->flush_rows > 0 ? row_bytes * (size_t)packing->flush_rows : rows->size;
    for (size_t at = 0; at < rows->size; at += step) {
        size_t size = rows->size - at < step ? rows->size - at : step;
        zlib.next_in = rows->data + at;
        zlib.avail_in = (uInt)size;
        deflate_some(&zlib, at + size == rows->size ? Z_FINISH : packing->flush, &stream);
    }
    deflateEnd(&zlib);
    return stream;
}

/* --- Files ------------------------------------------------------------------------------------ */

static void put_parts(Bytes *png, const Bytes *stream, const Packing *packing)
{
    size_t at = 0;
    do {
        size_t size = stream->size - at, most = (size_t)packing->part_bytes;
        if (most > 0)
            size = size < most ? size : 1 + random_below((uint32_t)most);
        put_chunk(png, "IDAT", stream->data + at, size);
        at += size;
        if (packing->empty_parts > 0 && random_below((uint32_t)packing->empty_parts) == 0)
            put_chunk(png, "IDAT", NULL, 0);
    } while (at < stream->size);
}

Bytes make_png(ImgShape shape, const Bytes *stream, const Packing *packing)
{
    static const uint8_t color_types[] = {0, 4, 2, 6, 3};
    uint8_t palette[256 * 3] = {0};
    Bytes png = {0}, head = {0};
    put(&png, "\x89PNG\r\n\x1a\n", 8);
    put_be32(&head, (uint32_t)shape.width);
    put_be32(&head, (uint32_t)shape.height);
    put(&head, &(uint8_t){(uint8_t)shape.format.bits}, 1);
    put(&head, &color_types[shape.format.color], 1);
    put(&head, "\0\0\0", 3);
    put_chunk(&png, "IHDR", head.data, head.size);
    free(head.data);
    if (shape.format.color == IMG_COLOR_PALETTE)
        put_chunk(&png, "PLTE", palette, (size_t)3 << shape.format.bits);
    put_parts(&png, stream, packing);
    put_chunk(&png, "IEND", NULL, 0);
    return png;
}

static Bytes read_all(int fd)
{
    Bytes bytes = {0};
    uint8_t buffer[4096];
    lseek(fd, 0, SEEK_SET);
    for (ssize_t n; (n = read(fd, buffer, sizeof buffer)) > 0;)
        put(&bytes, buffer, (size_t)n);
    return bytes;
}

Bytes make_own(ImgShape shape, Pattern pattern, int level, int index)
{
    ImgError err = {IMG_OK, ""};
    ImgImage image = IMG_IMAGE_NONE;
    ImgMetadata metadata = IMG_METADATA_NONE;
    ImgOutput *output = NULL;
    ImgEncodeOptions options = {
        .level = level, .threads = 1, .index = index != 0, .quality = IMG_DEFAULT_QUALITY};
    Bytes rows = make_rows(shape, pattern), bytes = {0};
    int fd = memfd_create("own", MFD_CLOEXEC);
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (rows.size == 0 || img_image_alloc(shape, &image, &err) != IMG_OK)
        abort();
    for (size_t i = 0; i < image.size; i++)
        image.view.data[i] = rows.data[i % rows.size];
    if (img_output_open(path, NULL, &output, &err) != IMG_OK ||
        img_encode(IMG_FILE_PNG, &image, &metadata, &options, output, NULL, &err) != IMG_OK ||
        img_output_commit(&output, &err) != IMG_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    bytes = read_all(fd);
    close(fd);
    free(rows.data);
    img_image_free(&image);
    return bytes;
}
