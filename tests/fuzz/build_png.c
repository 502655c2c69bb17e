/* Builds PNG files from inputs. The bytes of an input's head:
 *     0  FuzzBody
 *     1  colour type and bit depth, an index of png_kinds
 *     2  width - 1, modulo 128
 *     3  height - 1, modulo 128
 *     4  bytes per IDAT: 0 for a single IDAT, else the low 6 bits times 1, 16, 64 or 256; the
 *        high 2 bits choose the factor
 *     5  flags, FUZZ_...
 *     6  window size of the zlib stream; with FUZZ_ODD_WRAPPER bytes 6 and 7 are the zlib header
 *     7  threads - 1 (2 bits) and piece size (6 bits) for decoding */
#include "tests/fuzz/build_png.h"

#include <zlib.h>

#include "samples/png_file.h"

enum { SIGNATURE_BYTES = 8, FRAME_BYTES = 12, IMAGE_MAX = 1 << 20 };

static const uint8_t SIGNATURE[SIGNATURE_BYTES] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

static void put_chunk(FuzzBytes *png, const char *type, const uint8_t *data, size_t size,
                      uint32_t wrong)
{
    fuzz_put32(png, (uint32_t)size);
    size_t start = png->size;
    fuzz_put(png, type, 4);
    fuzz_put(png, data, size);
    fuzz_put32(png, (uint32_t)crc32(0, png->data + start, (uInt)(size + 4)) ^ wrong);
}

static uint32_t side(uint8_t byte)
{
    return 1U + byte % 128;
}

static void put_start(FuzzBytes *png, const uint8_t *head)
{
    const PngKind *kind = &png_kinds[head[1] % PNG_KINDS];
    uint8_t ihdr[13] = {0};
    fuzz_store32(ihdr, side(head[2]));
    fuzz_store32(ihdr + 4, side(head[3]));
    ihdr[8] = (uint8_t)kind->depth;
    ihdr[9] = (uint8_t)kind->color;
    ihdr[12] = (head[5] & FUZZ_INTERLACED) != 0;
    fuzz_put(png, SIGNATURE, sizeof SIGNATURE);
    put_chunk(png, "IHDR", ihdr, sizeof ihdr, 0);
    if (kind->color == PNG_PALETTE) {
        uint8_t palette[3 << 8];
        for (size_t i = 0; i < sizeof palette; i++)
            palette[i] = (uint8_t)(i * 37);
        put_chunk(png, "PLTE", palette, (size_t)3 << kind->depth, 0);
    }
}

static void put_wrapper(FuzzBytes *stream, const uint8_t *head)
{
    uint8_t two[2] = {(uint8_t)(0x08 | (head[6] & 7) << 4), 0x80};
    two[1] = (uint8_t)(0x80 + (31 - (two[0] * 256 + 0x80) % 31) % 31);
    fuzz_put(stream, (head[5] & FUZZ_ODD_WRAPPER) != 0 ? head + 6 : two, 2);
}

/* Appends the deflate blocks to `stream`. Then appends the Adler-32 and further bytes, as the flags
 * in the head require. Blocks that zlib rejects are appended without an Adler-32. */
static void put_blocks(FuzzBytes *stream, const uint8_t *head, const uint8_t *blocks, size_t size)
{
    size_t used;
    uint32_t adler;
    int flags = head[5];
    if (!fuzz_measure_stream(blocks, size, &used, &adler)) {
        fuzz_put(stream, blocks, size);
        return;
    }
    fuzz_put(stream, blocks, used);
    if ((flags & FUZZ_NO_ADLER) != 0)
        return;
    if ((flags & FUZZ_WRONG_ADLER) != 0)
        adler ^= 1U << (size & 31);
    fuzz_put32(stream, adler);
    if ((flags & FUZZ_MORE_DATA) != 0)
        fuzz_put(stream, used < size ? blocks + used : head, used < size ? size - used : 1);
}

static void put_idats(FuzzBytes *png, const uint8_t *head, const FuzzBytes *stream)
{
    static const size_t units[] = {1, 16, 64, 256};
    size_t most = (head[4] & 63) * units[head[4] >> 6];
    if ((head[5] & FUZZ_EMPTY_FIRST) != 0)
        put_chunk(png, "IDAT", NULL, 0, 0);
    for (size_t from = 0; from < stream->size;) {
        size_t left = stream->size - from;
        size_t size = most > 0 && most < left ? most : left;
        bool wrong = size == left && (head[5] & FUZZ_WRONG_CRC) != 0;
        put_chunk(png, "IDAT", stream->data + from, size, wrong ? 1 : 0);
        from += size;
    }
    if ((head[5] & FUZZ_EMPTY_LAST) != 0)
        put_chunk(png, "IDAT", NULL, 0, 0);
}

