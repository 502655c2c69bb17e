/* Tests of matches that follow a fixed rule (match_rule.h). For each part of the rule, the matches
 * found are compared with results worked out by hand. The fast version and the reference must give
 * the same bytes, and zlib must decompress them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "deflate_tokens.h"
#include "io/png/deflate/equal_bytes.h"
#include "io/png/deflate/logarithm.h"
#include "io/png/deflate/matches.h"
#include "io/png/deflate/matches_walk.h"
#include "kernels/core/parallel/cpu.h"
#include "tests/unit/sanitizers.h"

static uint64_t random_state = 1;

static uint32_t random_number(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33);
}

/* --- Parts ------------------------------------------------------------------------------------ */

Test(png_matches, equal_bytes_are_counted_like_a_loop)
{
    for (int round = 0; round < 2000; round++) {
        uint8_t a[IMG_EQUAL_BYTES], b[IMG_EQUAL_BYTES];
        uint64_t expected = 0;
        const uint32_t values = round % 3 == 0 ? 256 : 2;
        for (int i = 0; i < IMG_EQUAL_BYTES; i++) {
            a[i] = (uint8_t)(random_number() % values * 0x81);
            b[i] = round % 4 == 1 && random_number() % 8 ? a[i] : (uint8_t)(a[i] ^ 1 << round % 8);
            b[i] = round % 3 == 0 ? b[i] : (uint8_t)(random_number() % values * 0x81);
            expected |= (uint64_t)(a[i] == b[i]) << i;
        }
        cr_assert_eq(img_equal_64(a, b), expected);
        cr_assert_eq(img_equal_64(a, a), UINT64_MAX);
    }
}

