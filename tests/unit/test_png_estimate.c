/* Tests of estimates of the bits that runs and matches save in windows of strips (estimate_rule.h):
 * values worked out by hand, and comparison with a plain version. Also tests the rule of small
 * strips (small_rule.h). */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

#include "io/png/deflate/logarithm.h"
#include "io/png/encode/estimate.h"
#include "io/png/encode/small_rule.h"

static uint64_t random_state = 1;

static uint32_t random_number(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33);
}

typedef struct Estimate {
    uint32_t runs, saved;
} Estimate;

static Estimate estimate_of(const ImgRunsLoops *loops, const uint8_t *data, size_t size,
                            uint32_t stride)
{
    /* Static, so that it still has the content of earlier calls, which must not affect the
     * result. */
    static ImgEstimator estimator;
    estimator.loops = loops;
    Estimate estimate = {img_estimate_runs(&estimator, data, size), 0};
    estimate.saved = img_estimate_matches(&estimator, stride);
    return estimate;
}

static void expect_estimate(const uint8_t *data, size_t size, uint32_t stride, Estimate expected)
{
    const Estimate found = estimate_of(img_runs_loops(), data, size, stride);
    cr_expect_eq(found.runs, expected.runs, "%u, not %u", found.runs, expected.runs);
    cr_expect_eq(found.saved, expected.saved, "saved: %u, not %u", found.saved, expected.saved);
}

/* --- Values worked out by hand ---------------------------------------------------------------- */

/* A row length that exceeds all data here, so that no byte has a row above. The estimate counts
 * only the literals in the first 512 of each 1024 bytes, and counts each of them twice. */
enum { NO_ROW = 20000 };

/* The data are one literal and four matches, the last of which has 225 bytes. Costs are in
 * sixteenths of a bit; for 5 symbols, 16 log2 5 is 37.15. The literal counts double (16 log2 2 =
 * 16) and costs 37.15 - 16. A match costs 37.15 - 16 log2 4 = 37.15 - 32, plus 2 bits, which are
 * 32. */
Test(png_estimate, one_byte_repeated_matches)
{
    uint8_t data[1000];
    memset(data, 9, sizeof data);
    expect_estimate(data, sizeof data, NO_ROW, (Estimate){2 * 21 + 4 * (37 - 32 + 32), 0});
    expect_estimate(data, sizeof data, 100, (Estimate){2 * 21 + 4 * (37 - 32 + 32), 0});
    expect_estimate(data, 1, 100, (Estimate){2 * 8, 0}); /* a literal costs at least half a bit */
}

Test(png_estimate, every_byte_once_matches)
{
    uint8_t data[256];
    for (int i = 0; i < 256; i++)
        data[i] = (uint8_t)i;
    expect_estimate(data, sizeof data, NO_ROW, (Estimate){256 * 2 * (8 - 1) * 16, 0});
    expect_estimate(data, sizeof data, 16, (Estimate){256 * 2 * (8 - 1) * 16, 0});
}

/* Seven bytes are too few for a run, so there are 1024 literals; 16 log2 1024 is 160 sixteenths of
 * a bit. Of each eight bytes, seven have one value and would cost 160 - 16 log2 896 = 3.1 each. The
 * eighth byte costs 160 - 16 log2 128 = 48. */
Test(png_estimate, a_literal_costs_at_least_half_a_bit)
{
    uint8_t data[1024];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = i % 8 == 7;
    const Estimate found = estimate_of(img_runs_loops(), data, sizeof data, NO_ROW);
    cr_expect_eq(found.runs, 896 * 8 + 128 * 48);
}

/* 100 bytes appear twice. Then byte 250 appears 400 times: one literal and two matches. In all
 * there are 203 symbols; 16 log2 203 is 122.6 sixteenths of a bit. Literals count double. A literal
 * of the rows has a count of 4 and costs 122.6 minus 32; literal 250 has a count of 2 and costs
 * 122.6 minus 16. Matches have a count of 2, and cost 122.6 minus 16, plus 2 bits.
 * A match of 64 bytes saves 336 bits, and one of 36 bytes another 178. Without a row above only the
 * bytes at position 0 are found, because all entries of the table are still 0. */
Test(png_estimate, a_repeated_row_matches)
{
    uint8_t data[600];
    const uint32_t runs = 100 * 4 * 90 + 2 * 106 + 2 * (106 + 32);
    for (int i = 0; i < 600; i++)
        data[i] = (uint8_t)(i < 200 ? i % 100 : 250);
    expect_estimate(data, sizeof data, 100, (Estimate){runs, 336 + 178});
    expect_estimate(data, sizeof data, NO_ROW, (Estimate){runs, 336});
    expect_estimate(data, sizeof data, 99, (Estimate){runs, 336});
}

