/* Checks the GPU decoder with right and wrong lists of the positions of deflate blocks. With a
 * right list the decoder need not search for blocks. With a wrong list decoding may take longer, or
 * the GPU cannot verify its result and leaves the file to the CPU. With any list, the decoder must
 * never give wrong pixels, access memory out of bounds, or let a kernel run forever. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/png/cuda/decode/png_decode_cuda.h"
#include "io/png/decode.h"
#include "tests/checkcodec/png_compare.h"

enum { LISTED_MOST = 1 << 14 };

/* --- Lists ------------------------------------------------------------------------------------ */

static void add(ImgPngBlocks *blocks, uint32_t start)
{
    if (blocks->starts == NULL && (blocks->starts = malloc(LISTED_MOST * sizeof start)) == NULL)
        abort();
    if (blocks->count < LISTED_MOST)
        blocks->starts[blocks->count++] = start;
}

ImgPngBlocks find_blocks(const Bytes *file)
{
    enum { UNUSED_BITS = 7, AT_BLOCK = 128, OUT = 1 << 16 };
    ImgIdat idat = {0};
    ImgPngBlocks blocks = {0};
    if (img_idat_list(file->data, file->size, &idat, NULL) != IMG_OK)
        abort();
    uint8_t *stream = malloc(idat.size + 1), *out = malloc(OUT);
    img_idat_copy(&idat, 0, idat.size, stream);
    z_stream zlib = {.next_in = stream, .avail_in = (uInt)idat.size};
    if (inflateInit(&zlib) != Z_OK)
        abort();
    uint32_t start = 0;
    size_t written = 0;
    for (int code = Z_OK; code == Z_OK;) {
        zlib.next_out = out;
        zlib.avail_out = OUT;
        code = inflate(&zlib, Z_BLOCK);
        if (code == Z_OK && ((unsigned)zlib.data_type & AT_BLOCK) == 0)
            continue;
        if (zlib.total_out > written)
            add(&blocks, start);
        written = zlib.total_out;
        start = (uint32_t)(8 * zlib.total_in) - ((unsigned)zlib.data_type & UNUSED_BITS);
    }
    inflateEnd(&zlib);
    free(stream);
    free(out);
    img_idat_free(&idat);
    return blocks;
}

/* Returns the position in bits where the blocks of a file end and the Adler-32 starts. */
static uint32_t end_of_blocks(const Bytes *file)
{
    ImgIdat idat = {0};
    if (img_idat_list(file->data, file->size, &idat, NULL) != IMG_OK)
        abort();
    uint64_t end = (idat.size - IMG_ZLIB_ADLER_BYTES) * 8;
    img_idat_free(&idat);
    return (uint32_t)end;
}

/* --- Wrong lists ------------------------------------------------------------------------------ */

typedef enum Lie {
    RIGHT,
    LATE,          /* all starts except the first are one bit too late */
    EARLY,         /* all starts except the first are one bit too early */
    FIRST_ALONE,   /* only the first start is listed */
    FIRST_MISSING, /* all starts except the first are listed */
    SOME_MISSING,  /* every other start is missing */
    MORE,          /* additional positions between the starts */
    RANDOM,        /* random positions */
    /* Number of the kinds above. In all of them the positions ascend and lie inside the stream; in
     * each kind below they do not. */
    SOUND_LIES,
    DESCENDING = SOUND_LIES,
    TWICE,
    PAST_THE_END,
    FAR_PAST_THE_END,
    LIES,
} Lie;

static const char *const LIE_NAMES[LIES] = {
    "right", "late", "early",   "first alone", "first missing",    "some missing",
    "more",  "any",  "falling", "each twice",  "one past the end", "one far past the end",
};

static void add_within(ImgPngBlocks *blocks, uint32_t from, uint32_t to)
{
    for (uint32_t n = random_below(4); n > 0 && from + 1 < to; n--) {
        from += 1 + random_below(to - from - 1);
        add(blocks, from);
    }
}

static ImgPngBlocks tell(Lie lie, const ImgPngBlocks *right, uint32_t end)
{
    ImgPngBlocks told = {0};
    size_t count = right->count;
    for (size_t i = 0; i < count; i++) {
        uint32_t start = right->starts[lie == DESCENDING ? count - 1 - i : i];
        bool missing = (lie == FIRST_ALONE && i > 0) || (lie == FIRST_MISSING && i == 0) ||
                       (lie == SOME_MISSING && i % 2 > 0) || lie == RANDOM;
        start += lie == LATE && i > 0;
        start -= lie == EARLY && i > 0;
        if (!missing)
            add(&told, start);
        if (lie == TWICE)
            add(&told, start);
        if (lie == MORE)
            add_within(&told, start, i + 1 < count ? right->starts[i + 1] : end);
    }
    if (lie == PAST_THE_END || lie == FAR_PAST_THE_END)
        add(&told, lie == PAST_THE_END ? end : UINT32_MAX);
    for (uint32_t at = 0; lie == RANDOM && at < end; at += 1 + random_below(end / 4 + 1))
        add(&told, at);
    return told;
}