static void build_around(const uint8_t *head, const uint8_t *blocks, size_t size, FuzzBytes *png)
{
    FuzzBytes stream = {0};
    put_wrapper(&stream, head);
    put_blocks(&stream, head, blocks, size);
    put_start(png, head);
    put_idats(png, head, &stream);
    put_chunk(png, "IEND", NULL, 0, 0);
    free(stream.data);
}

static void build_rows(const uint8_t *head, const uint8_t *material, size_t size, FuzzBytes *png)
{
    const PngKind *kind = &png_kinds[head[1] % PNG_KINDS];
    FuzzBytes blocks = {0};
    size_t bits = (size_t)png_channels(kind->color) * (size_t)kind->depth * (side(head[2]));
    fuzz_deflate_rows(material, size, 1 + (bits + 7) / 8, side(head[3]), &blocks);
    build_around(head, blocks.data, blocks.size, png);
    free(blocks.data);
}

/* Calls `visit` for each chunk of `png`. Stops at a chunk that is longer than the rest of the
 * file. */
static void each_chunk(FuzzBytes *png, void (*visit)(uint8_t *chunk, size_t size, void *context),
                       void *context)
{
    size_t offset = SIGNATURE_BYTES;
    while (offset <= png->size && png->size - offset >= FRAME_BYTES) {
        size_t size = fuzz_load32(png->data + offset);
        if (size > png->size - offset - FRAME_BYTES)
            return;
        visit(png->data + offset, size, context);
        offset += FRAME_BYTES + size;
    }
}

static void gather_idat(uint8_t *chunk, size_t size, void *context)
{
    if (memcmp(chunk + 4, "IDAT", 4) == 0)
        fuzz_put(context, chunk + 8, size);
}

typedef struct Patch {
    size_t at;        /* offset in the joined data of all IDATs */
    uint8_t bytes[4]; /* bytes to write at that offset */
    size_t passed;    /* number of bytes in the IDATs visited so far */
} Patch;

static void patch_idat(uint8_t *chunk, size_t size, void *context)
{
    Patch *patch = context;
    if (memcmp(chunk + 4, "IDAT", 4) != 0)
        return;
    for (size_t i = 0; i < 4; i++) {
        size_t at = patch->at + i;
        if (at >= patch->passed && at - patch->passed < size)
            chunk[8 + at - patch->passed] = patch->bytes[i];
    }
    patch->passed += size;
}

static void fix_crc(uint8_t *chunk, size_t size, void *context)
{
    (void)context;
    fuzz_store32(chunk + 8 + size, (uint32_t)crc32(0, chunk + 4, (uInt)(size + 4)));
}

static void fix_file(const uint8_t *head, FuzzBytes *png)
{
    FuzzBytes stream = {0};
    size_t used;
    Patch patch = {0};
    uint32_t adler;
    each_chunk(png, gather_idat, &stream);
    if ((head[5] & FUZZ_WRONG_ADLER) == 0 && stream.size > 2 &&
        fuzz_measure_stream(stream.data + 2, stream.size - 2, &used, &adler)) {
        patch.at = 2 + used;
        fuzz_store32(patch.bytes, adler);
        each_chunk(png, patch_idat, &patch);
    }
    free(stream.data);
    if ((head[5] & FUZZ_WRONG_CRC) == 0)
        each_chunk(png, fix_crc, NULL);
}

/* Returns false unless `png` starts with a header whose picture is small enough to be decoded
 * quickly. */
static bool is_small(const FuzzBytes *png)
{
    return png->size >= 33 && memcmp(png->data, SIGNATURE, sizeof SIGNATURE) == 0 &&
           (uint64_t)fuzz_load32(png->data + 16) * fuzz_load32(png->data + 20) <= IMAGE_MAX / 8;
}

bool fuzz_build_png(const uint8_t *input, size_t size, FuzzPng *png)
{
    if (size < FUZZ_HEAD_BYTES)
        return false;
    const uint8_t *body = input + FUZZ_HEAD_BYTES;
    FuzzBytes bytes = {0};
    switch ((FuzzBody)(input[0] % 4)) {
    case FUZZ_STREAM:
    case FUZZ_STREAM_TOO:
        build_around(input, body, size - FUZZ_HEAD_BYTES, &bytes);
        break;
    case FUZZ_ROWS:
        build_rows(input, body, size - FUZZ_HEAD_BYTES, &bytes);
        break;
    case FUZZ_FILE:
        fuzz_put(&bytes, body, size - FUZZ_HEAD_BYTES);
        if (!is_small(&bytes)) {
            free(bytes.data);
            return false;
        }
        fix_file(input, &bytes);
        break;
    }
    *png = (FuzzPng){bytes.data, bytes.size, 1 + (input[7] & 3), 16 + 12 * (size_t)(input[7] >> 2)};
    return true;
}
