/* Tests of image data in many IDAT chunks, some of them empty. */
#include "io/png/chunks.h"
#include "io/png/idat.h"
#include "io/size_text.h"
#include "test_io_png.h"

static const ImgShape SHAPE = {200, 100, {IMG_COLOR_GRAY, 8}};

/* Returns a PNG whose stream is divided into chunks of `piece` bytes. `empty` empty chunks stand
 * before each of them and at the end. */
static Bytes png_of(const Bytes *stream, size_t piece, int empty)
{
    Bytes png = {0};
    put_test_header(&png, SHAPE, false);
    for (size_t at = 0; at <= stream->size; at += piece) {
        const size_t left = stream->size - at;
        for (int i = 0; i < empty; i++)
            put_chunk(&png, "IDAT", NULL, 0);
        if (left > 0)
            put_chunk(&png, "IDAT", stream->data + at, left < piece ? left : piece);
    }
    put_end(&png);
    return png;
}

/* Returns a zlib stream of stored blocks with slightly more than 20,000 bytes. */
static Bytes some_stream(void)
{
    Bytes raw = test_rows(SHAPE, false);
    uLongf size = compressBound(raw.size);
    Bytes stream = {malloc(size), 0, size};
    cr_assert_eq(compress2(stream.data, &size, raw.data, raw.size, 0), Z_OK);
    stream.size = size;
    free(raw.data);
    return stream;
}

static void expect_pixels_of(const Bytes *png, const ImgLimits *limits)
{
    ImgError err = {IMG_OK, ""};
    ImgImage image;
    ImgMetadata metadata;
    cr_assert_eq(read_png(png, limits, &image, &metadata, &err), IMG_OK, "%s", err.message);
    expect_test_pixels(&image.view);
    img_image_free(&image);
    img_metadata_free(&metadata);
}

/* Empty chunks are not listed, because an entry of the list takes more memory than an empty chunk
 * has bytes. */
Test(png_idat, empty_chunks_are_not_listed)
{
    Bytes stream = some_stream(), png = png_of(&stream, 1000, 300);
    const size_t pieces = (stream.size + 999) / 1000;
    ImgIdat idat = {0};
    cr_assert_eq(img_idat_list(png.data, png.size, &idat, NULL), IMG_OK);
    cr_expect_eq(idat.count, 1 + pieces, "the first one stays");
    cr_expect_eq(idat.size, stream.size);
    uint8_t *copy = malloc(stream.size);
    img_idat_copy(&idat, 0, stream.size, copy);
    cr_expect_arr_eq(copy, stream.data, stream.size);
    free(copy);
    img_idat_free(&idat);
    expect_pixels_of(&png, &WIDE_LIMITS);
    free(png.data);
    free(stream.data);
}

Test(png_idat, a_file_with_only_empty_chunks_is_rejected)
{
    const Bytes none = {0};
    Bytes png = png_of(&none, 1, 3);
    ImgIdat idat = {0};
    cr_assert_eq(img_idat_list(png.data, png.size, &idat, NULL), IMG_OK);
    cr_expect_eq(idat.count, 1);
    cr_expect_eq(idat.size, 0);
    img_idat_free(&idat);
    expect_damage(&png, "too short");
    free(png.data);
}

Test(png_idat, a_wrong_crc_of_an_empty_chunk_is_found)
{
    Bytes stream = some_stream(), png = png_of(&stream, stream.size, 2);
    /* changes a byte of the CRC of the second IDAT chunk */
    png.data[IMG_PNG_HEADER_BYTES + 2 * IMG_PNG_FRAME_BYTES - 1] ^= 1;
    expect_damage(&png, "wrong CRC in the image data");
    free(png.data);
    free(stream.data);
}

/* The reader has fixed memory for OWN entries of the list of IDAT chunks. Only further entries
 * count against max_memory, exactly to the byte. */
