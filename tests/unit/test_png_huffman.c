/* Tests of Huffman codes of limited length, and of the block header that contains them. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/png/deflate/huffman.h"

static uint64_t random_state = 1;

static uint32_t random_number(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33);
}

/* Returns the code space that these code lengths take, in units of 2^-15. A complete code takes
 * 2^15. */
static unsigned claimed(const uint8_t *lengths, int symbols)
{
    unsigned sum = 0;
    for (int i = 0; i < symbols; i++)
        sum += lengths[i] > 0 ? 1U << (15 - lengths[i]) : 0;
    return sum;
}

static uint64_t cost(const uint32_t *counts, const uint8_t *lengths, int symbols)
{
    uint64_t bits = 0;
    for (int i = 0; i < symbols; i++)
        bits += (uint64_t)counts[i] * lengths[i];
    return bits;
}

static int largest(const uint8_t *lengths, int symbols)
{
    int most = 0;
    for (int i = 0; i < symbols; i++)
        most = lengths[i] > most ? lengths[i] : most;
    return most;
}

/* Returns the cost of an optimal Huffman code without a limit of length. Joins the two smallest
 * weights until one weight is left. Each join costs the sum of both weights. */
static uint64_t least_cost(const uint32_t *counts, int symbols)
{
    uint64_t weights[IMG_SYMBOLS], total = 0;
    int count = 0;
    for (int i = 0; i < symbols; i++)
        if (counts[i] > 0)
            weights[count++] = counts[i];
    for (; count > 1; count--) {
        for (int pick = 0; pick < 2; pick++) {
            int least = count - 1 - pick;
            for (int i = 0; i < count - pick; i++)
                if (weights[i] < weights[least])
                    least = i;
            uint64_t weight = weights[least];
            weights[least] = weights[count - 1 - pick];
            weights[count - 1 - pick] = weight;
        }
        weights[count - 2] += weights[count - 1];
        total += weights[count - 2];
    }
    return total;
}

Test(png_huffman, lengths_match_values_worked_out_by_hand)
{
    static const uint32_t counts[] = {1, 4, 0, 2, 1};
    uint8_t lengths[5];
    img_huffman_lengths(counts, 5, 15, lengths);
    cr_expect_arr_eq(lengths, ((uint8_t[]){3, 1, 0, 2, 3}), 5);
}

/* By RFC 1951, 3.2.2, the lengths 3 3 3 3 3 2 4 4 give the codes 010 011 100 101 110 00 1110 1111.
 * Codes are stored with their leftmost bit first. */
Test(png_huffman, codes_match_the_rfc)
{
    static const uint8_t lengths[] = {3, 3, 3, 3, 3, 2, 4, 4};
    static const uint16_t expected[] = {2, 6, 1, 5, 3, 0, 7, 15};
    uint16_t codes[8];
    img_huffman_codes(lengths, 8, codes);
    cr_expect_arr_eq(codes, expected, sizeof expected);
}

Test(png_huffman, a_code_has_at_least_two_symbols)
{
    uint32_t counts[6] = {0};
    uint8_t lengths[6];
    img_huffman_lengths(counts, 6, 15, lengths);
    cr_expect_arr_eq(lengths, ((uint8_t[]){1, 1, 0, 0, 0, 0}), 6);
    counts[0] = 7;
    img_huffman_lengths(counts, 6, 15, lengths);
    cr_expect_arr_eq(lengths, ((uint8_t[]){1, 1, 0, 0, 0, 0}), 6);
    counts[0] = 0;
    counts[4] = 7;
    img_huffman_lengths(counts, 6, 15, lengths);
    cr_expect_arr_eq(lengths, ((uint8_t[]){1, 0, 0, 0, 1, 0}), 6);
}

Test(png_huffman, codes_are_complete_and_optimal)
{
    for (int round = 0; round < 400; round++) {
        uint32_t counts[IMG_SYMBOLS];
        uint8_t lengths[IMG_SYMBOLS];
        int symbols = 2 + (int)(random_number() % (IMG_SYMBOLS - 1));
        unsigned spread = random_number() % 20, share = 1 + random_number() % 4;
        for (int i = 0; i < symbols; i++)
            counts[i] = i < 2 || random_number() % 4 < share
                            ? 1 + random_number() % (1U << (random_number() % (spread + 1)))
                            : 0;
        img_huffman_lengths(counts, symbols, 15, lengths);
        cr_assert_eq(claimed(lengths, symbols), 1U << 15, "round %d", round);
        for (int i = 0; i < symbols; i++)
            cr_assert_eq(lengths[i] > 0, counts[i] > 0);
        uint64_t least = least_cost(counts, symbols), found = cost(counts, lengths, symbols);
        if (largest(lengths, symbols) < 15)
            cr_assert_eq(found, least, "round %d", round);
        else
            cr_assert(found >= least && found <= least + least / 50, "round %d", round);
    }
}

