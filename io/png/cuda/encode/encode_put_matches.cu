/* Writes the deflated data of strips with LZ77. A thread block processes one segment (4,096
 * positions) at a time, each thread PER_THREAD positions. The header of a deflate block is written
 * with the block's first segment, its end-of-block code with the last segment. */
#include "io/png/cuda/encode/encode_launch.cuh"
#include "io/png/cuda/encode/encode_stage.cuh"
#include "io/png/cuda/encode/tokens.cuh"

namespace
{

constexpr uint32_t SEGMENT = IMG_MATCH_SEGMENT, PER_THREAD = SEGMENT / THREADS;
constexpr uint32_t AT_MOST = 4; /* largest number of segments per thread block */
/* Number of words that suffice for a segment, even if all its tokens are matches of three bytes
 * that take 48 bits each: half a word per byte. */
constexpr uint32_t STAGE_WORDS = SEGMENT / 2 + MATCH_HEADER_WORDS + 8;
constexpr uint32_t LENGTH_MASK = (1 << MATCH_FROM_SHIFT) - 1, CODE_MASK = 0xFFFFFF;
static_assert(32 % PER_THREAD == 0, "the marks of a thread are in one word");

struct Shared {
    uint32_t codes[MATCH_SYMBOLS];
    uint32_t stage[STAGE_WORDS];
    uint32_t scratch[WARPS];
};

struct Source {
    ImgMatchRows rows;
    /* Data of the segment. `matches` and `back` also start at the segment. */
    const uint8_t *data;
    const Match *matches;
    const uint16_t *back;
    const uint32_t *codes;
};

/* --- Tokens ----------------------------------------------------------------------------------- */

/* The bits of a literal, or the bits of a match's length followed by the bits of its distance. */
struct Token {
    uint32_t bits, count, more_bits, more_count;
};

__device__ Token token_at(const Source &source, uint32_t at)
{
    const Match match = source.matches[at];
    if (match == 0) {
        const uint32_t code = source.codes[source.data[at]];
        return {code & CODE_MASK, code >> 24, 0, 0};
    }
    const tokens::Length length = tokens::length_of(match & LENGTH_MASK);
    const tokens::Distance distance =
        tokens::distance_of(match_distance(&source.rows, match, source.back[at]));
    const uint32_t code = source.codes[tokens::FIRST_LENGTH + length.code], count = code >> 24;
    const uint32_t more = source.codes[MATCH_LITERALS + distance.code], more_count = more >> 24;
    return {(code & CODE_MASK) | length.extra << count, count + length.extra_bits,
            (more & CODE_MASK) | distance.extra << more_count, more_count + distance.extra_bits};
}

__device__ uint32_t count_bits(const Source &source, uint32_t from, uint32_t marks)
{
    uint32_t bits = 0;
    for (; marks != 0; marks &= marks - 1) {
        const Token token = token_at(source, from + (uint32_t)__ffs((int)marks) - 1);
        bits += token.count + token.more_count;
    }
    return bits;
}

struct Writer {
    uint32_t *word;
    uint64_t held;
    uint32_t filled; /* number of bits in the current word, less than 32 */
};

__device__ void put(Writer *writer, uint32_t bits, uint32_t count)
{
    writer->held |= (uint64_t)bits << writer->filled;
    writer->filled += count;
    if (writer->filled < 32)
        return;
    atomicOr(writer->word++, (uint32_t)writer->held);
    writer->held >>= 32;
    writer->filled -= 32;
}

__device__ void put_tokens(const Source &source, uint32_t from, uint32_t marks, const Stage &stage,
                           uint64_t bit)
{
    Writer writer = {stage.words + (bit / 32 - stage.base), 0, (uint32_t)(bit % 32)};
    for (; marks != 0; marks &= marks - 1) {
        const Token token = token_at(source, from + (uint32_t)__ffs((int)marks) - 1);
        put(&writer, token.bits, token.count);
        put(&writer, token.more_bits, token.more_count);
    }
    if (writer.held != 0)
        atomicOr(writer.word, (uint32_t)writer.held);
}

/* --- Segments --------------------------------------------------------------------------------- */

struct Segment {
    /* `strip`: index of the strip; `number`: index of the segment in the strip. */
    uint32_t strip, number;
    MatchUnit unit;
    MatchSegment made;
    size_t block; /* index of the segment's deflate block in matches.blocks */
    bool begins_block, ends_block, ends_strip, is_last;
    uint64_t bit; /* bit position of the segment in the output */
};

__device__ Segment segment_of(const EncodeJob &job, uint32_t strip, uint32_t number)
{
    Segment segment;
    segment.strip = strip;
    segment.number = number;
    segment.unit = job.matches.units[strip];
    segment.made = job.matches.segments[segment.unit.first_segment + number];
    segment.block = segment.unit.first_block + segment.made.block;
    const MatchBlock block = job.matches.blocks[segment.block];
    segment.begins_block = number == block.first_segment;
    segment.ends_block = number + 1 == block.first_segment + block.segments;
    segment.ends_strip = number + 1 == match_segments(segment.unit.size);
    segment.is_last = segment.ends_strip && strip + 1 == job.strips.count;
    segment.bit =
        8 * encode_chunk_data(&job, strip) + job.segment_bits[segment.unit.first_segment + number];
    return segment;
}

__device__ void load(const MatchJob &job, const Segment &segment, Shared *shared)
{
    for (uint32_t i = threadIdx.x; i < STAGE_WORDS; i += THREADS)
        shared->stage[i] = 0;
    for (uint32_t i = threadIdx.x; i < MATCH_SYMBOLS; i += THREADS)
        shared->codes[i] = job.codes[segment.block * MATCH_SYMBOLS + i];
    __syncthreads();
}

__device__ void put_segment(const EncodeJob &job, const Segment &segment, Shared *shared)
{
    const MatchJob &matches = job.matches;
    const size_t place = segment.unit.first_segment + segment.number;
    const Source source = {matches.rows, segment.unit.data + (size_t)segment.number * SEGMENT,
                           matches.matches + place * SEGMENT, matches.back + place * SEGMENT,
                           shared->codes};
    const uint64_t end = segment.bit + segment.made.bits;
    Stage stage = {shared->stage, reinterpret_cast<uint32_t *>(job.output), segment.bit / 32,
                   segment.bit / 32};
    uint64_t bit = segment.bit;
    load(matches, segment, shared);
    if (segment.begins_block) {
        const uint32_t bits = matches.blocks[segment.block].header_bits;
        put_header(matches.headers + segment.block * MATCH_HEADER_WORDS, bits, stage, bit);
        bit += bits;
    }
    const uint32_t from = threadIdx.x * PER_THREAD;
    const uint32_t marks =
        matches.marks[place * MATCH_MARKS + from / 32] >> from % 32 & ((1u << PER_THREAD) - 1);
    uint32_t all;
    const uint32_t before =
        block_scan<THREADS>(count_bits(source, from, marks), shared->scratch, &all);
    put_tokens(source, from, marks, stage, bit + before);
    if (threadIdx.x == 0 && segment.ends_block) {
        const uint32_t code = shared->codes[tokens::END_OF_BLOCK];
        put(stage, bit + all, code & CODE_MASK, code >> 24);
        if (segment.ends_strip && !segment.is_last)
            put_strip_end(stage, end);
    }
    put_last_word(&stage, end_of_strip(segment.ends_strip, segment.is_last, end));
}

template <typename Jobs> __global__ void __launch_bounds__(THREADS) put_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Shared, shared, [1]);
    const EncodeJob &job = jobs.get();
    const uint32_t strip = blockIdx.y;
    if (strip >= job.strips.count || job.chosen[strip] != ENCODE_MATCHES)
        return;
    const uint32_t segments = match_segments(job.matches.units[strip].size);
    for (uint32_t number = blockIdx.x; number < segments; number += gridDim.x) {
        put_segment(job, segment_of(job, strip, number), shared);
        __syncthreads();
    }
}

} // namespace

void img_encode_put_matches(const EncodeBatch *batch, void *stream)
{
    const MatchBatch *matches = &batch->matches;
    const dim3 grid((match_segments(matches->most) + AT_MOST - 1) / AT_MOST, matches->units,
                    batch->count);
    with_jobs(batch, [&](auto jobs) {
        IMG_LAUNCH_EARLY(put_kernel<decltype(jobs)>, grid, THREADS, 0, stream, jobs);
    });
}
