/* Compares the PNG decoder of the GPU with that of the CPU. The GPU must verify valid files as a
 * whole and give the same pixels. A file with more blocks than the lists of the GPU hold may be
 * left to the CPU (io/png/cuda/decode/README.md). Each file is also decoded in a batch. If the GPU
 * verifies a damaged file, the CPU must decode it too, to the same pixels.
 *
 *   check_png_decode [FILES [SEED [I N]]]   FILES files made with zlib (default 200). Part I of N:
 *                                           every Nth file, and every Nth of the other checks
 *   check_png_decode NAME.png...            these files, valid or not
 *
 * Exit status: 0 all correct, 1 a failure, 2 usage, 77 there is no GPU. */
#include <cuda_runtime_api.h> /* in emulator builds, the emulator's own header */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/bytes.h"
#include "io/png/cuda/decode/png_decode_cuda.h"
#include "tests/checkcodec/batch_compare.h"
#include "tests/checkcodec/png_compare.h"

/* --- Damaged files ---------------------------------------------------------------------------- */

static struct {
    int files, rejected, verified;
} damage;

/* number of valid files left to the CPU, because the lists of blocks on the GPU were full */
static int lists_full;

/* Decodes a damaged file and counts the result. In half of the cases the GPU gets the list of
 * blocks of the undamaged file. */
static void count_damaged(const Bytes *file, const ImgPngBlocks *blocks, const char *what)
{
    bool reads;
    uint32_t status;
    damage.files++;
    damage.verified +=
        compare_with_blocks(file, random_below(2) > 0 ? blocks : NULL, what, &reads, &status);
    damage.rejected += !reads;
}

/* Corrects the Adler-32 of a damaged stream that still decompresses to `inflated` bytes. The
 * checksum then does not reveal the damage. */
static void mend_adler(Bytes *stream, size_t inflated)
{
    z_stream zlib = {.next_in = stream->data + 2, .avail_in = (uInt)stream->size - 2};
    uint8_t *rows = malloc(inflated + 1);
    zlib.next_out = rows;
    zlib.avail_out = (uInt)inflated + 1;
    if (inflateInit2(&zlib, -15) != Z_OK)
        abort();
    if (inflate(&zlib, Z_FINISH) == Z_STREAM_END && zlib.total_out == inflated) {
        uint32_t adler = (uint32_t)adler32(1, rows, (uInt)inflated);
        for (int i = 0; i < 4; i++)
            stream->data[stream->size - 4 + (size_t)i] = (uint8_t)(adler >> (24 - 8 * i));
    }
    inflateEnd(&zlib);
    free(rows);
}

/* Changes one bit of the file after its header, and checks the result. */
static void try_damaged_file(const Bytes *file, const ImgPngBlocks *blocks, const char *name)
{
    char what[220];
    uint32_t at = 33 * 8 + random_below((uint32_t)(file->size - 33) * 8);
    file->data[at / 8] ^= (uint8_t)(1 << at % 8);
    snprintf(what, sizeof what, "%s, bit %u of the file", name, at);
    count_damaged(file, blocks, what);
}

/* Copies up to 40 bytes of the stream to another place in it. In some cases replaces some of them
 * by random bytes. */
static void mix_up(Bytes *stream)
{
    uint32_t most = (uint32_t)stream->size - 2, size = 1 + random_below(most < 40 ? most : 40);
    uint32_t to = 2 + random_below(most - size + 1), from = 2 + random_below(most - size + 1);
    memmove(stream->data + to, stream->data + from, size);
    for (uint32_t i = 0; random_below(2) > 0 && i < size; i++)
        stream->data[to + i] = (uint8_t)random_below(256);
}

/* Damages the stream in four ways and checks each: changes a bit anywhere or in the first block
 * headers, cuts off the end, or moves bytes. The CRCs of the chunks are right. */
static void try_damage(ImgShape shape, const Bytes *stream, const ImgPngBlocks *blocks,
                       const Packing *packing, const char *name)
{
    char what[220];
    for (int i = 0; i < 4; i++) {
        Bytes bad = {0};
        uint32_t at = random_below((uint32_t)stream->size * 8);
        if (i == 1) /* the changed bit is in the first block headers */
            at = random_below(stream->size < 40 ? (uint32_t)stream->size * 8 : 320);
        put(&bad, stream->data, i == 2 ? at / 8 : stream->size);
        if (i < 2)
            bad.data[at / 8] ^= (uint8_t)(1 << at % 8);
        if (i == 3)
            mix_up(&bad);
        if (i != 2 && random_below(4) > 0)
            mend_adler(&bad, filtered_row_bytes(shape) * (size_t)shape.height);
        Bytes file = make_png(shape, &bad, packing);
        snprintf(what, sizeof what, "%s, %s %u", name,
                 i < 2    ? "bit"
                 : i == 2 ? "cut at bit"
                          : "mixed up",
                 at);
        count_damaged(&file, blocks, what);
        free(file.data);
        free(bad.data);
    }
}

