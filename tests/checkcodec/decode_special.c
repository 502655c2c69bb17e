/* Checks streams written bit by bit. No encoder produces them, but a file may contain them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/png/cuda/decode/png_decode_cuda.h"
#include "tests/checkcodec/png_compare.h"
#include "tests/checkcodec/png_files.h"

/* --- Files ------------------------------------------------------------------------------------ */

enum { WIDTH = 63, HEIGHT = 40, ROWS = (1 + WIDTH) * HEIGHT };
static const ImgShape SHAPE = {WIDTH, HEIGHT, {IMG_COLOR_GRAY, 8}};

static Bits start_stream(void)
{
    Bits bits = {0};
    put_bits(&bits, 0x0178, 16);
    return bits;
}

/* Returns a file whose stream consists of `bits`. `rows` are the decompressed bytes. */
static Bytes finish_file(Bits *bits, const uint8_t *rows, size_t size)
{
    align(bits);
    uint32_t adler = (uint32_t)adler32(1, rows, (uInt)size);
    uint8_t end[4] = {(uint8_t)(adler >> 24), (uint8_t)(adler >> 16), (uint8_t)(adler >> 8),
                      (uint8_t)adler};
    put(&bits->bytes, end, 4);
    Bytes file = make_png(SHAPE, &bits->bytes, &(Packing){.level = 0});
    free(bits->bytes.data);
    return file;
}

static void expect(Bits *bits, const uint8_t *rows, size_t size, bool sound, const char *what)
{
    Bytes file = finish_file(bits, rows, size);
    if (sound)
        expect_verified(&file, what);
    else
        expect_rejected(&file, what);
    free(file.data);
}

static const Alphabet ONE_DISTANCE = {1, {1}}, NO_DISTANCE = {1, {0}};

/* --- Cases ------------------------------------------------------------------------------------ */

/* Checks a stream in which blocks without distance codes stand among ordinary blocks. The search
 * for blocks skips blocks without distance codes. */
static void blocks_without_distances(const uint8_t *rows)
{
    Alphabet bytes = byte_alphabet();
    Bits bits = start_stream();
    for (int block = 0; block < 8; block++) {
        put_header(&bits, block == 7, &bytes, block % 3 == 1 ? &NO_DISTANCE : &ONE_DISTANCE);
        put_bytes(&bits, &bytes, rows + block * (ROWS / 8), ROWS / 8);
        put_symbol(&bits, &bytes, 256);
        if (block == 4)
            put_stored(&bits, 0, NULL, 0, 0);
    }
    expect(&bits, rows, ROWS, true, "blocks without distances");
}

/* Checks streams in which the stored bytes (`stored`) or the literals of a block are the bits of
 * another stream. There the search finds block starts that are not real. */
static void streams_within_streams(bool stored)
{
    Alphabet bytes = byte_alphabet();
    Bits inner = start_stream(), bits = start_stream();
    uint8_t rows[ROWS] = {0};
    for (int block = 0; block < 2; block++) {
        put_header(&inner, 0, &bytes, &ONE_DISTANCE);
        put_symbol(&inner, &bytes, 40);
        put_symbol(&inner, &bytes, 256);
    }
    for (size_t i = 0; i < 2 * inner.bytes.size; i++) {
        uint8_t byte = inner.bytes.data[i % inner.bytes.size], mirrored = 0;
        for (int bit = 0; bit < 8; bit++)
            mirrored |= (uint8_t)((byte >> bit & 1) << (7 - bit));
        rows[(1 + WIDTH) * 2 + i + i / WIDTH + 1] = stored ? byte : mirrored;
    }
    for (int row = 0; row < HEIGHT; row++)
        rows[row * (1 + WIDTH)] = (uint8_t)(row % 5);
    if (stored) {
        put_stored(&bits, 0, rows, ROWS / 2, 0);
        put_stored(&bits, 1, rows + ROWS / 2, ROWS / 2, 0);
    } else {
        put_header(&bits, 0, &bytes, &ONE_DISTANCE);
        put_bytes(&bits, &bytes, rows, ROWS / 2);
        put_symbol(&bits, &bytes, 256);
        put_header(&bits, 1, &bytes, &ONE_DISTANCE);
        put_bytes(&bits, &bytes, rows + ROWS / 2, ROWS / 2);
        put_symbol(&bits, &bytes, 256);
    }
    expect(&bits, rows, ROWS, true, stored ? "a stream in stored bytes" : "a stream in literals");
    free(inner.bytes.data);
}

/* Checks streams with unusual Huffman codes. zlib accepts some of them (`sound`). The symbols after
 * the codes are right in every stream, so only the codes can be the reason to reject it. */