Test(png_matches, logarithms_match_values_worked_out_by_hand)
{
    static const struct {
        uint32_t number, expected;
        const char *why;
    } cases[] = {{0, 0, "by definition"},
                 {1, 0, "log2 1 = 0"},
                 {2, 16, "log2 2 = 1"},
                 {3, 25, "16 log2 3 = 25.36"},
                 {5, 37, "16 log2 5 = 37.15"},
                 {6, 41, "16 log2 6 = 41.36"},
                 {7, 44, "16 log2 7 = 44.92"},
                 {10, 53, "16 log2 10 = 53.15"},
                 {1000, 159, "16 log2 1000 = 159.45"},
                 {65535, 255, "16 log2 65535 = 255.9996"},
                 {65536, 256, "log2 65536 = 16"},
                 {UINT32_MAX, 511, "just below 512"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_eq(img_logarithm(cases[i].number), cases[i].expected, "%s", cases[i].why);
    for (unsigned bit = 0; bit < 32; bit++) {
        cr_expect_eq(img_top_bit(1U << bit), bit);
        cr_expect_eq(img_logarithm(1U << bit), 16 * bit);
    }
}

/* Each logarithm is tested with the smallest number that has it, where wrong rounding would show
 * first. */
Test(png_matches, logarithms_are_rounded_down)
{
    for (uint32_t k = 16; k < 16 * 26; k++) {
        const double power = pow(2, k / 16.0);
        const uint32_t least = (uint32_t)ceil(power - 1e-6);
        cr_assert_geq(img_logarithm(least), k);
        cr_assert_lt(img_logarithm(least - 1), k);
    }
}

/* The low 48 and the low 32 bits of the factor 9E3779B185EBCA87 begin with the 13 bits 0F36 and
 * 10BD. */
Test(png_matches, slots_match_values_worked_out_by_hand)
{
    const uint64_t six = img_match_factor(6), four = img_match_factor(4);
    cr_expect_eq(img_match_slot(1, six), 0x0F36);
    cr_expect_eq(img_match_slot(UINT64_C(0xFFFF000000000001), six), 0x0F36);
    cr_expect_eq(img_match_slot(1, four), 0x10BD);
    cr_expect_eq(img_match_slot(UINT64_C(0xFFFFFFFF00000001), four), 0x10BD);
    cr_expect_eq(img_match_slot(0, six), 0);
}

/* The numbers of extra bits of each code are from RFC 1951, 3.2.5. */
Test(png_matches, costs_match_values_worked_out_by_hand)
{
    static const uint32_t lengths[][2] = {{3, 0},   {10, 0},  {11, 1}, {18, 1}, {19, 2},
                                          {34, 2},  {35, 3},  {66, 3}, {67, 4}, {130, 4},
                                          {131, 5}, {257, 5}, {258, 0}};
    static const uint32_t distances[][2] = {
        {2, 0},  {4, 0},   {5, 1},   {8, 1},   {9, 2},     {16, 2},     {17, 3},     {32, 3},
        {33, 4}, {257, 7}, {512, 7}, {513, 8}, {8193, 12}, {16384, 12}, {16385, 13}, {32768, 13}};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        cr_expect_eq(img_match_length_cost(lengths[i][0]), 16 * (7 + lengths[i][1]), "length %u",
                     lengths[i][0]);
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++)
        cr_expect_eq(img_match_distance_cost(distances[i][0], 3), 16 * (7 + distances[i][1]),
                     "distance %u", distances[i][0]);
    cr_expect_eq(img_match_distance_cost(1, 3), 32);
    cr_expect_eq(img_match_distance_cost(3, 3), 32);
    cr_expect_eq(img_match_distance_cost(3, 4), 112);
    cr_expect_eq(img_literal_cost(32, 1), 80);
    cr_expect_eq(img_literal_cost(32, 0), 80, "as a literal counted once");
    cr_expect_eq(img_literal_cost(12, 5), 57 - 37, "57.36 - 37.15");
    cr_expect_eq(img_literal_cost(32, 32), 8, "the least");
    cr_expect_eq(img_literal_cost(0, 0), 8);
    cr_expect_eq(img_literal_cost(1 << 14, 1), 224);
    cr_expect_eq(img_literal_cost(1 << 20, 1), 224, "the most");
}

/* --- Deflating -------------------------------------------------------------------------------- */

typedef struct Piece {
    uint8_t *bytes;
    size_t size;
    ImgBlockStarts starts;
} Piece;

static void piece_free(Piece *piece)
{
    free(piece->starts.bits);
    free(piece->bytes);
}

enum { SPARE = 1000 }; /* bytes in addition to twice the data, enough for any block header */

/* Lists the versions of the loops that this processor supports in `loops`. Returns their number. */
static int match_versions(const ImgMatchLoops *loops[3])
{
    int count = 0;
    loops[count++] = &img_match_portable;
#ifdef IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX2)
        loops[count++] = &img_match_avx2;
    if (img_cpu_level() >= IMG_CPU_AVX512 && __builtin_cpu_supports("avx512vbmi"))
        loops[count++] = &img_match_vbmi;
#endif
    return count;
}

/* Returns an empty piece whose output is allocated with exactly `capacity` bytes and the slack, so
 * that a sanitizer reports a write past it. */
static Piece piece_with_room(size_t size, size_t capacity)
{
    Piece piece = {.bytes = malloc(capacity + IMG_BITS_SLACK)};
    piece.starts.bits = malloc(img_block_starts_most(size) * sizeof *piece.starts.bits);
    cr_assert(piece.bytes != NULL && piece.starts.bits != NULL);
    return piece;
}

/* Deflates data with every version of the loops, which must give the same bytes. */
static Piece deflate_fast(const ImgMatchRows *rows, const uint8_t *data, size_t size, bool last,
                          size_t capacity)
{
    static ImgMatches *work; /* reused, because it keeps no state between calls */
    const ImgMatchLoops *loops[3];
    const int versions = match_versions(loops);
    work = work == NULL ? img_matches_create() : work;
    cr_assert_not_null(work);
    Piece piece = piece_with_room(size, capacity);
    for (int i = 0; i < versions; i++) {
        Piece other = piece_with_room(size, capacity);
        work->loops = loops[i];
        other.size =
            img_deflate_matches(work, rows, data, size, last, other.bytes, capacity, &other.starts);
        if (last && other.size > 0)
            cr_assert_eq(img_deflated_matches(work, rows, data, size), other.size);
        if (i > 0) {
            cr_assert_eq(other.size, piece.size, "version %d", i);
            cr_assert_arr_eq(other.bytes, piece.bytes, piece.size, "version %d", i);
        }
        piece_free(&piece);
        piece = other;
    }
    return piece;
}

static Piece deflate_by(bool fast, const ImgMatchRows *rows, const uint8_t *data, size_t size,
                        bool last, size_t capacity)
{
    if (fast)
        return deflate_fast(rows, data, size, last, capacity);
    Piece piece = piece_with_room(size, capacity);
    piece.size =
        img_deflate_matches_reference(rows, data, size, last, piece.bytes, capacity, &piece.starts);
    return piece;
}

static void expect_inflated(const Piece *piece, const uint8_t *data, size_t size, bool last)
{
    uint8_t *back = malloc(size + 1);
    z_stream z = {.next_in = piece->bytes, .avail_in = (uInt)piece->size};
    z.next_out = back;
    z.avail_out = (uInt)size + 1;
    cr_assert_eq(inflateInit2(&z, -15), Z_OK);
    cr_assert_eq(inflate(&z, Z_SYNC_FLUSH), last ? Z_STREAM_END : Z_OK);
    cr_assert_eq(z.avail_in, 0);
    cr_assert_eq(z.total_out, size);
    cr_assert_arr_eq(back, data, size);
    inflateEnd(&z);
    free(back);
}

static void expect_starts(const Piece *piece, const Tokens *tokens)
{
    cr_assert_eq(piece->starts.count, tokens->blocks);
    cr_assert_arr_eq(piece->starts.bits, tokens->bits, tokens->blocks * sizeof *tokens->bits);
}

/* Deflates data with the fast version and the reference, and compares the two. Returns the literals
 * and matches, which the caller frees. */
static Tokens tokens_of(const ImgMatchRows *rows, const uint8_t *data, size_t size)
{
    Piece fast = deflate_by(true, rows, data, size, true, 2 * size + SPARE),
          reference = deflate_by(false, rows, data, size, true, 2 * size + SPARE);
    Tokens tokens = read_tokens(fast.bytes, fast.size, size);
    cr_assert_gt(fast.size, 0);
    expect_inflated(&fast, data, size, true);
    expect_starts(&fast, &tokens);
    cr_assert_eq(fast.size, reference.size);
    cr_assert_arr_eq(fast.bytes, reference.bytes, fast.size);
    expect_starts(&reference, &tokens);
    piece_free(&reference);
    piece_free(&fast);
    return tokens;
}

/* --- The rule, worked out by hand ------------------------------------------------------------- */

static void expect_sequences(const ImgMatchRows *rows, const uint8_t *data, size_t size,
                             const ImgSequence *expected, size_t count)
{
    Tokens tokens = tokens_of(rows, data, size);
    for (size_t i = 0; i < count && i < tokens.count; i++) {
        const ImgSequence *found = &tokens.sequences[i], *wanted = &expected[i];
        cr_expect(found->literals == wanted->literals && found->length == wanted->length &&
                      found->distance == wanted->distance,
                  "%zu: %u literals, %u bytes from %u; expected: %u literals, %u bytes from %u", i,
                  found->literals, found->length, found->distance, wanted->literals, wanted->length,
                  wanted->distance);
    }
    cr_expect_eq(tokens.count, count);
    free(tokens.sequences);
}

#define EXPECT(rows, data, ...)                                                                    \
    expect_sequences(rows, data, sizeof(data), (const ImgSequence[]){__VA_ARGS__},                 \
                     sizeof((const ImgSequence[]){__VA_ARGS__}) / sizeof(ImgSequence))

/* Fills the data so that no three bytes repeat. The first 32 bytes all differ. In data of up to 256
 * bytes each literal therefore costs 5 bits, which is 80 units. */
static void fill_distinct(uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)(i < 256 ? i : 7 * i);
}

