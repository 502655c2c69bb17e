/* Decodes subsequences of a deflate block to records, one thread per subsequence, and writes the
 * cells that the records stand for (decode_bits.cuh). Symbols are decoded only once: where the
 * cells of a subsequence belong is known only after all subsequences before it are decoded. A
 * record is a few literals and a match after them, so that all lanes of a warp do the same in each
 * step. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_RECORDS_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_RECORDS_CUH

#include "io/png/cuda/decode/decode_subsequences.cuh"
#include "io/png/cuda/decode/decode_writer.cuh"

namespace records
{

/* --- Records ---------------------------------------------------------------------------------- */

constexpr uint32_t LITERALS = 4; /* largest number of literals of a record */
static_assert(LITERALS * LITERAL_ROOT <= 64 - 15, "their codes are in a window");

/* `x`: the literals, the first in the lowest byte. `y`: from the lowest bits on, the number of
 * literals (3 bits), the length of the match (9 bits; 0: none) and its distance minus 1. */
using Record = uint2;

__device__ inline Record make_record(uint32_t literals, uint32_t number, uint32_t symbol)
{
    const uint32_t match = symbol >= SYMBOL_COPY ? (symbol & 0xffff) << 12 | symbol >> 16 << 3 : 0;
    return make_uint2(literals, match | number);
}

/* The result of a subsequence. Record r of thread t is at [r * SUB_THREADS + t] in job.records. */
struct Decoded {
    SubResult sub;
    uint32_t count; /* number of records */
};

/* Decodes a subsequence, from bit `early` on, which may lie within a symbol. Its first symbol is
 * the first one that starts at or after bit `from`, its last one starts before bit `to`. */
__device__ inline Decoded decode(const DecodeJob &job, const Codes &codes, uint32_t early,
                                 uint32_t from, uint32_t to)
{
    Record *at = (Record *)job.records + threadIdx.x;
    Decoded result = {{from, from, 0, BLOCK_OPEN}, 0};
    bool is_early = early < from;
    Reader reader;
    reader.start(job, early);
    while (reader.at < to && result.sub.state == BLOCK_OPEN) {
        const uint32_t limit = is_early ? from : to;
        uint32_t literals = 0, number = 0, used = 0, symbol = SYMBOL_END;
        Window window = reader.window();
#pragma unroll
        for (uint32_t k = 0; k < LITERALS; k++) {
            const uint32_t entry = codes.literals[window.low % (1u << LITERAL_ROOT)];
            /* False as soon as it was false once: neither the window nor `used` changes then. */
            const bool is_literal =
                entry != 0 && entry < SYMBOL_END << 4 && reader.at + used < limit;
            const uint32_t bits = is_literal ? entry & 15 : 0;
            literals |= is_literal ? entry >> 4 << 8 * k : 0;
            number += is_literal;
            window.drop(bits);
            used += bits;
        }
        reader.skip(used);
        if (number < LITERALS && reader.at < limit) {
            const uint32_t before = reader.at;
            symbol = take_symbol(reader, codes);
            if (symbol < SYMBOL_END)
                literals |= symbol << 8 * number++;
            if (is_early && symbol == SYMBOL_NONE)
                reader.move(before + 1);
            if (!is_early && symbol == SYMBOL_END)
                result.sub.state = BLOCK_ENDED;
            if (!is_early && symbol == SYMBOL_NONE)
                result.sub.state = BLOCK_DAMAGED;
        }
        if (!is_early) {
            at[result.count++ * SUB_THREADS] = make_record(literals, number, symbol);
            result.sub.size += number + (symbol >= SYMBOL_COPY ? symbol >> 16 : 0);
        } else if (reader.at >= from) {
            is_early = false;
            result.sub.begin = reader.at;
        }
    }
    result.sub.end = reader.at;
    return result;
}

/* Corrects the results of `count` subsequences, as `correct` does (decode_subsequences.cuh). */
__device__ inline void correct(const DecodeJob &job, const Codes &codes, SubScratch &scratch,
                               uint32_t count, uint32_t begin, uint32_t to, Decoded &result,
                               uint32_t &rounds)
{
    ::correct(scratch, count, begin, result.sub, rounds, [&](uint32_t from) {
        result = decode(job, codes, from, from, to);
        return result.sub;
    });
}

/* --- Cells ------------------------------------------------------------------------------------ */

constexpr uint32_t GROUP = writer::GROUP;
/* Longest match that the thread writes itself, if all its cells are equal. */
constexpr uint32_t OWN_LENGTH = 36;
/* Shortest match that is listed for other threads, if the thread does not write it itself. */
constexpr uint32_t LISTED_LENGTH = 12;

/* Writes the cells of one thread in order, in groups of GROUP cells. `pending` has the cells of the
 * group that is not complete. Cells of the first group that belong to another thread are left
 * alone. */
struct Cells {
    uint16_t *all;
    uint32_t begin, out; /* index of the first cell, and of the next one */
    uint64_t pending;