/* The data are two equal rows of 100 bytes, and then 400 bytes of the value 250. A row has 71
 * different literals, and a run of 29 bytes that is one match. The 250s are one literal and two
 * matches. In all there are 147 symbols: 143 literals and 4 matches. 16 log2 147 is 115.2
 * sixteenths of a bit. Literals count double. A literal of the rows therefore has a count of 4 and
 * costs 115.2 minus 32; literal 250 has a count of 2 and costs 115.2 minus 16. Matches have a count
 * of 4, and cost 115.2 minus 32, plus 2 bits. LZ77 finds two matches in the second row, each of
 * which costs 24 bits. The first one starts at 100 and ends in the run. It saves 41 literals and
 * the match of the run. After the run every fourth position is looked up. The second match
 * therefore starts at 172, and saves 28 literals. */
Test(png_estimate, a_match_across_a_run_matches)
{
    uint8_t data[600];
    for (int i = 0; i < 200; i++)
        data[i] = (uint8_t)(i % 100 < 40 || i % 100 >= 70 ? i % 100 : 200);
    memset(data + 200, 250, 400);
    expect_estimate(
        data, sizeof data, 100,
        (Estimate){71 * 4 * 83 + 2 * 99 + 4 * 115, (41 * 83 + 115) / 16 - 24 + 28 * 83 / 16 - 24});
}

/* Each byte appears twice, and a run follows. The second time only eight bytes are in the same
 * order as before, so LZ77 can find one match of eight bytes. It costs 24 bits, which saves nothing
 * if a literal costs 3 bits, and 8 bits if a literal costs 4 bits. */
Test(png_estimate, a_match_costs_24_bits)
{
    static const uint8_t three[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                                    3, 2, 1, 0, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12};
    static const uint8_t four[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                   16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                   3,  2,  1,  0,  4,  5,  6,  7,  8,  9,  10, 11, 31, 30, 29, 28,
                                   27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12};
    uint8_t data[264];
    memset(data, 12, sizeof data);
    memcpy(data, three, sizeof three);
    expect_estimate(data, 232, 16, (Estimate){16 * 4 * 48 + 80 + 32, 0});
    memset(data, 12, sizeof data);
    memcpy(data, four, sizeof four);
    expect_estimate(data, 264, 32, (Estimate){32 * 4 * 64 + 96 + 32, 8});
}

/* The rows have all 256 byte values, each of 8 bits. Only the first 2048 bytes are looked up: 1792
 * of them repeat earlier bytes, in 28 matches of 64. The data have four times as many bytes, so the
 * result is multiplied by 4. */
Test(png_estimate, only_some_of_many_literals_are_looked_up)
{
    static uint8_t data[8192];
    for (int i = 0; i < 8192; i++)
        data[i] = (uint8_t)i;
    expect_estimate(data, sizeof data, 256, (Estimate){8192 * 8 * 16, 4 * 28 * (64 * 8 - 24)});
    expect_estimate(data, 2048, 256, (Estimate){2048 * 8 * 16, 28 * (64 * 8 - 24)});
}

/* Fills 1024 bytes with all byte values four times, each time in another order, so that no eight
 * bytes repeat. */
static void fill_distinct(uint8_t *data)
{
    for (size_t i = 0; i < 1024; i++)
        data[i] = (uint8_t)(i * (2 * (i / 256) + 1));
}

/* A run of 1100 bytes in 5 matches ends the data. At 768, 16 bytes are copied from 668 bytes back.
 * At each step of 512 positions, the table has only positions before the step. So in the step from
 * 512 on, the bytes at 100 are found again at 768, but the bytes at 800 are not found again at
 * 868. */
Test(png_estimate, bytes_before_a_step_are_found)
{
    uint8_t data[2124];
    fill_distinct(data);
    memset(data + 1024, data[1023], 1100);
    memcpy(data + 768, data + 100, 16);
    expect_estimate(data, sizeof data, NO_ROW,
                    (Estimate){1024 * 8 * 16 + 5 * (160 - 37 + 32), 16 * 8 - 24});
    fill_distinct(data);
    memcpy(data + 868, data + 800, 16);
    cr_expect_eq(estimate_of(img_runs_loops(), data, sizeof data, NO_ROW).saved, 0);
    cr_expect_gt(estimate_of(img_runs_loops(), data, sizeof data, 68).saved, 0);
}

/* --- Comparison with a plain version ---------------------------------------------------------- */

