/* Tests of every method that deflates pieces of a stream. zlib must inflate the output to the same
 * bytes. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/png/deflate/deflate_runs.h"
#include "io/png/deflate/lz77.h"
#include "io/png/deflate/matches.h"
#include "io/png/deflate/search.h"
#include "kernels/core/parallel/cpu.h"
#include "tests/unit/sanitizers.h"

static uint64_t random_state = 1;

static uint32_t random_number(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33);
}

typedef enum Kind {
    CONSTANT,
    NOISE,
    SMALL_NOISE, /* similar to a filtered photograph */
    RUNS,
    SHORT_RUNS, /* runs of about the minimum length of a run */
    /* only two byte values in the bytes that the encoder counts as a sample (every 4th section of
     * 512 bytes), noise elsewhere */
    MISLEADING,
    RARE, /* some byte values are so rare that a sample contains few of them */
    TEXT,
    KINDS,
} Kind;

static uint8_t small_noise(void)
{
    return (uint8_t)(random_number() % 9 + random_number() % 9 - 8);
}

static void fill_runs(uint8_t *data, size_t size, unsigned least, unsigned spread)
{
    for (size_t i = 0; i < size;) {
        size_t length = least + random_number() % spread;
        uint8_t byte = (uint8_t)(random_number() % 3);
        for (; length > 0 && i < size; length--)
            data[i++] = byte;
        data[i < size ? i++ : 0] = small_noise();
    }
}

/* Returns data of `kind` in an allocation of exactly `size` bytes, so that a sanitizer reports a
 * read past the end. */
static uint8_t *make_data(Kind kind, size_t size)
{
    static const char words[] = "the quick brown fox jumps over the lazy dog; ";
    uint8_t *data = malloc(size > 0 ? size : 1);
    cr_assert_not_null(data);
    for (size_t i = 0; i < size; i++) {
        bool sampled = i / 512 % 4 == 0;
        uint8_t by_kind[KINDS] = {
            [CONSTANT] = 7,
            [NOISE] = (uint8_t)random_number(),
            [SMALL_NOISE] = small_noise(),
            [MISLEADING] = sampled ? (uint8_t)(i % 2) : (uint8_t)random_number(),
            [RARE] = random_number() % 3000 == 0 ? (uint8_t)random_number() : (uint8_t)(i % 3),
            [TEXT] = (uint8_t)words[(i + i / 300 * 7) % (sizeof words - 1)],
        };
        data[i] = by_kind[kind];
    }
    if (kind == RUNS)
        fill_runs(data, size, 1, 1000);
    if (kind == SHORT_RUNS)
        fill_runs(data, size, 4, 10);
    return data;
}

static void expect_inflated(uint8_t *stream, size_t size, const uint8_t *data, size_t data_size)
{
    uint8_t *back = malloc(data_size + 1);
    z_stream z = {.next_in = stream, .avail_in = (uInt)size};
    z.next_out = back;
    z.avail_out = (uInt)data_size + 1;
    cr_assert_eq(inflateInit2(&z, -15), Z_OK);
    cr_assert_eq(inflate(&z, Z_FINISH), Z_STREAM_END, "%s", z.msg != NULL ? z.msg : "no end");
    cr_assert_eq(z.avail_in, 0);
    cr_assert_eq(z.total_out, data_size);
    cr_assert_arr_eq(back, data, data_size);
    inflateEnd(&z);
    free(back);
}

/* --- Every method, with one interface --------------------------------------------------------- */

/* A method of deflating data, with its parameters. deflate_by uses img_deflate_runs if `loops` is
 * set, img_deflate_matches if matches.hashed > 0, img_deflate_search if search > 0, and
 * img_deflate_lz77 if lz77.depth > 0. Otherwise it uses img_deflate_stored. */
typedef struct Way {
    const char *name;
    const ImgRunsLoops *loops;
    unsigned step; /* ImgRunsScratch.sample_step */
    int search;
    ImgMatchRows matches;
    ImgLz77Effort lz77;
} Way;