static void flawed_codes(const uint8_t *rows)
{
    static const struct {
        const char *what;
        int symbol, length; /* symbol whose code length is changed, and its new length in bits */
        Alphabet distances;
        bool sound;
    } cases[] = {
        {"no flaw", 0, 8, {1, {1}}, true},
        {"an incomplete code", 200, 9, {1, {1}}, false},
        {"an over-subscribed code", 200, 7, {1, {1}}, false},
        {"no end of the block", 256, 0, {1, {1}}, false},
        {"one distance of two bits", 0, 8, {1, {2}}, false},
        {"two distances of one bit", 0, 8, {2, {1, 1}}, true},
        {"two distances, incomplete", 0, 8, {2, {1, 2}}, false},
        {"three distances of one bit", 0, 8, {3, {1, 1, 1}}, false},
        {"a distance after none", 0, 8, {2, {0, 1}}, true},
        {"30 distances", 0, 8, {30, {[28] = 1, [29] = 1}}, true},
        {"31 distances", 0, 8, {31, {[28] = 1, [29] = 1}}, false},
        {"32 distances", 0, 8, {32, {[28] = 1, [31] = 1}}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Alphabet bytes = byte_alphabet();
        Bits bits = start_stream();
        bytes.lengths[cases[i].symbol] = (uint8_t)cases[i].length;
        put_header(&bits, 1, &bytes, &cases[i].distances);
        put_bytes(&bits, &bytes, rows, ROWS);
        put_symbol(&bits, &bytes, 256);
        expect(&bits, rows, ROWS, cases[i].sound, cases[i].what);
    }
}

/* Writes a deflate block of fixed codes that yields ROWS bytes: `first` literals, and then copies
 * with the distance symbol `distance_symbol`. If the distance exceeds `first`, they refer to
 * positions before the start of the data. */
static void put_fixed_copies(Bits *bits, int first, int distance_symbol)
{
    Alphabet literals = {.count = 288};
    memset(literals.lengths, 8, 144);
    memset(literals.lengths + 144, 9, 112);
    memset(literals.lengths + 256, 7, 24);
    memset(literals.lengths + 280, 8, 8);
    put_bits(bits, 1 | 1 << 1, 3);
    for (int i = 0; i < first; i++)
        put_symbol(bits, &literals, 0);
    for (int left = ROWS - first; left > 0;) {
        int symbol = left >= 258 ? 285 : left >= 3 && left <= 10 ? 254 + left : left > 10 ? 264 : 0;
        put_symbol(bits, &literals, symbol);
        if (symbol > 256)
            put_code(bits, (uint32_t)distance_symbol, 5);
        left -= symbol == 285 ? 258 : symbol > 256 ? symbol - 254 : 1;
    }
    put_symbol(bits, &literals, 256);
}

static void copies(void)
{
    static const struct {
        const char *what;
        int first, distance_symbol;
        bool sound;
    } cases[] = {{"copies of one byte", 1, 0, true},
                 {"copies of four", 4, 3, true},
                 {"copies from before the start", 3, 3, false},
                 {"the first of all is a copy", 0, 0, false},
                 {"distance symbol 30", 4, 30, false},
                 {"distance symbol 31", 4, 31, false}};
    uint8_t rows[ROWS] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Bits bits = start_stream();
        put_fixed_copies(&bits, cases[i].first, cases[i].distance_symbol);
        expect(&bits, rows, ROWS, cases[i].sound, cases[i].what);
    }
}

/* Checks codes of up to 15 bits. A decoding table is indexed by fewer bits, so these codes need the
 * slow path. The first block of the stream contains only the end-of-block symbol. */
static void long_codes(void)
{
    static const int bases[] = {1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193};
    Alphabet end = {.count = 257, .lengths = {[256] = 1}};
    Alphabet literals = {.count = 258, .lengths = {[256] = 15, [257] = 15}}, distances = {16, {0}};
    uint8_t rows[ROWS] = {0};
    Bits bits = start_stream();
    for (int i = 0; i < 14; i++)
        literals.lengths[i] = distances.lengths[i] = (uint8_t)(i + 1);
    distances.lengths[14] = distances.lengths[15] = 15;
    put_header(&bits, 0, &end, &NO_DISTANCE);
    put_symbol(&bits, &end, 256);
    put_header(&bits, 1, &literals, &distances);
    for (int at = 0; at < ROWS;) {
        int symbol = (int)random_below(16), extra = symbol < 4 ? 0 : symbol / 2 - 1;
        bool copy = at % (1 + WIDTH) > 0 && at % (1 + WIDTH) < WIDTH - 3 && bases[symbol] <= at &&
                    random_below(3) > 0;
        if (copy) {
            put_symbol(&bits, &literals, 257);
            put_symbol(&bits, &distances, symbol);
            put_bits(&bits, 0, extra);
        }
        for (int i = 0; copy && i < 3; i++, at++)
            rows[at] = rows[at - bases[symbol]];
        if (copy)
            continue;
        rows[at] = (uint8_t)random_below(at % (1 + WIDTH) == 0 ? 5 : 14);
        put_symbol(&bits, &literals, rows[at++]);
    }
    put_symbol(&bits, &literals, 256);
    expect(&bits, rows, ROWS, true, "long codes");
}