/* Layouts whose rows are longer than the data, so that no byte has a row above. */
static const ImgMatchRows GRAY = {1, 30000, 6}, RGB = {3, 30000, 6}, INDICES = {1, 30000, 4};

Test(png_matches, without_repetitions_all_bytes_are_literals)
{
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    EXPECT(&GRAY, data, {256, 0, 0});
    EXPECT(&RGB, data, {256, 0, 0});
}

/* Positions inside a run are not entered in the table. Here bytes 40 to 99 repeat three bytes. Rule
 * 1 excludes positions 43 to 92. Positions 40 to 42 are entered, and so are 93 to 99, because eight
 * bytes from there reach beyond byte 99. The table hashes six bytes, so for 93 and 94 it hashes
 * only repeated bytes, but for 95 to 99 also bytes after them.
 *
 * The bytes from 93 and from 94 are therefore found at 93 and 94. The bytes from 92 are found at
 * 41, the only entered position with the same six bytes. */
Test(png_matches, rule_1_runs_are_not_entered)
{
    static const uint32_t from[] = {93, 94, 92}, length[] = {7, 6, 6}, found[] = {93, 94, 41};
    for (int i = 0; i < 3; i++) {
        uint8_t data[256];
        fill_distinct(data, sizeof data);
        for (int k = 40; k < 100; k++)
            data[k] = (uint8_t)(40 + (k - 40) % 3);
        memcpy(data + 200, data + from[i], length[i]);
        EXPECT(&RGB, data, {43, 57, 3}, {100, (uint16_t)length[i], (uint16_t)(200 - found[i])},
               {56 - length[i], 0, 0});
    }
}

/* Positions inside a run are not looked up in the table. At 103, in a run of 20 bytes, a look-up
 * would find the longer match with the bytes at 40. */
Test(png_matches, rule_1_runs_are_not_looked_up)
{
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    for (int k = 0; k < 23; k++) {
        data[100 + k] = (uint8_t)(40 + k % 3);
        data[40 + (k < 20 ? k : 0)] = (uint8_t)(40 + (k < 20 ? k % 3 : 0));
    }
    memcpy(data + 28, data + 40, 3);
    memcpy(data + 92, data + 20, 8);
    memcpy(data + 123, data + 60, 30);
    EXPECT(&RGB, data, {43, 17, 3}, {32, 11, 72}, {0, 20, 3}, {0, 30, 63}, {103, 0, 0});
}

Test(png_matches, the_last_seven_bytes_are_literals)
{
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    memcpy(data + 248, data + 100, 8);
    EXPECT(&GRAY, data, {248, 8, 148});
    fill_distinct(data, sizeof data);
    memcpy(data + 249, data + 100, 7);
    EXPECT(&GRAY, data, {256, 0, 0});
}