static bool runs_here(const ImgRunsLoops *loops)
{
#ifdef IMGTOOL_X86
    if (loops == &img_runs_avx2)
        return img_cpu_level() >= IMG_CPU_AVX2;
    if (loops == &img_runs_vbmi)
        return img_runs_loops() == loops;
#endif
    return loops == &img_runs_portable;
}

static const Way WAYS[] = {
    {.name = "portable", .loops = &img_runs_portable, .step = 4},
#ifdef IMGTOOL_X86
    {.name = "AVX2", .loops = &img_runs_avx2, .step = 4},
    {.name = "AVX-512 VBMI", .loops = &img_runs_vbmi, .step = 4},
#endif
    {.name = "portable, all counted", .loops = &img_runs_portable, .step = 1},
    {.name = "portable, half counted", .loops = &img_runs_portable, .step = 2},
    {.name = "stored"},
    {.name = "matches of values", .matches = {3, 301, 6}},
    {.name = "matches of indices", .matches = {1, 75, 4}},
    {.name = "search 1", .search = 1},
    {.name = "search 12", .search = 12},
    {.name = "LZ77 from 3", .lz77 = {IMG_LZ77_FROM_3, 64, 258, 64, 258, 258}},
    {.name = "LZ77 from 4", .lz77 = {IMG_LZ77_FROM_4, 8, 128, 128, 1, 4}},
    {.name = "LZ77 from 6", .lz77 = {IMG_LZ77_FROM_6, 8, 64, 16, 16, 16}},
    {.name = "LZ77, fast", .lz77 = {IMG_LZ77_FROM_6, 1, 8, 0, 0, 0}},
};
enum { WAY_COUNT = sizeof WAYS / sizeof WAYS[0] };

static size_t bound(const Way *way, size_t size)
{
    if (way->lz77.depth > 0 || way->matches.hashed > 0)
        return 2 * size + 1000;
    return way->search > 0 ? img_deflate_search_bound(size) : img_deflate_runs_bound(size);
}

/* Deflates data with the method `way`. The output is allocated with exactly the size of its bound.
 * The caller frees it. */
static uint8_t *deflate_by(const Way *way, const uint8_t *data, size_t size, bool last,
                           size_t *written)
{
    uint8_t *out = malloc(bound(way, size));
    if (way->loops != NULL) {
        ImgRunsScratch *work = malloc(sizeof *work);
        work->loops = way->loops;
        work->sample_step = way->step;
        *written = img_deflate_runs(work, data, size, last, out, NULL);
        free(work);
    } else if (way->matches.hashed > 0) {
        ImgMatches *work = img_matches_create();
        *written = img_deflate_matches(work, &way->matches, data, size, last, out,
                                       bound(way, size) - IMG_BITS_SLACK, NULL);
        img_matches_free(work);
    } else if (way->search > 0) {
        ImgSearch *search = img_search_create(way->search);
        *written = img_deflate_search(search, data, size, last, out);
        img_search_free(search);
    } else if (way->lz77.depth > 0) {
        ImgLz77 *work = img_lz77_create();
        *written = img_deflate_lz77(work, &way->lz77, data, size, last, out,
                                    bound(way, size) - IMG_BITS_SLACK, NULL);
        img_lz77_free(work);
    } else {
        *written = img_deflate_stored(data, size, last, out);
    }
    cr_assert(*written > 0 && *written <= bound(way, size), "%s: %zu bytes become %zu", way->name,
              size, *written);
    return out;
}

static void expect_identity(const Way *way, Kind kind, size_t size)
{
    size_t written;
    uint8_t *data = make_data(kind, size);
    uint8_t *out = deflate_by(way, data, size, true, &written);
    expect_inflated(out, written, data, size);
    free(out);
    free(data);
}

Test(png_deflate, every_small_size_round_trips)
{
    for (int w = 0; w < WAY_COUNT; w++) {
        if (WAYS[w].loops != NULL && !runs_here(WAYS[w].loops))
            continue;
        int step = WAYS[w].search == 12 ? 37 : EVERY(7);
        for (int kind = 0; kind < KINDS; kind++)
            for (size_t size = 1; size <= 600; size += (size_t)step)
                expect_identity(&WAYS[w], kind, size);
    }
}

