#include "io/png/deflate/sequences.h"

#include "io/png/deflate/logarithm.h"

enum {
    DYNAMIC = 2,
    BLOCK_HEADER_BITS = 3,
    LENGTH_CODES = 29,
    NEAREST = 4, /* distances that have codes of their own */
};

typedef struct Part {
    unsigned code, extra_bits, extra;
} Part;

/* From 11 on there are four codes for each power of two. */
static inline Part part_of_length(uint32_t length)
{
    if (length < 11)
        return (Part){length - 3, 0, 0};
    if (length == 258)
        return (Part){LENGTH_CODES - 1, 0, 0};
    unsigned bits = img_top_bit(length - 3) - 2;
    return (Part){4 * bits + ((length - 3) >> bits), bits, (length - 3) & ((1U << bits) - 1)};
}

/* From 5 on there are two codes for each power of two. */
static inline Part part_of_distance(uint32_t distance)
{
    if (distance <= NEAREST)
        return (Part){distance - 1, 0, 0};
    unsigned bits = img_top_bit(distance - 1) - 1;
    return (Part){2 * bits + ((distance - 1) >> bits), bits, (distance - 1) & ((1U << bits) - 1)};
}

void img_block_count_match(ImgBlockCounts *counts, uint32_t length, uint32_t distance)
{
    Part of_length = part_of_length(length), of_distance = part_of_distance(distance);
    counts->literals[IMG_FIRST_LENGTH + of_length.code]++;
    counts->distances[of_distance.code]++;
    counts->extra += of_length.extra_bits + of_distance.extra_bits;
}

/* Two tables of counts, so that equal bytes do not wait. */
static void count_literals(const uint8_t *data, uint32_t count, uint32_t *even, uint32_t *odd)
{
    for (; count >= 2; count -= 2, data += 2) {
        even[data[0]]++;
        odd[data[1]]++;
    }
    if (count > 0)
        even[data[0]]++;
}

void img_block_count(const uint8_t *data, const ImgSequence *sequences, size_t count,
                     ImgBlockCounts *counts)
{
    uint32_t odd[IMG_LITERALS] = {0};
    *counts = (ImgBlockCounts){.literals = {[IMG_END_OF_BLOCK] = 1}};
    for (size_t i = 0; i < count; i++) {
        count_literals(data, sequences[i].literals, counts->literals, odd);
        if (sequences[i].length > 0)
            img_block_count_match(counts, sequences[i].length, sequences[i].distance);
        data += sequences[i].literals + sequences[i].length;
    }
    for (int i = 0; i < IMG_LITERALS; i++)
        counts->literals[i] += odd[i];
}

void img_block_plan(const ImgBlockCounts *counts, ImgBlockPlan *plan)
{
    img_huffman_lengths(counts->literals, IMG_SYMBOLS, IMG_CODE_MOST, plan->literals);
    img_huffman_lengths(counts->distances, IMG_DISTANCES, IMG_CODE_MOST, plan->distances);
    plan->bits = BLOCK_HEADER_BITS + img_huffman_header_bits(plan->literals, plan->distances);
    plan->bits += counts->extra;
    for (int i = 0; i < IMG_SYMBOLS; i++)
        plan->bits += (uint64_t)counts->literals[i] * plan->literals[i];
    for (int i = 0; i < IMG_DISTANCES; i++)
        plan->bits += (uint64_t)counts->distances[i] * plan->distances[i];
}

/* --- Writing -----------------------------------------------------------------------------------
 */

/* Codes with their lengths: a literal's in the low four bits. */
typedef struct Codes {
    uint32_t literals[IMG_LITERALS];
    uint16_t lengths[IMG_SYMBOLS], distances[IMG_DISTANCES];
} Codes;

enum { LENGTH_BITS = 4, LENGTH_MASK = (1 << LENGTH_BITS) - 1 };

static void make_codes(const ImgBlockPlan *plan, Codes *codes)
{
    img_huffman_codes(plan->literals, IMG_SYMBOLS, codes->lengths);
    img_huffman_codes(plan->distances, IMG_DISTANCES, codes->distances);
    for (int i = 0; i < IMG_LITERALS; i++)
        codes->literals[i] = (uint32_t)codes->lengths[i] << LENGTH_BITS | plan->literals[i];
}

static void put_literals(ImgBits *bits, const Codes *codes, const uint8_t *data, uint32_t count)
{
    const uint32_t *literals = codes->literals;
    for (; count >= 3; count -= 3, data += 3) {
        uint32_t a = literals[data[0]], b = literals[data[1]], c = literals[data[2]];
        unsigned one = a & LENGTH_MASK, two = one + (b & LENGTH_MASK);
        uint64_t word = a >> LENGTH_BITS | (uint64_t)(b >> LENGTH_BITS) << one |
                        (uint64_t)(c >> LENGTH_BITS) << two;
        img_bits_put(bits, word, two + (c & LENGTH_MASK));
    }
    for (; count > 0; count--, data++)
        img_bits_put(bits, literals[*data] >> LENGTH_BITS, literals[*data] & LENGTH_MASK);
}

/* At most 15 + 5 + 15 + 13 bits. */
static void put_match(ImgBits *bits, const ImgBlockPlan *plan, const Codes *codes,
                      const ImgSequence *match)
{
    Part length = part_of_length(match->length), distance = part_of_distance(match->distance);
    unsigned symbol = IMG_FIRST_LENGTH + length.code, count = plan->literals[symbol];
    uint64_t word = codes->lengths[symbol] | (uint64_t)length.extra << count;
    count += length.extra_bits;
    word |= (uint64_t)codes->distances[distance.code] << count;
    count += plan->distances[distance.code];
    word |= (uint64_t)distance.extra << count;
    img_bits_put(bits, word, count + distance.extra_bits);
}

void img_block_put(ImgBits *bits, const ImgBlockPlan *plan, const uint8_t *data,
                   const ImgSequence *sequences, size_t count, bool last)
{
    Codes codes;
    make_codes(plan, &codes);
    img_bits_put(bits, last | DYNAMIC << 1, BLOCK_HEADER_BITS);
    img_huffman_put_header(bits, plan->literals, plan->distances);
    for (size_t i = 0; i < count; i++) {
        put_literals(bits, &codes, data, sequences[i].literals);
        if (sequences[i].length > 0)
            put_match(bits, plan, &codes, &sequences[i]);
        data += sequences[i].literals + sequences[i].length;
    }
    img_bits_put(bits, codes.lengths[IMG_END_OF_BLOCK], plan->literals[IMG_END_OF_BLOCK]);
}