    __device__ void store_some(uint32_t first, uint32_t end, uint64_t group) const
    {
        for (uint32_t i = first; i < end; i++)
            all[i] = (uint16_t)(group >> i % GROUP * 16);
    }
    /* Appends `count` cells, at most GROUP: the lowest bits of `cells`, whose other bits are 0. */
    __device__ void append(uint64_t cells, uint32_t count)
    {
        const uint32_t has = out % GROUP, group = out / GROUP;
        pending |= cells << has * 16;
        out += count;
        if (has + count < GROUP)
            return;
        if (group * GROUP >= begin)
            ((uint2 *)all)[group] = make_uint2((uint32_t)pending, (uint32_t)(pending >> 32));
        else
            store_some(begin, (group + 1) * GROUP, pending);
        pending = has == 0 ? 0 : cells >> (GROUP - has) * 16;
    }
    __device__ void flush()
    {
        const uint32_t group = out / GROUP * GROUP;
        store_some(group > begin ? group : begin, out, pending);
    }
    /* Continues after `count` cells that other threads write. */
    __device__ void pass(uint32_t count)
    {
        flush();
        out += count;
        begin = out;
        pending = 0;
    }
};

/* Returns two literals as two cells. */
__device__ inline uint64_t cells_of(uint32_t literals)
{
    return (uint64_t)__byte_perm(literals, 0, 0x4342) << 32 | __byte_perm(literals, 0, 0x4140);
}

/* An entry of the list of matches, which uses the memory of the output bytes. It fits there,
 * because an entry of 8 bytes stands for at least LISTED_LENGTH bytes of output. */
static_assert(LISTED_LENGTH >= sizeof(uint2), "the list fits");

__device__ inline void list_match(const DecodeJob &job, uint32_t *listed, uint32_t out,
                                  uint32_t length, uint32_t distance)
{
    const uint32_t place = atomicAdd(listed, 1u);
    if (place < job.inflated / sizeof(uint2))
        ((uint2 *)job.bytes)[place] = make_uint2(out, (distance - 1) << 16 | length);
}

/* Stores the cells of entry `index` of the list with writer::LANES_EACH threads; `lane` is the
 * number of the thread among them. */
__device__ inline void store_listed(const DecodeJob &job, uint32_t index, uint32_t lane)
{
    const uint2 entry = ((const uint2 *)job.bytes)[index];
    const uint32_t out = entry.x, distance = (entry.y >> 16) + 1, length = entry.y & 0xffff;
    const uint32_t head = min(length, (GROUP - out % GROUP) % GROUP);
    const uint32_t groups = (length - head) / GROUP, tail = head + groups * GROUP;
    if (lane < head)
        job.cells[out + lane] = writer::cell_of_copy(distance, lane);
    if (lane < length - tail)
        job.cells[out + tail + lane] = writer::cell_of_copy(distance, tail + lane);
    for (uint32_t i = lane; i < groups; i += writer::LANES_EACH) {
        uint32_t cells[GROUP];
#pragma unroll
        for (uint32_t k = 0; k < GROUP; k++)
            cells[k] = writer::cell_of_copy(distance, head + i * GROUP + k);
        ((uint2 *)job.cells)[(out + head) / GROUP + i] =
            make_uint2(cells[0] | cells[1] << 16, cells[2] | cells[3] << 16);
    }
}

/* Writes the cells of a match, or lists it. */
__device__ inline void put_match(const DecodeJob &job, uint32_t *listed, Cells &to, uint32_t length,
                                 uint32_t distance)
{
    if (distance >= length && length <= OWN_LENGTH) {
        const uint64_t four = writer::cell_of_copy(distance, 0) * 0x0001000100010001ull;
        for (; length >= GROUP; length -= GROUP)
            to.append(four, GROUP);
        to.append(four & ((1ull << length * 16) - 1), length);
    } else if (length < LISTED_LENGTH) {
        for (uint32_t i = 0; i < length; i++)
            to.append(writer::cell_of_copy(distance, i), 1);
    } else {
        list_match(job, listed, to.out, length, distance);
        to.pass(length);
    }
}

/* Writes the cells of the `count` records of this thread, from cell `out` on. There is room for all
 * of them. */
__device__ inline void write(const DecodeJob &job, uint32_t *listed, uint32_t count, uint32_t out)
{
    const Record *from = (const Record *)job.records + threadIdx.x;
    const uint32_t window = writer::window_of(job);
    Cells to = {job.cells, out, out, 0};
    Record next = count > 0 ? from[0] : make_uint2(0, 0);
    for (uint32_t r = 0; r < count; r++) {
        const Record record = next;
        if (r + 1 < count)
            next = from[(r + 1) * SUB_THREADS];
        const uint32_t length = record.y >> 3 & 0x1ff, distance = (record.y >> 12) + 1;
        to.append(cells_of(record.x), record.y & 7);
        if (length == 0)
            continue;
        if (distance > to.out || distance > window) {
            decode_fail(job, IMG_PNG_CUDA_BAD_COPY);
            break;
        }
        put_match(job, listed, to, length, distance);
    }
    to.flush();
}

} // namespace records

#endif