/* Weights that are Fibonacci numbers give the deepest Huffman trees. */
Test(png_huffman, the_limit_of_length_is_kept)
{
    for (int symbols = 2; symbols <= 44; symbols++) {
        uint32_t counts[44] = {1, 1};
        uint8_t lengths[44];
        for (int i = 2; i < symbols; i++)
            counts[i] = counts[i - 1] + counts[i - 2];
        for (int limit = 6; limit <= 15; limit++) {
            img_huffman_lengths(counts, symbols, limit, lengths);
            cr_assert_eq(largest(lengths, symbols), symbols - 1 < limit ? symbols - 1 : limit);
            cr_assert_eq(claimed(lengths, symbols), 1U << 15, "%d symbols, %d bits", symbols,
                         limit);
            for (int i = 1; i < symbols; i++)
                cr_assert_leq(lengths[i], lengths[i - 1], "the rarer has the longer code");
        }
    }
}

Test(png_huffman, all_codes_are_used_if_the_limit_needs_them)
{
    uint32_t counts[64];
    uint8_t lengths[64];
    for (int i = 0; i < 64; i++)
        counts[i] = 1U << (i / 3);
    img_huffman_lengths(counts, 64, 6, lengths);
    for (int i = 0; i < 64; i++)
        cr_assert_eq(lengths[i], 6);
}

/* Expects that zlib accepts the header of a block with these code lengths. The block contains only
 * its end. */
static void expect_header_accepted(const uint8_t *literals, const uint8_t *distances)
{
    uint8_t block[IMG_HEADER_MOST_BYTES + 16], nothing[1];
    uint16_t codes[IMG_SYMBOLS];
    ImgBits bits = {block, 0, 0};
    img_bits_put(&bits, 1 | 2 << 1, 3);
    img_huffman_put_header(&bits, literals, distances);
    size_t size = (size_t)(bits.out - block) * 8 + bits.count;
    cr_assert_eq(size, 3 + img_huffman_header_bits(literals, distances));
    cr_assert_leq(size, IMG_HEADER_MOST_BYTES * 8);
    img_huffman_codes(literals, IMG_SYMBOLS, codes);
    img_bits_put(&bits, codes[IMG_END_OF_BLOCK], literals[IMG_END_OF_BLOCK]);
    img_bits_align(&bits);

    z_stream stream = {.next_in = block, .avail_in = (uInt)(bits.out - block)};
    stream.next_out = nothing;
    stream.avail_out = sizeof nothing;
    cr_assert_eq(inflateInit2(&stream, -15), Z_OK);
    cr_assert_eq(inflate(&stream, Z_FINISH), Z_STREAM_END, "%s", stream.msg);
    cr_assert_eq(stream.total_out, 0);
    cr_assert_eq(stream.avail_in, 0);
    inflateEnd(&stream);
}

Test(png_huffman, zlib_reads_the_headers)
{
    for (int round = 0; round < 400; round++) {
        uint32_t counts[IMG_SYMBOLS] = {[IMG_END_OF_BLOCK] = 1}, far[IMG_DISTANCES] = {0};
        uint8_t literals[IMG_SYMBOLS], distances[IMG_DISTANCES];
        unsigned every = 1 + random_number() % 200, spread = random_number() % 20;
        for (int i = 0; i < IMG_SYMBOLS; i++)
            if (random_number() % every == 0)
                counts[i] += random_number() % (1U << spread);
        for (int i = 0; i < IMG_DISTANCES; i++)
            if (random_number() % every == 0)
                far[i] = random_number() % (1U << spread);
        img_huffman_lengths(counts, IMG_SYMBOLS, 15, literals);
        img_huffman_lengths(far, IMG_DISTANCES, 15, distances);
        expect_header_accepted(literals, distances);
    }
}
