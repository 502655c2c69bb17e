/* Tests of the index of deflate blocks. The encoder writes the positions where zlib finds blocks.
 * No index, however damaged, can refer to a position outside the stream. */
#include "io/png/encode.h"
#include "io/png/index/block_index.h"
#include "io/png/index/index.h"
#include "test_io_png.h"

static uint64_t state = 1;

static uint32_t random_number(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

/* --- Indices written by hand ------------------------------------------------------------------ */

/* Three IDAT chunks of 100, 7 and 300 bytes. Less the zlib header and the Adler-32, their blocks
 * have the bits 16 to 800, 800 to 856 and 856 to 3224. */
static const ImgIdatPart PARTS[] = {{0, 100, 0}, {0, 7, 100}, {0, 300, 107}};
static const ImgIdat IDAT = {.parts = (ImgIdatPart *)PARTS, .count = 3, .size = 407};

static ImgPngBlocks read_chunk(const ImgIdat *idat, const uint8_t *data, size_t size,
                               ImgChunkPlace place)
{
    ImgPngBlocks blocks;
    ImgMetadata metadata = IMG_METADATA_NONE;
    cr_assert_eq(img_metadata_add(&metadata, "blKS", place, data, (uint32_t)size, NULL), IMG_OK);
    cr_assert_eq(img_png_blocks_read(&metadata, idat, SIZE_MAX, &blocks, NULL), IMG_OK);
    img_metadata_free(&metadata);
    return blocks;
}

Test(png_block_index, an_index_lists_its_blocks)
{
    static const uint32_t first[] = {0, 127, 255, 783}, second[] = {0}, third[] = {0, 2367};
    static const uint8_t expected[] = {1, 4, 127, 0x80, 1, 0x90, 4, 1, 2, 0xBF, 18};
    static const uint32_t starts[] = {16, 143, 271, 799, 800, 856, 3223};
    ImgPngBlockIndex index = {0};
    cr_assert(img_png_block_index_add(&index, first, 4));
    cr_assert(img_png_block_index_add(&index, second, 1));
    cr_assert(img_png_block_index_add(&index, third, 2));
    cr_expect_not(index.lacks);
    cr_assert_eq(index.size, sizeof expected);
    cr_assert_arr_eq(index.bytes, expected, sizeof expected);
    ImgPngBlocks blocks = read_chunk(&IDAT, index.bytes, index.size, IMG_AFTER_IDAT);
    cr_assert_eq(blocks.count, 7);
    cr_expect_arr_eq(blocks.starts, starts, sizeof starts);
    img_png_blocks_free(&blocks);
    img_png_block_index_free(&index);
}

/* An index can mark chunks whose blocks are unknown. The encoder writes no such index. */
Test(png_block_index, unknown_blocks_are_marked)
{
    static const uint32_t first[] = {0, 127};
    ImgPngBlockIndex index = {0};
    cr_assert(img_png_block_index_add(&index, NULL, 0));
    cr_expect(index.lacks);
    cr_assert(img_png_block_index_add(&index, first, 2));
    cr_assert(img_png_block_index_add(&index, NULL, 0));
    cr_expect(index.lacks);
    cr_assert_eq(index.size, 5);
    cr_assert_arr_eq(index.bytes, ((uint8_t[]){1, 0, 2, 127, 0}), 5);
    ImgPngBlocks blocks = read_chunk(&IDAT, index.bytes, index.size, IMG_AFTER_IDAT);
    cr_expect_eq(blocks.count, 0);
    img_png_block_index_free(&index);
}

/* The index lists block starts whose encoding takes every possible number of bytes, and more of
 * them than its first allocation holds. */
Test(png_block_index, an_index_grows)
{
    enum { COUNT = 3000 };
    uint32_t *starts = calloc(COUNT, sizeof *starts);
    for (uint32_t i = 1; i < COUNT; i++)
        starts[i] = starts[i - 1] + (1U << i % 18);
    const ImgIdatPart parts[] = {{0, 1 << 28, 0}, {0, 1 << 27, 1 << 28}};
    const ImgIdat idat = {.parts = (ImgIdatPart *)parts, .count = 2, .size = (1 << 28) + (1 << 27)};
    ImgPngBlockIndex index = {0};
    cr_assert(img_png_block_index_add(&index, starts, COUNT));
    cr_assert(img_png_block_index_add(&index, starts, COUNT));
    ImgPngBlocks blocks = read_chunk(&idat, index.bytes, index.size, IMG_AFTER_IDAT);
    cr_assert_eq(blocks.count, 2 * COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_assert_eq(blocks.starts[i], 16 + starts[i]);
        cr_assert_eq(blocks.starts[COUNT + i], (8U << 28) + starts[i]);
    }
    img_png_blocks_free(&blocks);
    img_png_block_index_free(&index);
    free(starts);
}

/* --- Invalid indices -------------------------------------------------------------------------- */

static void expect_none(const ImgIdat *idat, const uint8_t *data, size_t size, const char *what)
{
    ImgPngBlocks blocks = read_chunk(idat, data, size, IMG_AFTER_IDAT);
    cr_expect_eq(blocks.count, 0, "%s", what);
    cr_expect_null(blocks.starts, "%s", what);
    img_png_blocks_free(&blocks);
}

Test(png_block_index, invalid_indices_are_rejected)
{
    static const struct {
        const char *what;
        size_t size;
        uint8_t bytes[20];
    } cases[] = {
        {"no byte", 0, {0}},
        {"a version alone", 1, {1}},
        {"version 0", 5, {0, 1, 1, 1}},
        {"version 2", 4, {2, 1, 1, 1}},
        {"a chunk too few", 3, {1, 1, 1}},
        {"a chunk too many", 5, {1, 1, 1, 1, 1}},
        {"a chunk that is not known", 4, {1, 1, 0, 1}},
        {"fewer blocks than told", 5, {1, 1, 1, 3, 9}},
        {"more blocks than bytes", 7, {1, 1, 1, 0xFF, 0xFF, 0xFF, 0x7F}},
        {"2^32 - 1 blocks", 8, {1, 1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F}},
        {"a distance of 0", 6, {1, 1, 1, 3, 9, 0}},
        {"past the first chunk", 6, {1, 2, 0x90, 6, 1, 1}},
        {"past the second chunk", 5, {1, 1, 2, 56, 1}},
        {"past the last block", 6, {1, 1, 1, 2, 0xC0, 18}},
        {"a number of 35 bits", 9, {1, 1, 1, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F}},
        {"a number of 42 bits", 10, {1, 1, 1, 2, 0x81, 0x80, 0x80, 0x80, 0x80, 1}},
        {"a number that does not end", 5, {1, 1, 1, 2, 0x89}},
        {"a number with a zero too many", 6, {1, 1, 1, 2, 0x89, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_none(&IDAT, cases[i].bytes, cases[i].size, cases[i].what);
    static const uint8_t right[] = {1, 1, 1, 1};
    ImgPngBlocks early = read_chunk(&IDAT, right, sizeof right, IMG_BEFORE_IDAT);
    cr_expect_eq(early.count, 0, "before IDAT");
    ImgPngBlocks late = read_chunk(&IDAT, right, sizeof right, IMG_AFTER_IDAT);
    cr_expect_eq(late.count, 3, "else nothing here is tested");
    img_png_blocks_free(&late);
}

/* Streams too short for a block have no index, and neither has a stream of 2^32 bits. */
Test(png_block_index, unusual_streams_have_no_index)
{
    static const uint8_t one[] = {1, 1}, two[] = {1, 1, 1};
    const ImgIdat none = {.count = 0};
    expect_none(&none, one, sizeof one, "no stream");
    for (uint32_t size = 0; size < 8; size++) {
        const ImgIdatPart part = {0, size, 0};
        ImgPngBlocks blocks =
            read_chunk(&(ImgIdat){.parts = (ImgIdatPart *)&part, .count = 1, .size = size}, one,
                       sizeof one, IMG_AFTER_IDAT);
        cr_expect_eq(blocks.count, size > 6, "%u bytes", size);
        img_png_blocks_free(&blocks);
    }
    const ImgIdatPart empty[] = {{0, 100, 0}, {0, 0, 100}};
    expect_none(&(ImgIdat){.parts = (ImgIdatPart *)empty, .count = 2, .size = 100}, two, sizeof two,
                "an empty chunk");
    const ImgIdatPart large[] = {{0, 1 << 29, 0}};
    expect_none(&(ImgIdat){.parts = (ImgIdatPart *)large, .count = 1, .size = 1 << 29}, one,
                sizeof one, "2^32 bits");
}

/* --- Indices in encoded files ----------------------------------------------------------------- */

typedef struct File {
    Bytes png;
    ImgMetadata metadata;
    ImgIdat idat;
    ImgPngEncodeReport report;
} File;

typedef enum Kind { NOISE, SMOOTH, TEXT, HALVES, KINDS } Kind;

static uint8_t make_sample(Kind kind, int32_t x, int32_t y, int32_t height)
{
    if (kind == HALVES)
        kind = y < height / 2 ? SMOOTH : TEXT;
    if (kind == NOISE)
        return (uint8_t)random_number();
    if (kind == SMOOTH)
        return (uint8_t)((uint32_t)(x * 3 + y * 5) / 16 + random_number() % 8);
    return (uint8_t)((x / 24 % 5 * 40 + (x + y) % 24 / 20) ^ (random_number() % 97 == 0));
}

static File make_file(Kind kind, int level, int threads, bool index)
{
    const ImgShape shape = {1500, 1200, {IMG_COLOR_GRAY, 8}};
    state = 1;
    ImgImage image = IMG_IMAGE_NONE;
    cr_assert_eq(img_image_alloc(shape, &image, NULL), IMG_OK);
    for (int32_t y = 0; y < shape.height; y++)
        for (int32_t x = 0; x < shape.width; x++)
            image.view.data[(size_t)y * image.view.stride + (size_t)x] =
                make_sample(kind, x, y, shape.height);
    ImgMetadata none = IMG_METADATA_NONE;
    ImgPngEncodeOptions options = {.level = level, .threads = threads, .index = index};
    MemoryFile memory = memory_file(NULL);
    ImgOutput *output = NULL;
    File file = {.metadata = IMG_METADATA_NONE};
    ImgPngHeader header;
    ImgPngScan scan;
    cr_assert_eq(img_output_open(memory.path, NULL, &output, NULL), IMG_OK);
    cr_assert_eq(img_png_encode(&image, &none, &options, output, &file.report, NULL), IMG_OK);
    cr_assert_eq(img_output_commit(&output, NULL), IMG_OK);
    file.png = read_all(memory.path);
    close(memory.fd);
    img_image_free(&image);
    cr_assert_eq(img_png_header(file.png.data, &header, NULL), IMG_OK);
    cr_assert_eq(img_png_scan(file.png.data, file.png.size, &header,
                              (ImgPngBudget){0, 1 << 24, NULL, NULL}, &file.metadata, &scan, NULL),
                 IMG_OK);
    cr_assert_eq(img_idat_list(file.png.data, file.png.size, &file.idat, NULL), IMG_OK);
    return file;
}

static void free_file(File *file)
{
    img_metadata_free(&file->metadata);
    img_idat_free(&file->idat);
    free(file->png.data);
}

/* Decompresses a stream with zlib. For each block that decompresses to at least one byte, writes
 * its start to `starts`, in bits from the start of the stream. Returns the number of these blocks,
 * which must be at most `room`. */
static size_t find_blocks(const ImgIdat *idat, uint32_t *starts, size_t room)
{
    enum { UNUSED_BITS = 7, AT_BLOCK = 128, OUT = 1 << 16 };
    uint8_t *stream = malloc(idat->size), *out = malloc(OUT);
    img_idat_copy(idat, 0, idat->size, stream);
    z_stream z = {.next_in = stream, .avail_in = (uInt)idat->size};
    cr_assert_eq(inflateInit(&z), Z_OK);
    size_t count = 0, written = 0;
    uint64_t start = 0;
    for (int code = Z_OK; code == Z_OK;) {
        z.next_out = out;
        z.avail_out = OUT;
        code = inflate(&z, Z_BLOCK);
        cr_assert(code == Z_OK || code == Z_STREAM_END);
        if (((unsigned)z.data_type & AT_BLOCK) == 0 && code == Z_OK)
            continue;
        cr_assert_lt(count, room);
        if (z.total_out > written)
            starts[count++] = (uint32_t)start;
        written = z.total_out;
        start = 8 * (uint64_t)z.total_in - ((unsigned)z.data_type & UNUSED_BITS);
    }
    inflateEnd(&z);
    free(stream);
    free(out);
    return count;
}

/* libdeflate does not report its blocks. At these levels the encoder does not use libdeflate for
 * strips of this size. */
Test(png_block_index, the_index_lists_the_blocks_that_zlib_finds)
{
    enum { ROOM = 1000 };
    static const int levels[] = {1, 3, 4};
    uint32_t found[ROOM];
    size_t runs = 0, matches = 0;
    for (Kind kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 3; i++) {
            File file = make_file(kind, levels[i], 2, true);
            ImgPngBlocks blocks;
            size_t count = find_blocks(&file.idat, found, ROOM);
            cr_assert_eq(img_png_blocks_read(&file.metadata, &file.idat, SIZE_MAX, &blocks, NULL),
                         IMG_OK);
            cr_assert_eq(blocks.count, count, "kind %d, level %d", (int)kind, levels[i]);
            cr_assert_arr_eq(blocks.starts, found, count * sizeof *found);
            runs += file.report.by_strategy[IMG_STRIP_BY_RUNS];
            matches += file.report.by_strategy[IMG_STRIP_BY_MATCHES];
            img_png_blocks_free(&blocks);
            free_file(&file);
        }
    cr_expect(runs > 0 && matches > 0, "else not all is tested");
}

static bool has_chunk(const File *file)
{
    return img_metadata_find(&file->metadata, IMG_PNG_BLOCK_INDEX_TYPE) != NULL;
}

/* The image data must be the same with and without the index. */
Test(png_block_index, it_is_written_together_with_the_index_of_strips)
{
    File with = make_file(SMOOTH, 4, 3, true), without = make_file(SMOOTH, 4, 1, false);
    cr_expect(has_chunk(&with));
    cr_expect_not(has_chunk(&without));
    const ImgChunk *last = &with.metadata.chunks[with.metadata.count - 1];
    cr_expect_str_eq(last->type, IMG_PNG_BLOCK_INDEX_TYPE);
    cr_expect_eq(last->place, IMG_AFTER_IDAT);
    cr_assert_eq(with.idat.count, without.idat.count);
    for (size_t i = 0; i < with.idat.count; i++) {
        cr_assert_eq(with.idat.parts[i].size, without.idat.parts[i].size);
        cr_assert_arr_eq(with.idat.file + with.idat.parts[i].at,
                         without.idat.file + without.idat.parts[i].at, with.idat.parts[i].size);
    }
    free_file(&with);
    free_file(&without);
}

/* At level 7 libdeflate encodes the strips that contain text, and does not report their blocks. */
Test(png_block_index, it_is_left_out_if_some_strips_are_unknown)
{
    File file = make_file(HALVES, 7, 1, true);
    cr_expect(file.report.by_strategy[IMG_STRIP_BY_RUNS] > 0);
    cr_expect(file.report.by_strategy[IMG_STRIP_BY_SEARCH] > 0);
    cr_expect_not(has_chunk(&file));
    free_file(&file);
}

Test(png_block_index, it_is_left_out_if_all_strips_are_unknown)
{
    File file = make_file(SMOOTH, 0, 1, true);
    cr_expect(file.report.index);
    cr_expect_not(has_chunk(&file));
    free_file(&file);
}

/* For any content of the chunk, the accepted positions must ascend and lie between the zlib header
 * and the Adler-32. */
Test(png_block_index, damaged_indices_are_harmless)
{
    File file = make_file(HALVES, 4, 1, true);
    const ImgChunk *right = img_metadata_find(&file.metadata, IMG_PNG_BLOCK_INDEX_TYPE);
    uint8_t *wrong = malloc(right->size);
    size_t accepted = 0;
    for (int round = 0; round < 20000; round++) {
        uint32_t size = round % 4 == 0 ? random_number() % right->size : right->size;
        memcpy(wrong, right->data, right->size);
        wrong[random_number() % right->size] ^= (uint8_t)(1U << random_number() % 8);
        if (round % 3 == 0)
            wrong[random_number() % right->size] = (uint8_t)random_number();
        ImgPngBlocks blocks = read_chunk(&file.idat, wrong, size, IMG_AFTER_IDAT);
        for (size_t i = 0; i < blocks.count; i++) {
            cr_assert_geq(blocks.starts[i], i == 0 ? 16 : blocks.starts[i - 1] + 1);
            cr_assert_lt(blocks.starts[i], (file.idat.size - 4) * 8);
        }
        accepted += blocks.count > 0;
        img_png_blocks_free(&blocks);
    }
    cr_expect_gt(accepted, 1000);
    free(wrong);
    free_file(&file);
}