Test(png_matches, rule_2_a_position_sees_those_before_its_group)
{
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    memcpy(data + 56, data + 32, 8); /* positions 32 and 56 are both in the group from 32 to 63 */
    EXPECT(&GRAY, data, {256, 0, 0});
    fill_distinct(data, sizeof data);
    memcpy(data + 64, data + 56, 8);
    EXPECT(&GRAY, data, {64, 8, 8}, {184, 0, 0});
    /* Copies the bytes at 63, the last position of a group, to 95, the last position of the next
     * group. */
    memcpy(data + 95, data + 63, 8);
    EXPECT(&GRAY, data, {64, 8, 8}, {23, 8, 32}, {153, 0, 0});
}

/* The second copy of the bytes lies inside a match. Its position is entered in the table
 * nevertheless, and is found. */
Test(png_matches, rule_2_the_last_position_wins)
{
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    memcpy(data + 80, data + 40, 20);
    memcpy(data + 130, data + 46, 6);
    EXPECT(&GRAY, data, {80, 20, 40}, {30, 6, 44}, {120, 0, 0});
}

/* A match of four bytes replaces literals that cost 320 units. It costs 112 for its length, and at
 * a distance of 63 another 176, so it gains 32 units. At a distance of 160 it gains nothing. */
Test(png_matches, rule_2_six_bytes_or_four)
{
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    memcpy(data + 80, data + 50, 5);
    memcpy(data + 120, data + 57, 4);
    memcpy(data + 160, data + 140, 3);
    memcpy(data + 200, data + 40, 4);
    EXPECT(&GRAY, data, {256, 0, 0});
    EXPECT(&INDICES, data, {80, 5, 30}, {35, 4, 63}, {132, 0, 0});
}

/* A match one byte back needs at least three bytes. The first run has them, the second does not. */
Test(png_matches, rule_3_a_byte_back)
{
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    memset(data + 40, 40, 4);
    memset(data + 80, 80, 3);
    EXPECT(&GRAY, data, {41, 3, 1}, {212, 0, 0});
    EXPECT(&RGB, data, {41, 3, 1}, {212, 0, 0});
}

/* In pixels of three bytes, a whole pixel repeats at 43. At 83 only two bytes repeat, which is too
 * few for a match. */
Test(png_matches, rule_3_a_pixel_back)
{
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    memcpy(data + 43, data + 40, 3);
    memcpy(data + 83, data + 80, 2);
    EXPECT(&RGB, data, {43, 3, 3}, {210, 0, 0});
    EXPECT(&GRAY, data, {256, 0, 0});
}

/* A match one row back may lie in the same group. It needs as many bytes as the hash covers, six or
 * four. */
Test(png_matches, rule_3_a_row_back)
{
    const ImgMatchRows rows = {1, 20, 6}, indices = {1, 20, 4};
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    memcpy(data + 56, data + 36, 6);
    memcpy(data + 89, data + 69, 5);
    EXPECT(&rows, data, {56, 6, 20}, {194, 0, 0});
    EXPECT(&indices, data, {56, 6, 20}, {27, 5, 20}, {162, 0, 0});
    EXPECT(&GRAY, data, {256, 0, 0});
}

/* A run is also compared with the row above, and the longer match wins. The match one pixel back
 * has only 18 bytes. */
Test(png_matches, rule_3_a_row_back_in_runs)
{
    const ImgMatchRows rows = {1, 60, 6};
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    memset(data + 40, 40, 20);
    memcpy(data + 100, data + 40, 50);
    EXPECT(&rows, data, {41, 19, 1}, {40, 50, 60}, {106, 0, 0});
}

/* After a match of 258 bytes the run continues. There the matches one pixel back and one byte back
 * are equally long, and the first of them is taken. */
Test(png_matches, rule_3_of_equal_matches_a_pixel_back_is_first)
{
    uint8_t data[400];
    fill_distinct(data, sizeof data);
    memset(data + 40, 40, 1 + 258 + 30);
    EXPECT(&RGB, data, {41, 258, 1}, {0, 30, 3}, {71, 0, 0});
}

/* At position 90, a match one row back (distance 20) and a match from the table (distance 28) are
 * equally long. These distances have the same number of extra bits, so the gains are equal, too.
 * The lookup does not see position 70, because it is in the same group of 32 positions (rule 2). */
Test(png_matches, rule_3_of_equal_matches_a_row_back_is_first)
{
    const ImgMatchRows rows = {1, 20, 6};
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    memcpy(data + 70, data + 62, 8);
    memcpy(data + 90, data + 62, 8);
    EXPECT(&rows, data, {70, 8, 8}, {12, 8, 20}, {158, 0, 0});
    EXPECT(&GRAY, data, {70, 8, 8}, {12, 8, 28}, {158, 0, 0});
}

/* A gain is the cost of the literals, minus the costs of length and distance. The match one row
 * back has nine bytes and gains 720 - 112 - 208 = 400 units. The match one byte back would gain 640
 * - 112 - 32 = 496 units, but has only eight bytes. */