/* Returns true if the list is longer than the decoder accepts. The decoder then ignores the list
 * and searches for blocks. */
static bool is_passed_over(const Bytes *file, const ImgPngBlocks *told)
{
    ImgIdat idat = {0};
    ImgPngCudaPlan plan;
    ImgPngHeader header;
    if (img_png_header(file->data, &header, NULL) != IMG_OK ||
        img_idat_list(file->data, file->size, &idat, NULL) != IMG_OK ||
        !img_png_cuda_plan(header.shape, idat.size, idat.count, &plan))
        abort();
    img_idat_free(&idat);
    return told->count > plan.blocks_most;
}

/* Decodes a valid file with the list `told`. The GPU must verify the file if the positions ascend
 * and lie inside the stream, and also if it ignores the list because it is too long. With any other
 * list the GPU must not verify the file. */
static void try_lie(const Bytes *file, const ImgPngBlocks *told, Lie lie, const char *what)
{
    char name[300];
    bool reads, falls = (lie == DESCENDING && told->count < 2) || is_passed_over(file, told);
    uint32_t status;
    snprintf(name, sizeof name, "%s, list: %s", what, LIE_NAMES[lie]);
    bool verified = compare_with_blocks(file, told, name, &reads, &status);
    if (verified != (lie < SOUND_LIES || falls)) {
        printf("%s: %s, status %u\n", name, verified ? "verified" : "not verified", status);
        png_failures++;
    }
}

void try_lies(const Bytes *file, const char *what)
{
    uint32_t end = end_of_blocks(file);
    ImgPngBlocks right = find_blocks(file);
    for (Lie lie = 0; lie < LIES; lie++) {
        ImgPngBlocks told = tell(lie, &right, end);
        try_lie(file, &told, lie, what);
        free(told.starts);
    }
    free(right.starts);
}

/* --- Files ------------------------------------------------------------------------------------ */

static Bytes make_file(ImgShape shape, Pattern pattern, const Packing *packing)
{
    Bytes rows = make_rows(shape, pattern);
    Bytes stream = make_stream(&rows, filtered_row_bytes(shape), packing);
    Bytes file = make_png(shape, &stream, packing);
    free(rows.data);
    free(stream.data);
    return file;
}

/* Decodes a file with more blocks of fixed codes than the decoder finds without a list. The GPU can
 * verify this file only with its list. */
static void only_the_list_leads_through(void)
{
    static const char what[] = "many blocks of fixed codes";
    const ImgShape shape = {40, 1800, {IMG_COLOR_GRAY, 8}};
    Bytes file = make_file(
        shape, SMOOTH,
        &(Packing){6, Z_FIXED, 15, 8, .flush = Z_SYNC_FLUSH, .flush_rows = 3, .part_bytes = 0});
    bool reads;
    uint32_t status;
    ImgPngBlocks right = find_blocks(&file);
    if (compare_decoders(&file, what, &reads, &status) || (status & IMG_PNG_CUDA_LISTS_FULL) == 0) {
        printf("%s: the search was enough, status %u\n", what, status);
        png_failures++;
    }
    try_lie(&file, &right, RIGHT, what);
    free(right.starts);
    free(file.data);
}

/* Decodes a file with a list that is longer than the decoder accepts. The decoder must ignore the
 * list and search for blocks. */
static void too_many_are_passed_over(void)
{
    static const char what[] = "a list that is too long";
    const ImgShape shape = {60, 60, {IMG_COLOR_RGB, 8}};
    Bytes file =
        make_file(shape, SMOOTH, &(Packing){6, Z_DEFAULT_STRATEGY, 15, 1, .part_bytes = 0});
    ImgPngBlocks told = {0};
    for (uint32_t i = 0; i < LISTED_MOST; i++)
        add(&told, 17 + i);
    try_lie(&file, &told, RIGHT, what);
    free(told.starts);
    free(file.data);
}

/* Decodes files of two strips that imgtool writes together with a list of blocks. */
static void own_lists(void)
{
    static const Pattern patterns[] = {SMOOTH, REPEATS};
    for (int i = 0; i < 2; i++) {
        char what[60];
        Bytes file = make_own((ImgShape){1300, 1290, {IMG_COLOR_GRAY, 8}}, patterns[i], 4, 1);
        snprintf(what, sizeof what, "own file of two strips, %zu bytes", file.size);
        if (memmem(file.data, file.size, IMG_PNG_BLOCK_INDEX_TYPE, 4) == NULL) {
            printf("%s: it has no list\n", what);
            png_failures++;
        }
        expect_verified(&file, what);
        free(file.data);
    }
}

void try_lists(void)
{
    only_the_list_leads_through();
    too_many_are_passed_over();
    own_lists();
}