typedef struct Plain {
    const uint8_t *data;
    uint32_t size, literals, costs[256], run_cost;
    bool in_run[IMG_WINDOW_MOST];
    /* length of the run that starts at each position; 0 if none starts there */
    uint32_t run[IMG_WINDOW_MOST];
    /* distance at which the next eight bytes appear before; 0 if they do not */
    uint32_t back[IMG_WINDOW_MOST];
} Plain;

static uint32_t plain_matches(uint32_t run)
{
    return (run + 257) / 258;
}

static uint32_t plain_runs(Plain *plain)
{
    uint32_t counts[256] = {0}, symbols = 0, matches = 0;
    uint32_t bits = 0;
    for (uint32_t at = 0, length; at<plain->size; at += length> 0 ? length : 1) {
        for (length = 0; at > 0 && at + length < plain->size; length++)
            if (plain->data[at + length] != plain->data[at - 1])
                break;
        length = length >= 8 ? length : 0;
        plain->run[at] = length;
        for (uint32_t i = 0; i < length; i++)
            plain->in_run[at + i] = true;
        matches += plain_matches(length);
        symbols += length > 0 ? plain_matches(length) : 1;
        counts[plain->data[at]] += length == 0 && at / 512 % 2 == 0 ? 2 : 0;
        plain->literals += length == 0;
    }
    for (int byte = 0; byte < 256; byte++) {
        const uint32_t all = img_logarithm(symbols), own = img_logarithm(counts[byte]);
        plain->costs[byte] = all < own + 8 ? 8 : all - own;
        bits += counts[byte] * plain->costs[byte];
    }
    plain->run_cost = img_logarithm(symbols) - img_logarithm(matches) + 32;
    return bits + matches * plain->run_cost;
}

static bool eight_equal(const Plain *plain, uint32_t a, uint32_t b)
{
    return memcmp(plain->data + a, plain->data + b, 8) == 0;
}

static uint32_t plain_slot(const Plain *plain, uint32_t at)
{
    uint64_t word = 0;
    for (uint32_t i = 0; i < 8; i++)
        word |= (uint64_t)plain->data[at + i] << 8 * i;
    return (uint32_t)(word * UINT64_C(0x9E3779B185EBCA87) >> 52);
}

/* Returns the end of the positions that the estimate looks up: the position after 2048 literals,
 * rounded up to a multiple of 32. */
static uint32_t plain_end(const Plain *plain)
{
    const uint32_t words = plain->size < 8 ? 0 : plain->size - 7;
    uint32_t literals = 0, at = 0;
    while (at < plain->size && literals < 2048)
        literals += !plain->in_run[at++];
    while (literals == 2048 && at % 32 > 0)
        at++;
    return at < words ? at : words;
}

static void plain_look_up(Plain *plain, uint32_t stride)
{
    static uint32_t last[4096];
    memset(last, 0, sizeof last);
    const uint32_t end = plain_end(plain);
    for (uint32_t at = 0; at < end; at++) {
        for (uint32_t i = at - 512; at % 512 == 0 && at > 0 && i < at; i++)
            if (!plain->in_run[i])
                last[plain_slot(plain, i)] = i;
        if (plain->in_run[at] || at % 4 > 0)
            continue;
        const uint32_t place = last[plain_slot(plain, at)];
        if (at >= stride && eight_equal(plain, at, at - stride))
            plain->back[at] = stride;
        else if (eight_equal(plain, at, place))
            plain->back[at] = at - place;
    }
}

static uint32_t plain_length(const Plain *plain, uint32_t at)
{
    uint32_t length = 0;
    while (length < 64 && at + length < plain->size &&
           plain->data[at + length] == plain->data[at + length - plain->back[at]])
        length++;
    return length;
}

static uint32_t plain_saved(const Plain *plain, uint32_t from, uint32_t end)
{
    uint32_t cost = 0;
    for (uint32_t at = from; at < end; at++) {
        cost += plain->in_run[at] ? 0 : plain->costs[plain->data[at]];
        cost += plain->run[at] > 0 ? plain->run_cost : 0;
    }
    return cost / 16 < 24 ? 0 : cost / 16 - 24;
}

static Estimate plain_estimate(const uint8_t *data, size_t size, uint32_t stride)
{
    static Plain plain;
    memset(&plain, 0, sizeof plain);
    plain.data = data;
    plain.size = (uint32_t)size;
    Estimate estimate = {plain_runs(&plain), 0};
    plain_look_up(&plain, stride);
    const uint32_t lookups = plain_end(&plain);
    for (uint32_t at = 0, taken = 0; at < lookups; at += 4) {
        if (at < taken || plain.back[at] == 0)
            continue;
        const uint32_t end = at + plain_length(&plain, at), saved = plain_saved(&plain, at, end);
        estimate.saved += saved;
        taken = saved > 0 ? end : taken;
    }
    if (plain.literals > 2048)
        estimate.saved = estimate.saved * plain.literals / 2048;
    return estimate;
}