Test(png_matches, rule_5_a_shorter_match_is_not_considered)
{
    const ImgMatchRows rows = {3, 200, 6};
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    memset(data + 40, 100, 8);
    memset(data + 239, 100, 9);
    data[248] = data[48];
    EXPECT(&rows, data, {41, 7, 1}, {192, 9, 200}, {7, 0, 0});
}

/* Half of the first 32 bytes are 200, so the byte 200 costs 1 bit. Six bytes, three of them 200,
 * cost 18 bits as literals, which is 288 units. A match gains 16 units if its distance has 3 extra
 * bits, and nothing if it has 4. */
Test(png_matches, rule_5_a_match_must_gain)
{
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    for (int i = 0; i < 32; i += 2)
        data[i] = 200;
    data[60] = data[62] = data[64] = 200;
    memcpy(data + 88, data + 60, 6);
    memcpy(data + 128, data + 60, 6);
    EXPECT(&GRAY, data, {88, 6, 28}, {162, 0, 0});
}

/* The first 32 bytes are 20 zeros and 12 other values. Only the 8 zeros outside the run are
 * counted. In sixteenths of a bit a zero costs 69.15 - 48, and another value 69.15.
 * The match of two zeros and four other values gains 318 - 112 - 192 at a distance of 70, and would
 * lose at 130. If all zeros were counted, it would gain at 130, too. */
Test(png_matches, rule_4_runs_are_not_counted)
{
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    memset(data, 0, 20);
    data[41] = data[43] = 0;
    memcpy(data + 170, data + 40, 6);
    memcpy(data + 240, data + 40, 6);
    EXPECT(&GRAY, data, {1, 19, 1}, {220, 6, 70}, {10, 0, 0});
}

/* Puts 32 bytes of two values at `from`, and six of them again at `at`. If `counted`, the costs of
 * the 32 bytes must make a match at `at` gain nothing; otherwise it must be taken. */
static void expect_counted(uint32_t from, uint32_t at, bool counted)
{
    uint8_t data[400];
    fill_distinct(data, sizeof data);
    for (uint32_t i = 0; i < 32; i++)
        data[from + i] = (uint8_t)(250 + i % 2);
    for (uint32_t i = 0; i < 6; i++)
        data[at + i] = (uint8_t)(250 + i % 2);
    if (counted)
        EXPECT(&GRAY, data, {400, 0, 0});
    else
        EXPECT(&GRAY, data, {at, 6, (uint16_t)(at - from - 26)}, {394 - at, 0, 0});
}

Test(png_matches, rule_4_the_first_32_of_256_are_counted)
{
    expect_counted(0, 40, true);
    expect_counted(32, 70, false);
    expect_counted(64, 100, false);
    expect_counted(192, 240, false);
    expect_counted(256, 300, true);
    expect_counted(288, 330, false);
}

/* Six bytes match at 100. Seven bytes match at 101, which gains more. */
Test(png_matches, rule_6_the_next_position_may_gain_more)
{
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    memcpy(data + 50, data + 41, 5);
    data[55] = 250;
    data[56] = 251;
    memcpy(data + 100, data + 40, 6);
    memcpy(data + 106, data + 55, 2);
    EXPECT(&GRAY, data, {101, 7, 51}, {148, 0, 0});
}

/* Seven bytes match at 96 and at 97. Both distances have the same number of extra bits, so the
 * earlier match is taken. */
Test(png_matches, rule_6_the_next_position_must_gain_more)
{
    uint8_t data[256];
    fill_distinct(data, sizeof data);
    memcpy(data + 50, data + 41, 6);
    data[56] = 250;
    memcpy(data + 96, data + 40, 7);
    data[103] = 250;
    EXPECT(&GRAY, data, {96, 7, 56}, {153, 0, 0});
}

/* At 372, the start of a run, the match one row back has the maximum length of 258 bytes. It is
 * taken although a match that starts one byte later would cost less. */
Test(png_matches, rule_6_a_match_of_258_bytes_is_taken)
{
    const ImgMatchRows rows = {1, 340, 6};
    uint8_t data[700];
    for (int i = 0; i < 700; i++)
        data[i] = (uint8_t)(i < 32 ? i : i < 372 ? i - 300 : i - 600);
    memset(data + 32, 200, 300);
    memset(data + 372, 200, 300);
    EXPECT(&rows, data, {33, 258, 1}, {0, 41, 1}, {40, 258, 340}, {0, 42, 1}, {28, 0, 0});
}

/* --- Blocks ----------------------------------------------------------------------------------- */

static uint8_t *make_noise(size_t size)
{
    uint8_t *data = malloc(size);
    cr_assert_not_null(data);
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)random_number();
    return data;
}

/* A block ends with the segment in which it reaches 32768 literals and matches. In noise that is
 * after exactly 8 segments of 4096 bytes. The matches that are copied in leave fewer, so the block
 * continues for one more segment, and ends after the match that crosses the end of that segment. */