Test(png_deflate, large_sizes_round_trip)
{
    static const size_t sizes[] = {65535, 65536, 131071, 131072, 131073, 400001};
    for (int w = 0; w < WAY_COUNT; w++) {
        if (WAYS[w].loops != NULL && !runs_here(WAYS[w].loops))
            continue;
        for (int kind = 0; kind < KINDS; kind++)
            for (size_t i = (size_t)(w + kind) % EVERY(6); i < sizeof sizes / sizeof sizes[0];
                 i += EVERY(6))
                expect_identity(&WAYS[w], kind, sizes[i]);
    }
}

/* Different methods deflate the pieces independently. The pieces must form one valid stream. */
Test(png_deflate, pieces_form_one_stream)
{
    uint8_t *data = make_data(TEXT, 300000);
    for (int round = 0; round < 60; round++) {
        uint8_t *stream = malloc(700000);
        size_t at = 0, used = 0;
        for (bool last = false; !last;) {
            const Way *way = &WAYS[random_number() % WAY_COUNT];
            if (way->loops != NULL && !runs_here(way->loops))
                continue;
            size_t size = 1 + random_number() % 20000, written;
            last = used > 100000;
            uint8_t *out = deflate_by(way, data + used, size, last, &written);
            memcpy(stream + at, out, written);
            free(out);
            at += written;
            used += size;
        }
        expect_inflated(stream, at, data, used);
        free(stream);
    }
    free(data);
}

/* Returns the size of `size` bytes in stored blocks. A block holds up to 65535 bytes and takes five
 * bytes more. */
static size_t stored_size(size_t size)
{
    return size + (size + 65534) / 65535 * 5;
}

Test(png_deflate, data_that_does_not_shrink_is_stored)
{
    static const Kind kinds[] = {NOISE, MISLEADING};
    for (size_t k = 0; k < 2; k++) {
        size_t size = 3 << 17, written;
        uint8_t *data = make_data(kinds[k], size);
        free(deflate_by(&WAYS[0], data, size, true, &written));
        cr_expect_leq(written, stored_size(size) + 3 * 8);
        free(data);
    }
}

/* Each byte of the noise is the sum of two small random numbers, which form 81 equally likely
 * pairs. The Huffman codes for the sums of all 81 pairs take 317 bits, and one more if the end of
 * the block has one of the longest codes. A run takes a few bits for any length. */
Test(png_deflate, compressible_data_reaches_the_expected_size)
{
    size_t written, size = 1 << 20;
    uint8_t *noise = make_data(SMALL_NOISE, size), *same = make_data(CONSTANT, size);
    free(deflate_by(&WAYS[0], noise, size, true, &written));
    cr_expect_leq((double)written, 1.002 * 318 / 81 / 8 * (double)size);
    free(deflate_by(&WAYS[0], same, size, true, &written));
    cr_expect_leq(written, 2000);
    free(noise);
    free(same);
}

Test(png_deflate, every_instruction_level_gives_the_same_bytes)
{
    for (int kind = 0; kind < KINDS; kind++) {
        size_t size = 300007, expected, written;
        uint8_t *data = make_data(kind, size);
        uint8_t *reference = deflate_by(&WAYS[0], data, size, true, &expected);
        for (int w = 1; w < WAY_COUNT && WAYS[w].step == WAYS[0].step; w++) {
            if (!runs_here(WAYS[w].loops))
                continue;
            uint8_t *out = deflate_by(&WAYS[w], data, size, true, &written);
            cr_assert_eq(written, expected, "%s", WAYS[w].name);
            cr_assert_arr_eq(out, reference, expected, "%s", WAYS[w].name);
            free(out);
        }
        free(reference);
        free(data);
    }
}

Test(png_deflate, a_buffer_that_is_too_small_gives_no_matches)
{
    const ImgMatchRows rows = {1, 100, 6};
    uint8_t *data = make_data(NOISE, 5000), *out = malloc(4000 + IMG_BITS_SLACK);
    ImgMatches *work = img_matches_create();
    cr_expect_eq(img_deflate_matches(work, &rows, data, 5000, true, out, 4000, NULL), 0);
    img_matches_free(work);
    free(out);
    free(data);
}

