/* png_make KIND [ARGUMENTS] OUT: makes PNGs that usual programs do not write, for the command-line
 * tests. The table `kinds` at the end lists them. Files are assembled from raw chunks. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tests/tools/png_read.h"

typedef struct Header {
    uint32_t width, height;
    int depth, color;
} Header;

static FILE *out;
static const char *damaged_chunk = ""; /* type of the chunk that gets a wrong CRC; empty for none */

static void put(const void *data, size_t size)
{
    if (size > 0 && fwrite(data, 1, size, out) != size) {
        perror("png_make");
        exit(EXIT_FAILURE);
    }
}

static void put_u32(uint32_t v)
{
    uint8_t bytes[4] = {(uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v};
    put(bytes, 4);
}

static void put_chunk(const char *type, const void *data, size_t size)
{
    uLong crc = crc32(crc32(0, NULL, 0), (const Bytef *)type, 4);
    if (size > 0) {
        crc = crc32(crc, data, (uInt)size);
    }
    put_u32((uint32_t)size);
    put(type, 4);
    put(data, size);
    put_u32((uint32_t)crc ^ (strcmp(type, damaged_chunk) == 0 ? 1U : 0U));
}

static void put_start(Header header)
{
    put("\x89PNG\r\n\x1a\n", 8);
    uint8_t ihdr[13] = {0};
    for (int i = 0; i < 4; i++) {
        ihdr[i] = (uint8_t)(header.width >> (24 - 8 * i));
        ihdr[4 + i] = (uint8_t)(header.height >> (24 - 8 * i));
    }
    ihdr[8] = (uint8_t)header.depth;
    ihdr[9] = (uint8_t)header.color;
    put_chunk("IHDR", ihdr, sizeof ihdr);
}

/* Returns the next byte of a reproducible random sequence (xorshift32), which does not compress. */
static uint8_t random_byte(void)
{
    static uint32_t state = 2463534242U;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (uint8_t)(state >> 24);
}

static void *allocate(size_t size)
{
    void *data = malloc(size);
    if (data == NULL) {
        perror("png_make");
        exit(EXIT_FAILURE);
    }
    return data;
}

/* Deflates `rows` rows of `row` bytes, including the filter byte. The bytes are noise or zeros. The
 * caller frees the result. */
static uint8_t *deflate_rows(size_t row, size_t rows, bool noise, size_t *size)
{
    uLong bound = compressBound((uLong)(row * rows));
    uint8_t *packed = allocate(bound);
    uint8_t *data = allocate(row);
    z_stream z = {0};
    deflateInit(&z, 1);
    z.next_out = packed;
    z.avail_out = (uInt)bound;
    for (size_t y = 0; y < rows; y++) {
        for (size_t x = 0; x < row; x++) {
            data[x] = x > 0 && noise ? random_byte() : 0;
        }
        z.next_in = data;
        z.avail_in = (uInt)row;
        deflate(&z, y + 1 == rows ? Z_FINISH : Z_NO_FLUSH);
    }
    *size = z.total_out;
    deflateEnd(&z);
    free(data);
    return packed;
}

/* header of RGB pictures that are so large that imgtool processes rows while it decodes others */
static const Header large = {1600, 900, 8, 2};
static Header small = {40, 30, 8, 2};

/* Writes the image data of the small picture: `rows` rows, without the last `cut` bytes of the
 * stream. */
static void put_small(size_t rows, size_t cut, bool wrong_adler)
{
    size_t size = 0;
    uint8_t *data = deflate_rows(1 + 3 * (size_t)small.width, rows, true, &size);
    data[size - 1] ^= wrong_adler ? 1 : 0;
    put_chunk("IDAT", data, size - cut);
    free(data);
}

static uint32_t number(const char *text)
{
    return (uint32_t)strtoul(text, NULL, 10);
}

/* --- The kinds of files ----------------------------------------------------------------------- */

static void make_noise(char **args)
{
    Header header = {number(args[0]), number(args[1]), 8, 2};
    put_start(header);
    size_t size = 0;
    uint8_t *data = deflate_rows(1 + 3 * (size_t)header.width, header.height, true, &size);
    put_chunk("IDAT", data, size);
    free(data);
    put_chunk("IEND", NULL, 0);
}

static void make_black(char **args)
{
    Header header = {number(args[0]), number(args[1]), 1, 0};
    put_start(header);
    size_t size = 0;
    uint8_t *data = deflate_rows(1 + ((size_t)header.width + 7) / 8, header.height, false, &size);
    put_chunk("IDAT", data, size);
    free(data);
    put_chunk("IEND", NULL, 0);
}

/* Writes IDAT and IEND of a picture with 8 bits per pixel that are all 0. */
static void put_zeros(Header header)
{
    size_t size = 0;
    uint8_t *data = deflate_rows(1 + (size_t)header.width, header.height, false, &size);
    put_chunk("IDAT", data, size);
    free(data);
    put_chunk("IEND", NULL, 0);
}

static void make_gray(char **args)
{
    Header header = {number(args[0]), number(args[1]), 8, 0};
    put_start(header);
    put_zeros(header);
}

/* Makes a picture with a palette. Every pixel has entry 0, which is half transparent. */
static void make_palette(char **args)
{
    Header header = {number(args[0]), number(args[1]), 8, 3};
    put_start(header);
    put_chunk("PLTE", "\x20\x40\x80\xff\xff\xff", 6);
    put_chunk("tRNS", "\x80", 1);
    put_zeros(header);
}

static void make_wrong_crc(char **args)
{
    damaged_chunk = args[0];
    put_start(small);
    put_chunk("gAMA", "\0\0\xb1\x8f", 4);
    put_small(small.height, 0, false);
    put_chunk("IEND", NULL, 0);
}

static void make_wrong_adler(char **args)
{
    (void)args;
    put_start(small);
    put_small(small.height, 0, true);
    put_chunk("IEND", NULL, 0);
}

static void make_rows(char **args)
{
    put_start(small);
    put_small(number(args[0]), 0, false);
    put_chunk("IEND", NULL, 0);
}

static void make_cut(char **args)
{
    put_start(small);
    put_small(small.height, number(args[0]), false);
    put_chunk("IEND", NULL, 0);
}

static void make_no_idat(char **args)
{
    (void)args;
    put_start(small);
    put_chunk("IEND", NULL, 0);
}

static void make_header(char **args)
{
    Header header = {number(args[0]), number(args[1]), (int)number(args[2]), (int)number(args[3])};
    put_start(header);
    put_small(1, 0, false);
    put_chunk("IEND", NULL, 0);
}

/* Makes a text chunk of a few kilobytes that decompresses to 64 MiB of spaces. */
static void make_text_bomb(char **args)
{
    size_t size = 0;
    uint8_t *data = deflate_rows(1 << 20, 64, false, &size);
    /* length of the keyword, its zero byte and the byte for the method */
    size_t name = strlen(args[0]) + 2;
    uint8_t *chunk = allocate(name + size);
    memset(chunk, 0, name);
    memcpy(chunk, args[0], name - 2);
    memcpy(chunk + name, data, size);
    put_start(small);
    put_chunk(strcmp(args[0], "icc") == 0 ? "iCCP" : "zTXt", chunk, name + size);
    put_small(small.height, 0, false);
    put_chunk("IEND", NULL, 0);
    free(chunk);
    free(data);
}

/* Makes an ICC profile of zeros, except for the size in its header. */
static void make_profile(char **args)
{
    uint32_t claimed = (uint32_t)number(args[0]), bytes = (uint32_t)number(args[1]);
    static const char name[] = "odd\0";
    uint8_t *profile = allocate(bytes + 4);
    memset(profile, 0, bytes + 4);
    for (int i = 0; i < 4; i++)
        profile[i] = (uint8_t)(claimed >> (24 - 8 * i));
    uLongf size = compressBound(bytes);
    uint8_t *chunk = allocate(sizeof name + size);
    memcpy(chunk, name, sizeof name);
    compress(chunk + sizeof name, &size, profile, bytes);
    put_start(small);
    put_chunk("iCCP", chunk, sizeof name + size);
    put_small(small.height, 0, false);
    put_chunk("IEND", NULL, 0);
    free(profile);
    free(chunk);
}

static void make_animated(char **args)
{
    (void)args;
    put_start(small);
    put_chunk("acTL", "\0\0\0\2\0\0\0", 8);
    put_small(small.height, 0, false);
    put_chunk("IEND", NULL, 0);
}

/* Makes EXIF in the form that was usual before eXIf: hexadecimal digits in a compressed text
 * chunk. */
static void make_exif_text(char **args)
{
    static const char keyword[] = "Raw profile type exif\0";
    char text[256];
    int length = snprintf(text, sizeof text,
                          "\nexif\n      32\n457869660000"
                          "4d4d002a000000080001011200030000000100%02x0000\n00000000\n",
                          number(args[0]));
    uint8_t chunk[512];
    uLongf size = sizeof chunk - sizeof keyword;
    memcpy(chunk, keyword, sizeof keyword);
    compress(chunk + sizeof keyword, &size, (const Bytef *)text, (uLong)length);
    put_start(small);
    put_chunk("zTXt", chunk, sizeof keyword + size);
    put_small(small.height, 0, false);
    put_chunk("IEND", NULL, 0);
}

/* Converts hexadecimal digits to bytes. Returns the number of bytes. */
static size_t from_hex(const char *hex, uint8_t *bytes)
{
    size_t size = 0;
    unsigned byte;
    for (; sscanf(hex + 2 * size, "%2x", &byte) == 1; size++)
        bytes[size] = (uint8_t)byte;
    return size;
}

/* Adds a chunk to a file. The arguments are TYPE HEX PLACE IN. */
static void make_with(char **args)
{
    uint8_t *data = allocate(strlen(args[1]) / 2 + 1);
    const size_t size = from_hex(args[1], data);
    bool added = false;
    Bytes in = bytes_read(args[3]);
    PngChunkView chunk;
    size_t offset = 0;
    if (in.data == NULL)
        exit(EXIT_FAILURE);
    put(in.data, 8);
    while (png_next_chunk(in, &offset, &chunk)) {
        if (!added && strcmp(chunk.type, args[2]) == 0) {
            put_chunk(args[0], data, size);
            added = true;
        }
        put_chunk(chunk.type, chunk.data, chunk.size);
    }
    free(in.data);
    free(data);
}

static const struct {
    const char *name;
    int arguments;
    void (*make)(char **args);
    const char *help;
} kinds[] = {
    {"noise", 2, make_noise, "WIDTH HEIGHT: RGB that does not compress"},
    {"black", 2, make_black, "WIDTH HEIGHT: 1-bit gray that compresses to nearly nothing"},
    {"gray", 2, make_gray, "WIDTH HEIGHT: black 8-bit gray"},
    {"palette", 2, make_palette, "WIDTH HEIGHT: palette with transparency, of one colour"},
    {"wrong-crc", 1, make_wrong_crc, "TYPE: the CRC of IHDR, gAMA, IDAT or IEND is wrong"},
    {"wrong-adler", 0, make_wrong_adler, "the check sum of the image data is wrong"},
    {"rows", 1, make_rows, "N: image data of N rows where the header says 30 (900)"},
    {"cut", 1, make_cut, "N: the last N bytes of the image data are missing"},
    {"no-idat", 0, make_no_idat, "no image data at all"},
    {"header", 4, make_header, "WIDTH HEIGHT DEPTH COLOUR: any header before little data"},
    {"text-bomb", 1, make_text_bomb, "KEYWORD: zTXt (iCCP for \"icc\") that inflates to 64 MiB"},
    {"profile", 2, make_profile, "CLAIMED BYTES: iCCP of BYTES whose header says CLAIMED"},
    {"animated", 0, make_animated, "an APNG of two frames, of which the second lacks its data"},
    {"with", 4, make_with, "TYPE HEX PLACE IN: IN, and one more chunk before its first PLACE"},
    {"exif-text", 1, make_exif_text, "N: orientation N in a \"Raw profile type exif\" text chunk"},
};

int main(int argc, char **argv)
{
    static const char prefix[] = "large-";
    if (argc > 1 && strncmp(argv[1], prefix, sizeof prefix - 1) == 0) {
        small = large;
        argv[1] += sizeof prefix - 1;
    }
    for (size_t i = 0; argc > 1 && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].name, argv[1]) != 0 || argc != kinds[i].arguments + 3) {
            continue;
        }
        out = fopen(argv[argc - 1], "wb");
        if (out == NULL) {
            perror(argv[argc - 1]);
            return 1;
        }
        kinds[i].make(argv + 2);
        return fclose(out) == 0 ? 0 : 1;
    }
    fprintf(stderr, "usage: png_make [large-]KIND [ARGUMENTS] OUT, where KIND is one of\n");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        fprintf(stderr, "  %-12s %s\n", kinds[i].name, kinds[i].help);
    }
    return 2;
}