Test(png_matches, rule_7_blocks_end_after_segments)
{
    enum { SIZE = 76000 };
    uint8_t *data = make_noise(SIZE);
    Tokens tokens = tokens_of(&GRAY, data, SIZE);
    cr_assert_eq(tokens.blocks, 3);
    cr_expect_eq(tokens.data[1], 32768);
    cr_expect_eq(tokens.data[2], 65536);
    free(tokens.sequences);
    memcpy(data + 2000, data + 1000, 10);
    memcpy(data + 36860, data + 36000, 17);
    tokens = tokens_of(&GRAY, data, SIZE);
    cr_assert_eq(tokens.blocks, 3);
    cr_expect_eq(tokens.data[1], 36877);
    cr_expect_eq(tokens.data[2], 36864 + 32768 + 4096, "13 bytes too few for the segment before");
    free(tokens.sequences);
    free(data);
}

/* --- Distances -------------------------------------------------------------------------------- */

/* Returns the distance of the match that starts at position `at`, or 0 if no match starts there. */
static uint32_t distance_at(const Tokens *tokens, uint32_t at)
{
    uint32_t position = 0;
    for (size_t i = 0; i < tokens->count && position <= at; i++) {
        position += tokens->sequences[i].literals;
        if (position == at && tokens->sequences[i].length > 0)
            return tokens->sequences[i].distance;
        position += tokens->sequences[i].length;
    }
    return 0;
}

/* Expects that the match at `to` has the distance `expected`; 0: no match. The data begin with 32
 * bytes that are all different. The same 20 bytes are at `from` and at `to`. All other bytes are
 * zeros. The zeros are runs, whose positions are not entered in the table. */
static void expect_distance(uint32_t from, uint32_t to, const ImgMatchRows *rows, uint32_t expected)
{
    static uint8_t data[220000];
    uint32_t size = to + 1000;
    memset(data, 0, size);
    for (uint32_t i = 0; i < 32; i++)
        data[i] = (uint8_t)(50 + i);
    for (uint32_t i = 0; i < 20; i++)
        data[from + i] = data[to + i] = (uint8_t)(150 + i);
    Tokens tokens = tokens_of(rows, data, size);
    cr_expect_eq(distance_at(&tokens, to), expected, "from %u to %u", from, to);
    free(tokens.sequences);
}

/* Noise is the least compressible data. Codes and headers make its output larger than 16 MB, but
 * not larger than the bound. */
Test(png_matches, noise_fits_the_bound)
{
    enum { NOISE = 1 << 24 };
    const ImgMatchRows rows = {3, 12001, 6};
    const size_t bound = img_deflate_matches_bound(NOISE);
    uint8_t *data = make_noise(NOISE), *out = malloc(bound + IMG_BITS_SLACK);
    ImgMatches *work = img_matches_create();
    cr_assert(data != NULL && out != NULL && work != NULL);
    const size_t made = img_deflate_matches(work, &rows, data, NOISE, true, out, bound, NULL);
    cr_expect_gt(made, NOISE);
    cr_expect_leq(made, bound);
    img_matches_free(work);
    free(out);
    free(data);
}

Test(png_matches, distances_reach_up_to_32768)
{
    static const ImgMatchRows far = {1, 40000, 6};
    static const uint32_t borders[] = {2, 4, 10}, behind[] = {0, 31, 16383};
    for (int i = 0; i < 3; i++)
        for (int k = i % EVERY(3); k < 3; k += EVERY(3)) {
            const uint32_t from = borders[i] * 16384 + behind[k];
            expect_distance(from, from + 32768, &far, 32768);
            expect_distance(from, from + 32769, &far, 0);
        }
}

/* The run at 100 repeats one row later. For its bytes the table of positions has only the end of
 * the run, where six bytes match. Only the comparison with the row above finds the whole run. */
Test(png_matches, rows_reach_up_to_32768)
{
    static uint8_t data[34000];
    for (uint32_t stride = 32768; stride <= 32769; stride++) {
        const ImgMatchRows rows = {1, stride, 6};
        memset(data, 0, sizeof data);
        fill_distinct(data, 100);
        memset(data + 100, 200, 60);
        memcpy(data + 100 + stride, data + 100, 60);
        for (uint32_t i = 160; i < 180; i++)
            data[i] = data[i + stride] = (uint8_t)i;
        Tokens tokens = tokens_of(&rows, data, sizeof data);
        cr_expect_eq(distance_at(&tokens, 100 + stride), stride == 32768 ? 32768 : 0);
        free(tokens.sequences);
    }
}

/* The table stores the low 16 bits of positions. A position that was entered 65,536 bytes before
 * has the same bits, but is too far back for a match. */
