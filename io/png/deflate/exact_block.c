#include "io/png/deflate/exact_block.h"

#include <string.h>

#include "io/png/deflate/exact_header.h"
#include "io/png/deflate/exact_lengths.h"

enum {
    BLOCK_HEADER_BITS = 3,
    FIXED_SYMBOLS = 288,
    FIXED_DISTANCE_BITS = 5,
    STORED_MOST = 65535,
    STORED_BITS = BLOCK_HEADER_BITS + 7 + 32, /* largest size of a stored block without data */
};

/* Numbers of bits per symbol by which counts may be levelled. */
static const uint32_t LEVELS[] = {1, 2};
enum { LEVELS_COUNT = sizeof LEVELS / sizeof *LEVELS };

static unsigned fixed_length(int symbol)
{
    return symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
}

/* Returns the number of bits of a block's symbols. */
static uint64_t data_bits(const ImgBlockCounts *counts, const ImgBlockPlan *codes)
{
    uint64_t bits = counts->extra;
    for (int i = 0; i < IMG_SYMBOLS; i++)
        bits += (uint64_t)counts->literals[i] * codes->literals[i];
    for (int i = 0; i < IMG_DISTANCES; i++)
        bits += (uint64_t)counts->distances[i] * codes->distances[i];
    return bits;
}

/* Plans a dynamic block whose codes are made for the counts `used`. */
static void plan_dynamic(const ImgBlockCounts *counts, const ImgBlockCounts *used,
                         ImgBlockPlan *codes)
{
    img_exact_lengths(used->literals, IMG_SYMBOLS, IMG_CODE_MOST, codes->literals);
    img_exact_lengths(used->distances, IMG_DISTANCES, IMG_CODE_MOST, codes->distances);
    codes->bits = BLOCK_HEADER_BITS + img_exact_header_bits(codes->literals, codes->distances) +
                  data_bits(counts, codes);
}

static void plan_fixed(const ImgBlockCounts *counts, ImgBlockPlan *codes)
{
    for (int i = 0; i < IMG_SYMBOLS; i++)
        codes->literals[i] = (uint8_t)fixed_length(i);
    memset(codes->distances, FIXED_DISTANCE_BITS, sizeof codes->distances);
    codes->bits = BLOCK_HEADER_BITS + data_bits(counts, codes);
}

void img_exact_plan(const ImgBlockCounts *counts, size_t bytes, ImgExactPlan *plan)
{
    plan->kind = IMG_EXACT_DYNAMIC;
    plan_dynamic(counts, counts, &plan->codes);
    for (int i = 0; i < LEVELS_COUNT; i++) {
        ImgBlockCounts levelled = *counts;
        ImgBlockPlan codes;
        img_exact_level_counts(counts->literals, IMG_SYMBOLS, LEVELS[i], levelled.literals);
        img_exact_level_counts(counts->distances, IMG_DISTANCES, LEVELS[i], levelled.distances);
        plan_dynamic(counts, &levelled, &codes);
        if (codes.bits < plan->codes.bits)
            plan->codes = codes;
    }
    ImgBlockPlan fixed;
    plan_fixed(counts, &fixed);
    if (fixed.bits <= plan->codes.bits)
        *plan = (ImgExactPlan){IMG_EXACT_FIXED, fixed};
    const uint64_t stored = 8 * (uint64_t)bytes + (bytes / STORED_MOST + 1) * STORED_BITS;
    if (stored < plan->codes.bits) {
        plan->kind = IMG_EXACT_STORED;
        plan->codes.bits = stored;
    }
}

/* --- Writing ---------------------------------------------------------------------------------- */

typedef struct Codes {
    uint16_t literals[FIXED_SYMBOLS], distances[IMG_DISTANCES];
} Codes;

static void make_codes(const ImgExactPlan *plan, Codes *codes)
{
    uint8_t lengths[FIXED_SYMBOLS];
    img_huffman_codes(plan->codes.distances, IMG_DISTANCES, codes->distances);
    if (plan->kind == IMG_EXACT_DYNAMIC) {
        img_huffman_codes(plan->codes.literals, IMG_SYMBOLS, codes->literals);
        return;
    }
    for (int i = 0; i < FIXED_SYMBOLS; i++)
        lengths[i] = (uint8_t)fixed_length(i);
    img_huffman_codes(lengths, FIXED_SYMBOLS, codes->literals);
}

static void put_match(ImgBits *bits, const Codes *codes, const ImgBlockPlan *lengths,
                      ImgExactSymbol match)
{
    const ImgPart length = img_part_of_length(img_exact_length(match));
    const ImgPart distance = img_part_of_distance(img_exact_distance(match));
    const unsigned symbol = IMG_FIRST_LENGTH + length.code;
    img_bits_put(bits, codes->literals[symbol], lengths->literals[symbol]);
    img_bits_put(bits, length.extra, length.extra_bits);
    img_bits_put(bits, codes->distances[distance.code], lengths->distances[distance.code]);
    img_bits_put(bits, distance.extra, distance.extra_bits);
}

static void put_stored(ImgBits *bits, const uint8_t *data, size_t bytes, bool last)
{
    do {
        const size_t here = bytes < STORED_MOST ? bytes : STORED_MOST;
        bytes -= here;
        img_bits_put(bits, last && bytes == 0, BLOCK_HEADER_BITS);
        img_bits_align(bits);
        img_bits_put(bits, here | (~here & 0xFFFF) << 16, 32);
        memcpy(bits->out, data, here);
        bits->out += here;
        data += here;
    } while (bytes > 0);
}

void img_exact_put(ImgBits *to, const ImgExactPlan *plan, const uint8_t *data, size_t bytes,
                   const ImgExactSymbol *symbols, size_t count, bool last)
{
    ImgBits bits = *to;
    Codes codes;
    if (plan->kind == IMG_EXACT_STORED) {
        put_stored(to, data, bytes, last);
        return;
    }
    make_codes(plan, &codes);
    img_bits_put(&bits, (unsigned)last | (unsigned)plan->kind << 1, BLOCK_HEADER_BITS);
    if (plan->kind == IMG_EXACT_DYNAMIC)
        img_exact_put_header(&bits, plan->codes.literals, plan->codes.distances);
    for (size_t i = 0; i < count; i++) {
        if (img_exact_is_match(symbols[i]))
            put_match(&bits, &codes, &plan->codes, symbols[i]);
        else
            img_bits_put(&bits, codes.literals[symbols[i]], plan->codes.literals[symbols[i]]);
    }
    img_bits_put(&bits, codes.literals[IMG_END_OF_BLOCK], plan->codes.literals[IMG_END_OF_BLOCK]);
    *to = bits;
}