/* --- Checks of valid files -------------------------------------------------------------------- */

static const ImgFormat FORMATS[] = {
    {IMG_COLOR_GRAY, 1},        {IMG_COLOR_GRAY, 2},    {IMG_COLOR_GRAY, 4},
    {IMG_COLOR_GRAY, 8},        {IMG_COLOR_GRAY, 16},   {IMG_COLOR_RGB, 8},
    {IMG_COLOR_RGB, 16},        {IMG_COLOR_PALETTE, 1}, {IMG_COLOR_PALETTE, 2},
    {IMG_COLOR_PALETTE, 4},     {IMG_COLOR_PALETTE, 8}, {IMG_COLOR_GRAY_ALPHA, 8},
    {IMG_COLOR_GRAY_ALPHA, 16}, {IMG_COLOR_RGBA, 8},    {IMG_COLOR_RGBA, 16},
};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof FORMATS[0] };

static Packing random_packing(void)
{
    static const int levels[] = {0, 1, 6, 9},
                     flushes[] = {Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK};
    return (Packing){
        .level = levels[random_below(4)],
        /* the strategies of zlib: default, filtered, Huffman only, runs, fixed */
        .strategy = (int)random_below(5),
        .window_bits = random_below(2) > 0 ? 15 : 9 + (int)random_below(7),
        .memory_level = 1 + (int)random_below(9),
        .flush = flushes[random_below(4)],
        .flush_rows = random_below(2) > 0 ? 0 : 1 + (int)random_below(9),
        .part_bytes = random_below(2) > 0 ? 0 : 1 + (int)random_below(700),
        .empty_parts = random_below(2) > 0 ? 0 : 1 + (int)random_below(4),
    };
}

/* Number of blocks that the lists on the GPU can always hold (decode_plan.c). */
enum { BLOCKS_LISTED = 256 };

/* Expects that the GPU verifies the file. If the file has more than BLOCKS_LISTED blocks, the GPU
 * may leave it to the CPU. */
static void expect_verified_or_full(const Bytes *file, const char *what)
{
    bool reads;
    uint32_t status;
    ImgPngBlocks blocks = find_blocks(file);
    if (blocks.count <= BLOCKS_LISTED)
        expect_verified(file, what);
    else if (!compare_decoders(file, what, &reads, &status)) {
        const bool is_full = reads && status == IMG_PNG_CUDA_LISTS_FULL;
        printf("%s: %u blocks, %s\n", what, (unsigned)blocks.count,
               is_full ? "left to the CPU" : "not verified");
        lists_full += is_full;
        png_failures += !is_full;
    }
    img_png_blocks_free(&blocks);
}

static void try_one(int number)
{
    ImgShape shape = {1 + (int32_t)random_below(70), 1 + (int32_t)random_below(70),
                      FORMATS[number % FORMAT_COUNT]};
    Packing packing = random_packing();
    Pattern pattern = (Pattern)random_below(PATTERNS);
    Bytes rows = make_rows(shape, pattern);
    Bytes stream = make_stream(&rows, filtered_row_bytes(shape), &packing);
    Bytes file = make_png(shape, &stream, &packing);
    char what[160];
    snprintf(what, sizeof what,
             "%d: %s %d bits %d x %d, pattern %d, level %d, strategy %d, window %d, memory %d, "
             "flush %d after %d rows",
             number, img_color_name(shape.format.color), shape.format.bits, shape.width,
             shape.height, (int)pattern, packing.level, packing.strategy, packing.window_bits,
             packing.memory_level, packing.flush, packing.flush_rows);
    expect_verified_or_full(&file, what);
    if (number % 5 == 1)
        try_lies(&file, what);
    if (number % 2 == 0) {
        ImgPngBlocks blocks = find_blocks(&file);
        try_damage(shape, &stream, &blocks, &packing, what);
        try_damaged_file(&file, &blocks, what);
        img_png_blocks_free(&blocks);
    }
    free(rows.data);
    free(stream.data);
    free(file.data);
}