Test(png_matches, positions_65536_apart_are_not_confused)
{
    static uint8_t data[200000];
    for (uint32_t from = 98; from < 130000; from += 32768) {
        const uint32_t to = from + 65536;
        memset(data, 0, sizeof data);
        for (uint32_t i = 0; i < 32; i++)
            data[i] = (uint8_t)(50 + i);
        for (uint32_t i = 0; i < 8; i++)
            data[from + i] = data[to + i] = data[to + 24 - 3 + i] = (uint8_t)(150 + i);
        Tokens tokens = tokens_of(&GRAY, data, to + 100);
        cr_expect_eq(distance_at(&tokens, to), 0);
        cr_expect_eq(distance_at(&tokens, to + 21), 0);
        free(tokens.sequences);
    }
}

/* The match at 4095 continues in the next segment, which begins at 4096. Each byte costs 80, so the
 * costs of the bytes before 4096 sum to 0 modulo 2^16. An encoder that computes no sums past the
 * segment could read a wrong sum for the end of the match. The match would then seem to gain
 * nothing. */
Test(png_matches, rule_6_matches_across_segments)
{
    uint8_t data[5000];
    fill_distinct(data, 32);
    memset(data + 32, 200, sizeof data - 32);
    data[4093] = 201;
    memset(data + 4094, 202, 300);
    Tokens tokens = tokens_of(&GRAY, data, sizeof data);
    cr_expect_eq(distance_at(&tokens, 4095), 1);
    cr_expect_eq(distance_at(&tokens, 4095 + 258), 1);
    free(tokens.sequences);
}

/* --- Matches of 258 bytes --------------------------------------------------------------------- */

enum { STRIDE = 79 * 256 };

/* Deflates zeros with several runs. The first 32 of every 256 bytes all lie inside runs, so no byte
 * is counted, and each costs the minimum of 8 units (half a bit). The lower row begins with 1 +
 * `length` bytes 5, then has bytes 7. The upper row has the same bytes STRIDE bytes before, except
 * that its first 1 + `from` bytes are 6. *start becomes the position of the second byte 5 in the
 * lower row. There, a match one byte back has `length` bytes, and a match one row back is possible
 * from `from` bytes later on. A short run of bytes 5 between the rows is in the table, but gains
 * too little. Returns the literals and matches. */
static Tokens tokens_of_two_runs(uint32_t length, uint32_t from, uint32_t *start)
{
    static const ImgMatchRows rows = {1, STRIDE, 6};
    static uint8_t data[2 * STRIDE];
    uint8_t *upper = data + 1000, *lower = upper + STRIDE;
    memset(data, 0, sizeof data);
    memset(upper, 5, 1 + length);
    memset(upper + 1 + length, 7, 275 - length);
    memcpy(lower, upper, 276);
    memset(upper, 6, 1 + from);
    memset(data + 5220, 5, 8);
    *start = (uint32_t)(lower + 1 - data);
    return tokens_of(&rows, data, sizeof data);
}

/* Each byte costs 8 units as a literal. A match of 232 bytes one byte back costs 192 for its length
 * and 32 for its distance, so it gains 232 * 8 - 192 - 32 = 1632 units. A match of 258 bytes one
 * row back gains 258 * 8 - 112 - 320 units, which are also 1632. */
Test(png_matches, matches_of_258_bytes_may_gain_less)
{
    static const uint32_t lengths[] = {20, 100, 127, 128, 200, 231, 232, 250, 257};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (uint32_t from = 0; from < 2; from++) {
            uint32_t start;
            Tokens tokens = tokens_of_two_runs(lengths[i], from, &start);
            const bool by_row = lengths[i] < 232;
            cr_expect_eq(distance_at(&tokens, start),
                         !by_row     ? 1
                         : from == 0 ? STRIDE
                                     : 0,
                         "%u bytes, from %u", lengths[i], from);
            cr_expect_eq(distance_at(&tokens, start + 1), by_row && from == 1 ? STRIDE : 0,
                         "behind the first of %u", lengths[i]);
            free(tokens.sequences);
        }
}

/* The runs end at every position of a group. The last six bytes of a run repeat later and must be
 * found. */
Test(png_matches, the_ends_of_long_runs_are_entered)
{
    for (uint32_t length = 258 * 20; length < 258 * 20 + 70; length++) {
        static uint8_t data[5450];
        fill_distinct(data, sizeof data);
        memset(data + 50, 50, 1 + length);
        memset(data + 5400, 51, 2);
        memcpy(data + 5402, data + 51 + length - 6, 20);
        Tokens tokens = tokens_of(&GRAY, data, sizeof data);
        cr_expect_eq(distance_at(&tokens, 51), 1);
        cr_expect_eq(distance_at(&tokens, 5402), 5402 - (51 + length - 6), "%u bytes", length);
        free(tokens.sequences);
    }
}

/* --- Random data ------------------------------------------------------------------------------ */

typedef enum Kind {
    NOISE,
    FEW_VALUES,
    SMALL_NOISE, /* similar to a filtered photograph */
    RUNS,
    ROWS, /* each row equals the row above except for some bytes */
    TEXT,
    COPIES, /* copies from any distance, including the maximum */
    PERIOD, /* a pattern of a few bytes that repeats */
    KINDS,
} Kind;

