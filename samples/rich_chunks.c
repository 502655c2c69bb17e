/* Creates chunks with fixed contents. Compressed chunks use stored deflate blocks, so that their
 * bytes do not depend on the version of zlib. */
#include "samples/pictures.h"

#include <string.h>
#include <zlib.h>

typedef struct Buffer {
    uint8_t bytes[1024];
    size_t size;
} Buffer;

static void put(Buffer *buffer, const void *data, size_t size)
{
    memcpy(buffer->bytes + buffer->size, data, size);
    buffer->size += size;
}

static void put_text(Buffer *buffer, const char *text)
{
    put(buffer, text, strlen(text));
}

static void put_u32(Buffer *buffer, uint32_t value)
{
    uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                        (uint8_t)value};
    put(buffer, bytes, sizeof bytes);
}

/* Writes a zlib stream that consists of one stored block (RFC 1950, RFC 1951 section 3.2.4). */
static void put_stored(Buffer *buffer, const void *data, size_t size)
{
    uint8_t head[7] = {0x78, 0x01, 0x01, (uint8_t)size, (uint8_t)(size >> 8)};
    head[5] = (uint8_t)~head[3];
    head[6] = (uint8_t)~head[4];
    put(buffer, head, sizeof head);
    put(buffer, data, size);
    put_u32(buffer, (uint32_t)adler32(adler32(0, NULL, 0), data, (uInt)size));
}

static void put_xyz(Buffer *buffer, uint32_t x, uint32_t y, uint32_t z)
{
    put(buffer, "XYZ \0\0\0\0", 8);
    put_u32(buffer, x);
    put_u32(buffer, y);
    put_u32(buffer, z);
}

/* Writes a matrix profile of ICC version 2, with the sRGB primaries and a gamma of 2.2. */
static void put_icc(Buffer *icc)
{
    static const struct {
        const char *tag;
        uint32_t offset, size;
    } tags[] = {{"desc", 240, 105}, {"cprt", 348, 20}, {"wtpt", 368, 20},
                {"rXYZ", 388, 20},  {"gXYZ", 408, 20}, {"bXYZ", 428, 20},
                {"rTRC", 448, 14},  {"gTRC", 448, 14}, {"bTRC", 448, 14}};
    put_u32(icc, 464);
    put(icc, "\0\0\0\0\x02\x10\0\0mntrRGB XYZ ", 20);
    put(icc, "\x07\xea\0\x01\0\x01\0\0\0\0\0\0acsp", 16);
    memset(icc->bytes + icc->size, 0, 28);
    icc->size += 28;
    put_u32(icc, 0xF6D6); /* The next three numbers are X, Y and Z of the D50 illuminant. */
    put_u32(icc, 0x10000);
    put_u32(icc, 0xD32D);
    memset(icc->bytes + icc->size, 0, 48);
    icc->size = 128;
    put_u32(icc, sizeof tags / sizeof tags[0]);
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        put_text(icc, tags[i].tag);
        put_u32(icc, tags[i].offset);
        put_u32(icc, tags[i].size);
    }
    memset(icc->bytes + icc->size, 0, 464 - icc->size);
    icc->size = 240;
    put(icc, "desc\0\0\0\0\0\0\0\x0fimgtool sample", 27);
    icc->size = 348;
    put(icc, "text\0\0\0\0public dom.", 20);
    put_xyz(icc, 0xF6D6, 0x10000, 0xD32D);
    put_xyz(icc, 0x6FA2, 0x38F5, 0x0390);
    put_xyz(icc, 0x6299, 0xB785, 0x18DA);
    put_xyz(icc, 0x24A0, 0x0F84, 0xB6CF);
    put(icc, "curv\0\0\0\0\0\0\0\x01\x02\x33\0\0", 16);
}

void exif_make(uint8_t exif[EXIF_SIZE], int orientation, bool big_endian)
{
    static const uint8_t big[EXIF_SIZE] = {'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0,
                                           3,   0,   0, 0,  1, 0, 0, 0, 0, 0, 0, 0,    0};
    static const uint8_t little[EXIF_SIZE] = {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3,
                                              0,   1,   0,  0, 0, 0, 0, 0, 0, 0, 0,    0, 0};
    memcpy(exif, big_endian ? big : little, EXIF_SIZE);
    exif[big_endian ? 19 : 18] = (uint8_t)orientation;
}

size_t rich_chunks(PngExtra extras[RICH_CHUNKS_MAX])
{
    static Buffer icc, iccp, ztxt, itxt, chrm;
    static uint8_t exif[EXIF_SIZE];
    icc.size = iccp.size = ztxt.size = itxt.size = chrm.size = 0;
    put_icc(&icc);
    put(&iccp, "sample profile\0\0", 16);
    put_stored(&iccp, icc.bytes, icc.size);
    put(&ztxt, "Comment\0\0", 9);
    put_stored(&ztxt, "A comment in a compressed text chunk.", 37);
    put(&itxt, "Title\0\0\0de\0Titel\0", 17);
    put_text(&itxt, "Gr\xc3\xbc\xc3\x9f"
                    "e vom See");
    static const uint32_t chromaticities[8] = {31270, 32900, 64000, 33000,
                                               30000, 60000, 15000, 6000};
    for (int i = 0; i < 8; i++) {
        put_u32(&chrm, chromaticities[i]);
    }
    exif_make(exif, 6, true);

    const PngExtra all[] = {
        {"cICP", PLACE_BEFORE_PLTE, "\x01\x0d\0\x01", 4},
        {"iCCP", PLACE_BEFORE_PLTE, iccp.bytes, iccp.size},
        {"gAMA", PLACE_BEFORE_PLTE, "\0\0\xb1\x8f", 4},
        {"cHRM", PLACE_BEFORE_PLTE, chrm.bytes, chrm.size},
        {"sBIT", PLACE_BEFORE_PLTE, "\x05\x06\x05", 3},
        {"bKGD", PLACE_BEFORE_IDAT, "\0\x12\0\x34\0\x56", 6},
        {"pHYs", PLACE_BEFORE_IDAT, "\0\0\x0b\x13\0\0\x16\x25\x01", 9},
        {"oFFs", PLACE_BEFORE_IDAT, "\0\0\0\x0a\xff\xff\xff\xec\0", 9},
        {"sCAL", PLACE_BEFORE_IDAT,
         "\x01"
         "0.5\0"
         "0.25",
         9},
        {"eXIf", PLACE_BEFORE_IDAT, exif, sizeof exif},
        {"tEXt", PLACE_BEFORE_IDAT, "Author\0imgtool", 14},
        {"keEp", PLACE_BEFORE_IDAT, "unknown, safe to copy", 21},
        {"drOP", PLACE_BEFORE_IDAT, "unknown, not safe to copy", 25},
        {"tIME", PLACE_AFTER_IDAT, "\x07\xea\x01\x02\x03\x04\x05", 7},
        {"zTXt", PLACE_AFTER_IDAT, ztxt.bytes, ztxt.size},
        {"iTXt", PLACE_AFTER_IDAT, itxt.bytes, itxt.size},
        {"keEp", PLACE_AFTER_IDAT, "behind the picture", 18},
    };
    memcpy(extras, all, sizeof all);
    return sizeof all / sizeof all[0];
}