/* Checks a stored block without a flaw, and streams with an error in a block, in the rows, or in
 * the header or checksum of zlib. */
static void flawed_streams(const uint8_t *rows)
{
    enum { KINDS = 11 };
    static const char *const names[KINDS] = {"a stored block, no flaw",
                                             "a wrong complement",
                                             "a block of the fourth kind",
                                             "no last block",
                                             "a row too few",
                                             "an unknown filter",
                                             "a wrong Adler-32",
                                             "no deflate",
                                             "a dictionary",
                                             "a wrong check of the header",
                                             "a window too large"};
    for (int kind = 0; kind < KINDS; kind++) {
        uint8_t mine[ROWS];
        Bits bits = start_stream();
        memcpy(mine, rows, ROWS);
        if (kind == 5)
            mine[5 * (1 + WIDTH)] = 5;
        if (kind == 2)
            put_bits(&bits, 6, 3);
        put_stored(&bits, kind != 3, mine, ROWS - (kind == 4 ? 1 + WIDTH : 0), kind == 1);
        if (kind >= 7)
            memcpy(bits.bytes.data,
                   kind == 7   ? "\x79\x16"
                   : kind == 8 ? "\x78\x20"
                   : kind == 9 ? "\x78\x02"
                               : "\x88\x1c",
                   2);
        if (kind == 6)
            mine[0] ^= 1;
        expect(&bits, mine, kind == 4 ? ROWS - 1 - WIDTH : ROWS, kind == 0, names[kind]);
    }
}

/* Checks streams with many empty stored blocks. One thread of the GPU visits these blocks one by
 * one, and gives up after a maximum number of them. */
static void empty_blocks(const uint8_t *rows)
{
    /* The GPU visits at most 4096 empty blocks, plus one for each 4 KB of stream. */
    enum { MANY = 4000, TOO_MANY = 4400 };
    for (int count = MANY; count <= TOO_MANY; count += TOO_MANY - MANY) {
        bool reads;
        uint32_t status;
        Bits bits = start_stream();
        for (int i = 0; i < count; i++)
            put_stored(&bits, 0, NULL, 0, 0);
        put_stored(&bits, 1, rows, ROWS, 0);
        Bytes file = finish_file(&bits, rows, ROWS);
        (void)compare_decoders(&file, "empty blocks", &reads, &status);
        free(file.data);
        if (reads && (count == MANY ? status == IMG_PNG_CUDA_VERIFIED
                                    : (status & IMG_PNG_CUDA_LISTS_FULL) != 0))
            continue;
        printf("%d empty blocks: %s, status %u\n", count, reads ? "read" : "not read", status);
        png_failures++;
    }
}

/* The GPU must leave narrow pictures to the CPU: those with 2^16 or more rows of fewer than 30
 * bytes, including the filter type. */
static void narrow_pictures(void)
{
    static const struct {
        ImgShape shape;
        bool quick;
    } cases[] = {
        {{1, 40000000, {IMG_COLOR_GRAY, 8}}, false}, {{28, 65536, {IMG_COLOR_GRAY, 8}}, false},
        {{29, 65536, {IMG_COLOR_GRAY, 8}}, true},    {{28, 65535, {IMG_COLOR_GRAY, 8}}, true},
        {{1, 65535, {IMG_COLOR_GRAY, 1}}, true},     {{9, 100000, {IMG_COLOR_RGB, 8}}, false},
        {{10, 100000, {IMG_COLOR_RGB, 8}}, true},    {{224, 100000, {IMG_COLOR_GRAY, 1}}, false},
        {{225, 100000, {IMG_COLOR_GRAY, 1}}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (img_png_cuda_is_quick(cases[i].shape) == cases[i].quick)
            continue;
        printf("%d x %d: quick, or not\n", cases[i].shape.width, cases[i].shape.height);
        png_failures++;
    }
}

void try_special_files(void)
{
    narrow_pictures();
    Bytes rows = make_rows(SHAPE, NOISE);
    blocks_without_distances(rows.data);
    streams_within_streams(false);
    streams_within_streams(true);
    flawed_codes(rows.data);
    empty_blocks(rows.data);
    copies();
    long_codes();
    flawed_streams(rows.data);
    free(rows.data);
}