/* Checks pictures of many tiles, long rows, and blocks with more subsequences than a thread block
 * handles at a time. */
static void try_large(void)
{
    static const struct {
        ImgShape shape;
        Pattern pattern;
        Packing packing;
    } cases[] = {
        {{200, 250, {IMG_COLOR_RGBA, 8}}, BLACK, {9, Z_DEFAULT_STRATEGY, 15, 9, 0, 0, 0, 0}},
        {{150, 150, {IMG_COLOR_RGB, 8}}, SMOOTH, {6, Z_FILTERED, 15, 8, 0, 0, 8192, 9}},
        {{90, 120, {IMG_COLOR_RGB, 16}}, NOISE, {6, Z_HUFFMAN_ONLY, 15, 9, 0, 0, 0, 0}},
        {{170, 150, {IMG_COLOR_GRAY, 16}}, FEW_VALUES, {6, Z_FIXED, 15, 9, 0, 0, 0, 0}},
        {{180, 150, {IMG_COLOR_GRAY_ALPHA, 8}}, REPEATS, {9, Z_RLE, 15, 8, Z_FULL_FLUSH, 64, 0, 0}},
        {{9001, 3, {IMG_COLOR_RGB, 8}}, REPEATS, {6, Z_DEFAULT_STRATEGY, 15, 8, 0, 0, 0, 0}},
        {{1, 4001, {IMG_COLOR_GRAY, 1}}, NOISE, {1, Z_DEFAULT_STRATEGY, 15, 8, 0, 0, 0, 0}},
        {{40, 1600, {IMG_COLOR_GRAY, 8}}, BLACK, {6, Z_FIXED, 15, 8, Z_SYNC_FLUSH, 8, 0, 0}},
        {{80, 1600, {IMG_COLOR_GRAY, 8}}, SMOOTH, {6, Z_RLE, 15, 8, Z_BLOCK, 8, 0, 0}},
        {{100, 700, {IMG_COLOR_PALETTE, 8}}, NOISE, {0, Z_DEFAULT_STRATEGY, 15, 9, 0, 0, 9999, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char what[40];
        ImgShape shape = cases[i].shape;
        Bytes rows = make_rows(shape, cases[i].pattern);
        Bytes stream = make_stream(&rows, filtered_row_bytes(shape), &cases[i].packing);
        Bytes file = make_png(shape, &stream, &cases[i].packing);
        snprintf(what, sizeof what, "large picture %zu", i);
        expect_verified(&file, what);
        free(rows.data);
        free(stream.data);
        free(file.data);
    }
}

/* CHAINED is the width of a picture of one row in which every byte depends on the byte before it.
 * The row has so many tiles (DECODE_TILE bytes each) that the chain is too long for bytes_kernel
 * (MOST_HOPS in io/png/cuda/decode/decode_copies.cu). CHAINED_IN_SHARES is 1 if this row is also
 * checked when the arguments I and N select a part of the checks. On a GPU it is 0: parts are for
 * compute-sanitizer's racecheck, which would take minutes for this row. */
#ifdef IMGTOOL_EMULATOR
enum { CHAINED = 200000, CHAINED_IN_SHARES = 1 };
#else
enum { CHAINED = 4300000, CHAINED_IN_SHARES = 0 };
#endif

static void try_chain(void)
{
    const Packing packing = {9, Z_DEFAULT_STRATEGY, 15, 9, 0, 0, 0, 0};
    ImgShape shape = {CHAINED, 1, {IMG_COLOR_GRAY, 8}};
    Bytes rows = make_rows(shape, BLACK);
    Bytes stream = make_stream(&rows, filtered_row_bytes(shape), &packing);
    Bytes file = make_png(shape, &stream, &packing);
    expect_verified(&file, "a row that is one chain");
    free(rows.data);
    free(stream.data);
    free(file.data);
}

/* Checks pictures in which every row, or nearly every row, has a filter that predicts it from the
 * row above (Up, Average or Paeth). */
static void try_bands(void)
{
    static const ImgFormat formats[] = {{IMG_COLOR_GRAY, 8}, {IMG_COLOR_GRAY_ALPHA, 8},
                                        {IMG_COLOR_RGB, 8},  {IMG_COLOR_RGBA, 8},
                                        {IMG_COLOR_RGB, 16}, {IMG_COLOR_RGBA, 16}};
    static const struct {
        int32_t width, height;
        /* about one of every `free_rows` rows has filter None or Sub, and so does not depend on the
         * row above; 0 if all rows depend on it */
        int free_rows;
    } sizes[] = {{1, 700, 0}, {2, 300, 0}, {31, 330, 40}, {33, 129, 0}, {40, 300, 9}, {500, 65, 0}};
    for (size_t i = 0; i < 36; i++) {
        char what[60];
        ImgShape shape = {sizes[i / 6].width, sizes[i / 6].height, formats[i % 6]};
        Packing packing = {.level = 1, .window_bits = 15, .memory_level = 8};
        Bytes rows = make_rows(shape, NOISE);
        size_t row_bytes = filtered_row_bytes(shape);
        uint32_t free_rows = (uint32_t)sizes[i / 6].free_rows, least = 2 + random_below(3);
        for (size_t at = 0; at < rows.size; at += row_bytes) {
            bool is_free = free_rows > 0 && random_below(free_rows) == 0;
            rows.data[at] = (uint8_t)(is_free ? random_below(2) : least + random_below(5 - least));
        }
        Bytes stream = make_stream(&rows, row_bytes, &packing);
        Bytes file = make_png(shape, &stream, &packing);
        snprintf(what, sizeof what, "bands of %d x %d, %d channels of %d bits", shape.width,
                 shape.height, img_format_channels(shape.format), shape.format.bits);
        expect_verified(&file, what);
        free(rows.data);
        free(stream.data);
        free(file.data);
    }
}

/* Decodes files of several strips that imgtool writes, with and without an index of strips. */
static void try_own(void)
{
    static const int levels[] = {1, 4, 4, 9};
    for (int i = 0; i < 4; i++) {
        char what[40];
        ImgShape shape = {i == 2 ? 700 : 60, i == 2 ? 400 : 50, {IMG_COLOR_RGB, 8}};
        Bytes file = make_own(shape, i == 2 ? NOISE : (Pattern)i, levels[i], i == 2);
        snprintf(what, sizeof what, "own file %d, %zu bytes", i, file.size);
        expect_verified(&file, what);
        free(file.data);
    }
}

/* Groups of checks. Part I of N runs every Nth group, from group I on. In this order, with the
 * slowest groups last, the parts take about equally long. */
static void (*const groups[])(void) = {try_special_files, try_own, try_lists, try_large, try_bands};
enum { GROUPS = sizeof groups / sizeof *groups };

static bool is_name(const char *argument)
{
    size_t length = strlen(argument);
    return length > 4 && strcmp(argument + length - 4, ".png") == 0;
}

static void try_named(const char *path)
{
    bool reads;
    uint32_t status;
    uint8_t buffer[4096];
    Bytes bytes = {0};
    FILE *file = fopen(path, "rb");
    for (size_t n; file != NULL && (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        put(&bytes, buffer, n);
    if (file != NULL)
        fclose(file);
    bool verified = compare_decoders(&bytes, path, &reads, &status);
    printf("%s: %s by the CPU, %s (status %u)\n", path, reads ? "read" : "rejected or interlaced",
           verified ? "verified" : "not verified", status);
    free(bytes.data);
}

int main(int argc, char **argv)
{
    enum { USAGE = 2, SKIPPED = 77 };
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("skipped: decoder on the GPU: no GPU\n");
        return SKIPPED;
    }
    if (argc > 1 && is_name(argv[1])) {
        for (int i = 1; i < argc; i++)
            try_named(argv[i]);
        batch_report();
        return png_failures > 0;
    }
    int files = argc > 1 ? atoi(argv[1]) : 200, made = 0;
    int share = argc == 5 ? atoi(argv[3]) : 0, shares = argc == 5 ? atoi(argv[4]) : 1;
    if (share < 0 || share >= shares) {
        fprintf(stderr, "usage: see the head of tests/checkcodec/decode_main.c\n");
        return USAGE;
    }
    random_seed(argc > 2 ? strtoull(argv[2], NULL, 0) : 1);
    for (int i = share; i < GROUPS; i += shares)
        groups[i]();
    if (shares == 1 || (CHAINED_IN_SHARES && share == 0))
        try_chain();
    for (int i = share; i < files; i += shares, made++)
        try_one(i);
    batch_report();
    printf("%d sound files, %d of them left for their many blocks, %d damaged ones, of which the "
           "CPU rejected %d and the GPU verified %d; %d failures\n",
           made, lists_full, damage.files, damage.rejected, damage.verified, png_failures);
    return png_failures > 0;
}