typedef enum Kind { NOISE, FEW_VALUES, SMALL_NOISE, RUNS, ROWS, COPIES, KINDS } Kind;

static uint8_t random_byte(Kind kind)
{
    if (kind == NOISE)
        return (uint8_t)random_number();
    return (uint8_t)(kind == FEW_VALUES ? random_number() % 3
                                        : random_number() % 4 + random_number() % 4);
}

static void fill(uint8_t *data, size_t size, Kind kind, uint32_t stride)
{
    for (size_t at = 0; at < size;) {
        size_t count = 1 + random_number() % (random_number() % 6 > 0 ? 40 : 400), distance = 0;
        if (kind == RUNS)
            distance = 1;
        if (kind == ROWS)
            distance = random_number() % 8 > 0 ? stride : 1;
        if (kind == COPIES)
            distance = random_number() % (at + 1);
        for (count = count < size - at ? count : size - at; count > 0; count--, at++)
            data[at] = distance > 0 && distance <= at ? data[at - distance] : random_byte(kind);
        if (at < size)
            data[at++] = random_byte(kind);
    }
}

static void expect_plain(Kind kind, size_t size)
{
    static uint8_t data[IMG_WINDOW_MOST];
    const uint32_t stride = 2 + random_number() % (random_number() % 2 ? 100 : NO_ROW);
    fill(data, size, kind, stride);
    const Estimate expected = plain_estimate(data, size, stride);
    const Estimate portable = estimate_of(&img_runs_portable, data, size, stride),
                   here = estimate_of(img_runs_loops(), data, size, stride);
    cr_assert(portable.runs == expected.runs && here.runs == expected.runs,
              "kind %d, %zu bytes, rows of %u", (int)kind, size, stride);
    cr_assert(portable.saved == expected.saved && here.saved == expected.saved,
              "kind %d, %zu bytes, rows of %u: %u are saved, not %u", (int)kind, size, stride,
              portable.saved, expected.saved);
}

Test(png_estimate, small_pieces_match_the_plain_version)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t size = 1; size < 700; size++)
            expect_plain(kind, size);
}

Test(png_estimate, pieces_match_the_plain_version)
{
    for (int kind = 0; kind < KINDS; kind++) {
        for (int round = 0; round < 60; round++)
            expect_plain(kind, 1 + random_number() % IMG_WINDOW_MOST);
        expect_plain(kind, IMG_WINDOW_MOST);
    }
}

/* --- Small strips ----------------------------------------------------------------------------- */

Test(png_small, the_piece_is_an_eighth_from_the_middle_of_4_to_16_KB)
{
    static const struct {
        uint32_t size, from, bytes;
    } pieces[] = {{16385, 6144, 4096},    {32768, 14336, 4096},    {32784, 14343, 4098},
                  {100000, 43750, 12500}, {1 << 17, 57344, 16384}, {1 << 19, 253952, 16384}};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        const ImgSmallPiece piece = img_small_piece(pieces[i].size);
        cr_expect_eq(piece.from, pieces[i].from, "%u: %u", pieces[i].size, piece.from);
        cr_expect_eq(piece.size, pieces[i].bytes, "%u: %u", pieces[i].size, piece.size);
    }
}

Test(png_small, up_to_48_KB_what_shrinks_to_less_than_a_quarter_is_graphics)
{
    cr_expect(img_small_has_runs(40000, 9999, 40000));
    cr_expect_not(img_small_has_runs(40000, 10000, 0));
    cr_expect_not(img_small_has_runs(40003, 10000, 0));
    cr_expect(img_small_has_runs(49152, 12287, 49152));
    cr_expect_not(img_small_has_runs(49153, 12287, 49153));
}

Test(png_small, above_that_a_quarter_is_in_runs_or_it_shrinks_to_less_than_an_eighth)
{
    cr_expect(img_small_has_runs(80000, 19999, 60000));
    cr_expect_not(img_small_has_runs(80000, 19999, 60001));
    cr_expect_not(img_small_has_runs(80000, 20000, 0));
    cr_expect(img_small_has_runs(80000, 9999, 80000));
    cr_expect_not(img_small_has_runs(80000, 10000, 80000));
}

Test(png_small, what_matches_shrink_by_more_than_2_percent_is_graphics)
{
    cr_expect(img_small_gains(1000, 979));
    cr_expect_not(img_small_gains(1000, 980));
    cr_expect_not(img_small_gains(16384, 16384));
}