static uint8_t random_byte(Kind kind)
{
    if (kind == FEW_VALUES)
        return (uint8_t)(random_number() % 3);
    if (kind == SMALL_NOISE)
        return (uint8_t)(random_number() % 5 + random_number() % 5 - 4);
    return (uint8_t)random_number();
}

/* Returns the distance from which the data of this kind copies its next bytes, or 0 if it does not
 * copy them. */
static size_t distance_of(Kind kind, const ImgMatchRows *rows, size_t at)
{
    size_t distance = 0;
    if (kind == RUNS)
        distance = random_number() % 4 > 0 ? rows->pixel : 1;
    if (kind == ROWS)
        distance = random_number() % 8 > 0 ? rows->stride : rows->pixel;
    if (kind == PERIOD)
        distance = 2 + at / 700 % 40;
    if (kind == COPIES)
        distance = random_number() % 2 ? 32760 + random_number() % 16 : random_number() % (at + 1);
    return distance <= at ? distance : 0;
}

static void fill(uint8_t *data, size_t size, Kind kind, const ImgMatchRows *rows)
{
    static const char words[] = "the quick brown fox jumps over the lazy dog; ";
    for (size_t at = 0; at < size;) {
        size_t count = 1 + random_number() % (random_number() % 6 > 0 ? 40 : 900);
        size_t distance = distance_of(kind, rows, at), word = random_number() % 30;
        count = count < size - at ? count : size - at;
        for (; count > 0; count--, at++, word++)
            data[at] = kind == TEXT    ? (uint8_t)words[word % (sizeof words - 1)]
                       : distance == 0 ? random_byte(kind)
                                       : data[at - distance];
        if (at < size && kind != PERIOD)
            data[at++] = random_byte(kind);
    }
}

static ImgMatchRows random_rows(void)
{
    static const uint32_t pixels[] = {1, 2, 3, 4, 6, 8}, mosts[] = {40, 600, 32780, 70000};
    ImgMatchRows rows = {pixels[random_number() % 6], 0, random_number() % 3 > 0 ? 6 : 4};
    rows.stride = rows.pixel + 1 + random_number() % mosts[random_number() % 4];
    if (random_number() % 16 == 0)
        rows.stride = 32767 + random_number() % 3;
    return rows;
}

/* Deflates into a buffer of `capacity` bytes. Expects the same bytes as in `whole`, or none if the
 * buffer is smaller than these bytes plus IMG_PIECE_END_BYTES. */
static void expect_room_kept(const ImgMatchRows *rows, const uint8_t *data, size_t size, bool last,
                             const Piece *whole, size_t capacity)
{
    for (int fast = 0; fast < 2; fast++) {
        Piece less = deflate_by(fast, rows, data, size, last, capacity);
        cr_assert(less.size == 0 || less.size == whole->size);
        cr_assert(less.size <= capacity);
        cr_assert(less.size > 0 || capacity < whole->size + IMG_PIECE_END_BYTES);
        cr_assert(less.size == 0 || memcmp(less.bytes, whole->bytes, whole->size) == 0);
        piece_free(&less);
    }
}

static void expect_same(Kind kind, size_t size)
{
    const ImgMatchRows rows = random_rows();
    const bool last = random_number() % 4 > 0;
    uint8_t *data = malloc(size);
    cr_assert_not_null(data);
    fill(data, size, kind, &rows);
    Piece fast = deflate_by(true, &rows, data, size, last, 2 * size + SPARE),
          reference = deflate_by(false, &rows, data, size, last, 2 * size + SPARE);
    cr_assert_eq(fast.size, reference.size,
                 "kind %d, %zu bytes, pixels of %u, rows of %u, %u hashed: %zu bytes, not %zu",
                 (int)kind, size, rows.pixel, rows.stride, rows.hashed, fast.size, reference.size);
    cr_assert_arr_eq(fast.bytes, reference.bytes, fast.size);
    cr_assert_eq(fast.starts.count, reference.starts.count);
    expect_inflated(&fast, data, size, last);
    Tokens tokens = read_tokens(fast.bytes, fast.size, size);
    expect_starts(&fast, &tokens);
    expect_starts(&reference, &tokens);
    free(tokens.sequences);
    if (size < 2000) {
        expect_room_kept(&rows, data, size, last, &fast, fast.size + random_number() % 6);
        expect_room_kept(&rows, data, size, last, &fast, random_number() % (fast.size + 9));
    }
    piece_free(&reference);
    piece_free(&fast);
    free(data);
}

Test(png_matches, small_pieces_match_the_reference)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t size = 1; size <= 600; size += size < 80 ? 1 : 7)
            expect_same(kind, size);
}

Test(png_matches, pieces_match_the_reference)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int round = 0; round < 6; round++)
            expect_same(kind, 1 + random_number() % 50000);
}

Test(png_matches, large_pieces_match_the_reference)
{
    for (int kind = 0; kind < KINDS; kind++)
        expect_same(kind, 100000 + random_number() % 200000);
}
