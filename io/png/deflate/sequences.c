#include "io/png/deflate/sequences.h"

#include "io/png/deflate/length_codes.h"

enum {
    DYNAMIC = 2,
    BLOCK_HEADER_BITS = 3,
};

void img_block_count_match(ImgBlockCounts *counts, uint32_t length, uint32_t distance)
{
    ImgPart of_length = img_part_of_length(length), of_distance = img_part_of_distance(distance);
    counts->literals[IMG_FIRST_LENGTH + of_length.code]++;
    counts->distances[of_distance.code]++;
    counts->extra += of_length.extra_bits + of_distance.extra_bits;
}

/* Counts literals in two tables. With a single table, equal bytes in succession would cause
 * stalls. */
static void count_literals(const uint8_t *data, uint32_t count, uint32_t *even, uint32_t *odd)
{
    for (; count >= 4; count -= 4, data += 4) {
        even[data[0]]++;
        odd[data[1]]++;
        even[data[2]]++;
        odd[data[3]]++;
    }
    for (; count > 0; count--)
        even[*data++]++;
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

/* --- Writing codes ---------------------------------------------------------------------------- */

/* The codes of a block with their lengths, in a form that is fast to write. */
typedef struct Codes {
    /* For each literal: its code in the highest bits, the length of the code in the lowest bits. */
    uint64_t literals[IMG_LITERALS];
    /* For each match length: its number of bits in the lowest COUNT_BITS bits; above them its code;
     * above the code its extra bits. */
    uint32_t lengths[IMG_LENGTH_MOST + 1];
    /* For each distance code: its number of bits in the lowest COUNT_BITS bits; above them the
     * code, without extra bits. */
    uint32_t distances[IMG_DISTANCES];
    uint16_t end;
} Codes;

enum { COUNT_BITS = 5, COUNT_MASK = (1 << COUNT_BITS) - 1 };

static void make_codes(const ImgBlockPlan *plan, Codes *codes)
{
    uint16_t symbols[IMG_SYMBOLS], distances[IMG_DISTANCES];
    img_huffman_codes(plan->literals, IMG_SYMBOLS, symbols);
    img_huffman_codes(plan->distances, IMG_DISTANCES, distances);
    for (int i = 0; i < IMG_LITERALS; i++) {
        const unsigned bits = plan->literals[i];
        codes->literals[i] = bits == 0 ? 0 : (uint64_t)symbols[i] << (64 - bits) | bits;
    }
    for (uint32_t length = IMG_LENGTH_LEAST; length <= IMG_LENGTH_MOST; length++) {
        const ImgPart part = img_part_of_length(length);
        const unsigned symbol = IMG_FIRST_LENGTH + part.code, bits = plan->literals[symbol];
        const uint32_t code = symbols[symbol] | part.extra << bits;
        codes->lengths[length] = code << COUNT_BITS | (bits + part.extra_bits);
    }
    for (int i = 0; i < IMG_DISTANCES; i++)
        codes->distances[i] = (uint32_t)distances[i] << COUNT_BITS | plan->distances[i];
    codes->end = symbols[IMG_END_OF_BLOCK];
}

/* Bits for img_bits_put, and the number of these bits. */
typedef struct Word {
    uint64_t value;
    unsigned count;
} Word;

/* Returns the bits of a match: length code, extra bits, distance code, extra bits. They are at most
 * 15 + 5 + 15 + 13 bits. */
static inline Word word_of_match(const Codes *codes, const ImgSequence *match)
{
    const ImgPart distance = img_part_of_distance(match->distance);
    const uint32_t first = codes->lengths[match->length], second = codes->distances[distance.code];
    Word word = {first >> COUNT_BITS, first & COUNT_MASK};
    word.value |= (uint64_t)(second >> COUNT_BITS) << word.count;
    word.count += second & COUNT_MASK;
    word.value |= (uint64_t)distance.extra << word.count;
    word.count += distance.extra_bits;
    return word;
}

/* Joins up to three codes, which have at most 58 bits together; 0 means no code. Collects the codes
 * in the highest bits of a word; each code shifts the earlier codes down. The final shift removes
 * the code lengths, which are still in the low bits. */
static inline Word join(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t value = a >> (b & 63) | b;
    value = value >> (c & 63) | c;
    const unsigned count = (unsigned)(a + b + c) & 63;
    return (Word){value >> (-count & 63), count};
}

static inline const uint8_t *put_fours(ImgBits *bits, const uint64_t *literals, const uint8_t *data,
                                       uint32_t count)
{
    for (; count >= 4; count -= 4, data += 4) {
        const uint64_t a = literals[data[0]], b = literals[data[1]], c = literals[data[2]],
                       d = literals[data[3]];
        const Word three = join(a, b, c);
        const unsigned last = (unsigned)d & 63;
        if (three.count + last > IMG_BITS_MOST) {
            img_bits_put(bits, three.value, three.count);
            img_bits_put(bits, d >> (64 - last), last);
        } else {
            img_bits_put(bits, three.value | d >> (64 - last) << three.count, three.count + last);
        }
    }
    return data;
}

/* Writes the literals of a sequence and the match after them. The last one to three literals are
 * written together with the match if their bits fit into one word. */
static inline void put_sequence(ImgBits *bits, const Codes *codes, const uint8_t *data,
                                const ImgSequence *sequence)
{
    const uint64_t *literals = codes->literals;
    const unsigned rest = sequence->literals % 4;
    data = put_fours(bits, literals, data, sequence->literals);
    const uint64_t a = rest > 0 ? literals[data[0]] : 0, b = rest > 1 ? literals[data[1]] : 0,
                   c = rest > 2 ? literals[data[2]] : 0;
    Word word = join(a, b, c);
    const Word match = word_of_match(codes, sequence);
    if (word.count + match.count > IMG_BITS_MOST) {
        img_bits_put(bits, word.value, word.count);
        word = (Word){0, 0};
    }
    img_bits_put(bits, word.value | match.value << word.count, word.count + match.count);
}

static void put_literals(ImgBits *bits, const Codes *codes, const uint8_t *data, uint32_t count)
{
    const uint8_t *end = data + count;
    for (data = put_fours(bits, codes->literals, data, count); data < end; data++) {
        const Word word = join(0, 0, codes->literals[*data]);
        img_bits_put(bits, word.value, word.count);
    }
}

void img_block_put(ImgBits *to, const ImgBlockPlan *plan, const uint8_t *data,
                   const ImgSequence *sequences, size_t count, bool last)
{
    ImgBits bits = *to;
    Codes codes;
    make_codes(plan, &codes);
    img_bits_put(&bits, last | DYNAMIC << 1, BLOCK_HEADER_BITS);
    img_huffman_put_header(&bits, plan->literals, plan->distances);
    for (size_t i = 0; i < count; i++) {
        if (sequences[i].length > 0)
            put_sequence(&bits, &codes, data, &sequences[i]);
        else
            put_literals(&bits, &codes, data, sequences[i].literals);
        data += sequences[i].literals + sequences[i].length;
    }
    img_bits_put(&bits, codes.end, plan->literals[IMG_END_OF_BLOCK]);
    *to = bits;
}
