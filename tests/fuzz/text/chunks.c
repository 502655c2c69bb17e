/* Makes metadata from a fuzzer's input: see text.h. */
#include "tests/fuzz/text/text.h"

#include <zlib.h>

enum { HEAD_BYTES = 4, CHUNKS_MOST = 12, WIDTH = 3, HEIGHT = 2, CHANNELS = 3 };

static const char types[][5] = {
    "eXIf", "tEXt", "zTXt", "iTXt", "iCCP", "pHYs", "sCAL", "oFFs", "hIST", "tIME", "gAMA",
    "cHRM", "sRGB", "sBIT", "bKGD", "tRNS", "sTER", "caNv", "vpAg", "dSIG", "sPLT", "pCAL",
    "cICP", "mDCV", "cLLI", "prVt", "prVT", "maRK", "acTL", "iDOT", "blKS", "puBl",
};

static const char *const keywords[] = {
    "Comment",
    "XML:com.adobe.xmp",
    "Raw profile type exif",
    "Raw profile type APP1",
    "Raw profile type xmp",
    "exif:Orientation",
    "tiff:Orientation",
    "EXIF:ORIENTATION",
};

static void put_deflated(FuzzBytes *data, const uint8_t *bytes, size_t size)
{
    uLongf packed = compressBound(size);
    uint8_t *buffer = malloc(packed);
    if (buffer == NULL || compress2(buffer, &packed, bytes, size, 1) != Z_OK)
        abort();
    fuzz_put(data, buffer, packed);
    free(buffer);
}

/* Appends the fields of a text or profile chunk to `data`: keyword, compression, text. */
static void put_made(FuzzBytes *data, const char *type, int how, const uint8_t *bytes, size_t size)
{
    const char *keyword = keywords[(size_t)how >> 2 & 7];
    const bool is_itxt = strcmp(type, "iTXt") == 0, is_plain = strcmp(type, "tEXt") == 0;
    const bool packed = is_itxt ? (how & FUZZ_CHUNK_PACKED) != 0 : !is_plain;
    /* The fields of an iTXt chunk after the keyword: compression flag, method, empty language and
     * empty translated keyword. */
    const uint8_t head[] = {packed, 0, 0, 0};
    fuzz_put(data, keyword, strlen(keyword) + 1);
    if (is_itxt)
        fuzz_put(data, head, sizeof head);
    else if (packed)
        fuzz_put(data, "", 1); /* compression method 0, the only one that PNG defines */
    if (packed)
        put_deflated(data, bytes, size);
    else
        fuzz_put(data, bytes, size);
}

static void add(ImgMetadata *metadata, const char *type, int how, const uint8_t *bytes, size_t size)
{
    static const char has_text[] = "tEXt zTXt iTXt iCCP";
    FuzzBytes data = {0};
    if ((how & FUZZ_CHUNK_MADE) != 0 && strstr(has_text, type) != NULL)
        put_made(&data, type, how, bytes, size);
    else
        fuzz_put(&data, bytes, size);
    if (img_metadata_add(metadata, type, IMG_BEFORE_PLTE, data.data, (uint32_t)data.size, NULL) !=
        IMG_OK)
        abort();
    free(data.data);
}

bool fuzz_chunks_read(const uint8_t *data, size_t size, ImgMetadata *metadata)
{
    *metadata = IMG_METADATA_NONE;
    while (size >= HEAD_BYTES && metadata->count < CHUNKS_MOST) {
        size_t bytes = (size_t)data[2] | (size_t)data[3] << 8;
        const char *type = types[data[0] % (sizeof types / sizeof *types)];
        int how = data[1];
        data += HEAD_BYTES;
        size -= HEAD_BYTES;
        bytes = bytes < size ? bytes : size;
        add(metadata, type, how, data, bytes);
        data += bytes;
        size -= bytes;
    }
    return metadata->count > 0;
}

/* --- A file ----------------------------------------------------------------------------------- */

static void put_chunk(FuzzBytes *png, const char *type, const uint8_t *data, size_t size)
{
    fuzz_put32(png, (uint32_t)size);
    size_t start = png->size;
    fuzz_put(png, type, 4);
    fuzz_put(png, data, size);
    fuzz_put32(png, (uint32_t)crc32(0, png->data + start, (uInt)(size + 4)));
}

FuzzBytes fuzz_chunks_file(const ImgMetadata *metadata)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t ihdr[] = {0, 0, 0, WIDTH, 0, 0, 0, HEIGHT, 8, 2, 0, 0, 0};
    static const uint8_t rows[HEIGHT * (1 + WIDTH * CHANNELS)] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    FuzzBytes png = {0}, idat = {0};
    fuzz_put(&png, signature, sizeof signature);
    put_chunk(&png, "IHDR", ihdr, sizeof ihdr);
    for (size_t i = 0; i < metadata->count; i++)
        put_chunk(&png, metadata->chunks[i].type, metadata->chunks[i].data,
                  metadata->chunks[i].size);
    put_deflated(&idat, rows, sizeof rows);
    put_chunk(&png, "IDAT", idat.data, idat.size);
    put_chunk(&png, "IEND", NULL, 0);
    free(idat.data);
    return png;
}