/* If the output does not fit the buffer, its size is 0. No byte after the slack of the buffer is
 * written. */
Test(png_deflate, lz77_keeps_to_its_buffer)
{
    static const ImgLz77Effort effort = {IMG_LZ77_FROM_4, 8, 64, 16, 16, 16};
    enum { SIZE = 60000 };
    uint8_t *data = make_data(TEXT, SIZE);
    ImgLz77 *work = img_lz77_create();
    uint8_t *out = malloc(SIZE);
    size_t whole =
        img_deflate_lz77(work, &effort, data, SIZE, false, out, SIZE - IMG_BITS_SLACK, NULL);
    cr_assert(whole > 100 && whole < SIZE / 2);
    for (size_t room = 0; room < whole + 10; room += room < whole - 10 ? 97 : 1) {
        uint8_t *small = malloc(room + IMG_BITS_SLACK);
        size_t made = img_deflate_lz77(work, &effort, data, SIZE, false, small, room, NULL);
        cr_assert(made == 0 || made == whole, "%zu bytes of room", room);
        cr_assert(made <= room && (made > 0 || room < whole + IMG_PIECE_END_BYTES));
        cr_assert(made == 0 || memcmp(small, out, whole) == 0);
        free(small);
    }
    img_lz77_free(work);
    free(out);
    free(data);
}

/* The working memory contains the state of earlier pieces, which must not affect the output. */
Test(png_deflate, lz77_does_not_depend_on_earlier_pieces)
{
    for (int w = 0; w < WAY_COUNT; w++) {
        if (WAYS[w].lz77.depth == 0)
            continue;
        enum { ROOM = 200000 };
        uint8_t *first = malloc(ROOM), *again = malloc(ROOM);
        ImgLz77 *work = img_lz77_create();
        for (int kind = 0; kind < KINDS; kind++) {
            uint8_t *data = make_data(kind, 70001);
            ImgLz77 *fresh = img_lz77_create();
            memset(fresh, kind, 1 << 17); /* arbitrary values in the first hash table */
            size_t a = img_deflate_lz77(fresh, &WAYS[w].lz77, data, 70001, true, first,
                                        ROOM - IMG_BITS_SLACK, NULL);
            size_t b = img_deflate_lz77(work, &WAYS[w].lz77, data, 70001, true, again,
                                        ROOM - IMG_BITS_SLACK, NULL);
            cr_assert_eq(a, b);
            cr_assert_arr_eq(first, again, a);
            img_lz77_free(fresh);
            free(data);
        }
        img_lz77_free(work);
        free(first);
        free(again);
    }
}

/* Threads take pieces in any order, but the file must always be the same. So the output for a piece
 * must not depend on an earlier piece. */
Test(png_deflate, matches_do_not_depend_on_earlier_pieces)
{
    enum { SIZE = 200000, ROOM = 2 * SIZE };
    uint8_t *data = malloc(SIZE), *fresh = malloc(ROOM), *used = malloc(ROOM);
    static const ImgMatchRows kinds[] = {{1, 90, 6}, {1, 31, 4}, {4, 40001, 6}};
    for (int kind = 0; kind < 3; kind++) {
        ImgMatches *experienced = img_matches_create();
        for (int round = 0; round < 20; round++) {
            size_t size = 1 + random_number() % SIZE;
            for (size_t i = 0; i < size; i++)
                data[i] = i > 90 && random_number() % 8 ? data[i - 90] : (uint8_t)random_number();
            ImgMatches *work = img_matches_create();
            memset(fresh, round, ROOM);
            size_t expected = img_deflate_matches(work, &kinds[kind], data, size, false, fresh,
                                                  ROOM - IMG_BITS_SLACK, NULL);
            size_t found = img_deflate_matches(experienced, &kinds[kind], data, size, false, used,
                                               ROOM - IMG_BITS_SLACK, NULL);
            img_matches_free(work);
            cr_assert(expected > 0);
            cr_assert_eq(found, expected);
            cr_assert_arr_eq(used, fresh, expected);
        }
        img_matches_free(experienced);
    }
    free(used);
    free(fresh);
    free(data);
}