Test(png_idat, the_list_counts_against_the_memory_limit)
{
    enum { OWN = 1 << 12 };
    Bytes stream = some_stream(), png = png_of(&stream, 1, 1);
    cr_assert_gt(stream.size, 2 * OWN);
    const uint64_t need = png.size + 200 * 100 + (stream.size - OWN) * sizeof(ImgIdatPart);
    char words[160], needed[IMG_SIZE_TEXT], limit[IMG_SIZE_TEXT];
    ImgLimits limits = WIDE_LIMITS;
    limits.max_memory = png.size + 200 * 100;
    snprintf(words, sizeof words, "need at least %s of memory, more than the limit of %s; ask",
             img_size_text(need, needed), img_size_text(limits.max_memory, limit));
    expect_failure_within(&png, &limits, IMG_E_LIMIT, words);
    limits.max_memory = need - 1;
    expect_failure_within(&png, &limits, IMG_E_LIMIT, "ask for more memory");
    limits.max_memory = need;
    expect_pixels_of(&png, &limits);
    free(png.data);
    png = png_of(&stream, (stream.size + OWN - 1) / OWN, 1);
    limits.max_memory = png.size + 200 * 100;
    expect_pixels_of(&png, &limits);
    free(png.data);
    free(stream.data);
}

/* The list entry of an empty chunk that is not IDAT takes more memory than the chunk has bytes. It
 * must count, too. */
Test(png_idat, entries_of_other_chunks_count_too)
{
    enum { OWN = 1 << 12, MORE = 1000 };
    Bytes png = {0};
    put_test_header(&png, SHAPE, false);
    for (int i = 0; i < OWN + MORE; i++)
        put_chunk(&png, "abCd", NULL, 0);
    put_test_rows(&png, SHAPE, false);
    put_end(&png);
    ImgLimits limits = WIDE_LIMITS;
    limits.max_memory = png.size + 200 * 100 + MORE * sizeof(ImgChunk);
    expect_failure_within(&png, &limits, IMG_E_LIMIT, "the chunks beside them need at least");
    limits.max_memory = png.size + 200 * 100 + MORE * (2 * sizeof(ImgChunk) + 32);
    expect_pixels_of(&png, &limits);
    free(png.data);
}

/* --- Files that are read in pieces --------------------------------------------------------------
 */

typedef struct Reading {
    const Bytes *png;
    size_t most; /* size of the largest piece */
} Reading;

static void read_piece(void *context, uint64_t at, size_t size, uint8_t *to)
{
    Reading *reading = context;
    cr_assert(at <= reading->png->size && size <= reading->png->size - at);
    memcpy(to, reading->png->data + at, size);
    reading->most = size > reading->most ? size : reading->most;
}

/* Lists and checks a file of 5 MiB whose chunks have `piece` bytes. */
static void expect_pieces(size_t piece)
{
    const size_t size = 5 << 20;
    Bytes stream = {calloc(1, size), size, size}, png = png_of(&stream, piece, 1);
    Reading reading = {.png = &png};
    const ImgPieces pieces = {read_piece, &reading};
    ImgIdat idat = {.pieces = &pieces}, in_memory = {0};
    cr_assert_eq(img_idat_list(NULL, png.size, &idat, NULL), IMG_OK);
    cr_assert_eq(img_idat_list(png.data, png.size, &in_memory, NULL), IMG_OK);
    cr_assert_eq(idat.count, in_memory.count);
    cr_assert_eq(idat.size, size);
    for (size_t i = 0; i < idat.count; i++) {
        cr_expect(img_idat_part_is_sound(&idat, i), "part %zu", i);
        cr_expect(img_idat_part_is_sound(&in_memory, i), "part %zu", i);
        cr_expect_eq(idat.parts[i].at, in_memory.parts[i].at);
    }
    cr_expect_leq(reading.most, IMG_PIECE_BYTES);
    const ImgIdatPart *last = &idat.parts[idat.count - 1];
    png.data[last->at + last->size - 1] ^= 1;
    cr_expect_not(img_idat_part_is_sound(&idat, idat.count - 1), "the last byte counts");
    img_idat_free(&idat);
    img_idat_free(&in_memory);
    free(png.data);
    free(stream.data);
}

Test(png_idat, large_files_are_checked_piece_by_piece)
{
    expect_pieces(5 << 20);
    expect_pieces(8192);
}
