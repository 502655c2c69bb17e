/* Deflates with the matches of match_rule.h. The walk, which is the loop over the data that finds
 * the matches, is compiled for several instruction sets. */
#include "io/png/deflate/matches.h"

#include <stdlib.h>
#include <string.h>

#include "io/png/deflate/matches_walk.h"
#include "kernels/core/parallel/cpu.h"

static const ImgMatchLoops *best_loops(void)
{
#ifdef IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX512 && __builtin_cpu_supports("avx512vbmi"))
        return &img_match_vbmi;
    if (img_cpu_level() >= IMG_CPU_AVX2)
        return &img_match_avx2;
#endif
    return &img_match_portable;
}

ImgMatches *img_matches_create(void)
{
    ImgMatches *work = malloc(sizeof *work);
    if (work == NULL)
        return NULL;
    work->loops = best_loops();
    for (uint32_t length = 0; length <= IMG_MATCH_MOST; length++)
        work->length_costs[length] =
            length < IMG_MATCH_LEAST ? 0 : (uint16_t)img_match_length_cost(length);
    return work;
}

size_t img_matches_bytes(void)
{
    return sizeof(ImgMatches);
}

void img_matches_free(ImgMatches *work)
{
    free(work);
}

/* Returns the largest possible output size. Huffman codes make a block no larger than codes of
 * fixed length would: nine bits per literal or length, five bits per distance, and extra bits. With
 * codes of fixed length, a match of four bytes takes at most 27 bits, and a near match of three
 * bytes takes 14. Both are fewer bits than these bytes have. Literals of noise take 8.01 bits. The
 * header of a block takes about 100 bytes per 32,768 tokens. */
size_t img_deflate_matches_bound(size_t size)
{
    return size + size / 64 + IMG_HEADER_MOST_BYTES + IMG_PIECE_END_BYTES + IMG_BITS_SLACK;
}

static ImgMatchWalk start_walk(ImgMatches *work, const ImgMatchRows *rows, const uint8_t *data,
                               size_t size)
{
    ImgMatchWalk walk = {.work = work, .rows = rows, .data = data, .size = (uint32_t)size};
    walk.factor = img_match_factor(rows->hashed);
    walk.words = size < IMG_MATCH_WORD ? 0 : (uint32_t)size - IMG_MATCH_WORD + 1;
    walk.hashed = UINT64_MAX >> 8 * (IMG_MATCH_WORD - rows->hashed);
    walk.distances[IMG_MATCH_PIXEL] = rows->pixel;
    walk.distances[IMG_MATCH_ROW] = rows->stride;
    walk.distances[IMG_MATCH_BYTE] = 1;
    for (ImgMatchFixed back = IMG_MATCH_PIXEL; back < IMG_MATCH_FIXED; back++)
        walk.distance_costs[back] = img_match_distance_cost(walk.distances[back], rows->pixel);
    memset(work->slots, 0, sizeof work->slots);
    work->sums[0] = 0;
    work->loops->set_costs(&walk);
    return walk;
}

static void plan_block(const ImgMatchWalk *walk, uint32_t at, const ImgMatchTokens *tokens,
                       ImgBlockPlan *plan)
{
    ImgBlockCounts counts;
    img_block_count(walk->data + at, tokens->sequences, tokens->count, &counts);
    img_block_plan(&counts, plan);
}

size_t img_deflate_matches(ImgMatches *work, const ImgMatchRows *rows, const uint8_t *data,
                           size_t size, bool last, uint8_t *out, size_t capacity,
                           ImgBlockStarts *starts)
{
    if (capacity < IMG_PIECE_END_BYTES)
        return 0;
    ImgMatchWalk walk = start_walk(work, rows, data, size);
    ImgBits bits = {out, 0, 0};
    uint64_t room = 8 * (uint64_t)(capacity - IMG_PIECE_END_BYTES);
    img_block_starts_begin(starts, out);
    for (uint32_t at = 0, end; at < walk.size; at = end) {
        ImgMatchTokens tokens;
        ImgBlockPlan plan;
        end = work->loops->parse_block(&walk, at, &tokens);
        plan_block(&walk, at, &tokens, &plan);
        if (plan.bits > room)
            return 0;
        room -= plan.bits;
        img_block_starts_add(starts, &bits);
        img_block_put(&bits, &plan, data + at, tokens.sequences, tokens.count,
                      last && end == walk.size);
    }
    img_bits_end_piece(&bits, last);
    return (size_t)(bits.out - out);
}

size_t img_deflated_matches(ImgMatches *work, const ImgMatchRows *rows, const uint8_t *data,
                            size_t size)
{
    ImgMatchWalk walk = start_walk(work, rows, data, size);
    uint64_t bits = 0;
    for (uint32_t at = 0, end; at < walk.size; at = end) {
        ImgMatchTokens tokens;
        ImgBlockPlan plan;
        end = work->loops->parse_block(&walk, at, &tokens);
        plan_block(&walk, at, &tokens, &plan);
        bits += plan.bits;
    }
    return (size_t)((bits + 7) / 8);
}
