/* Private to decode_unfilter.cu: one warp unfilters one channel of a band. Each lane has a row, and
 * processes one pixel per iteration.
 *
 * A byte is stored as the bits of the float 2^23 + value; the low 8 bits of this float are the
 * byte. Sums and differences of such floats are exact, absolute values cost nothing, and their bits
 * can be selected and masked.
 *
 * All filters except AVERAGE are PAETH with some neighbours replaced by zero. NONE replaces all
 * neighbours, SUB all except the left one, UP all except the one above. So rows with different
 * filters execute the same instructions, and the warp does not diverge. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_UNFILTER_WALK_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_UNFILTER_WALK_CUH

#include <math.h>

#include "io/png/cuda/decode/decode_bits.cuh"
#include "io/png/cuda/decode/decode_job.h"
#include "io/png/filter/filter_type.h"
#include "kernels/core/cuda/cuda_launch.cuh"

/* --- Tiles ------------------------------------------------------------------------------------ */

/* moves a band's rows to and from shared memory. A tile is a section
 * of all rows of the band. While some warps unfilter one tile, others load the next tile and store
 * the previous one, a word at a time. */
namespace unfilter
{

/* Number of pixels by which the work on a row lags behind the row above. */
constexpr uint32_t BEHIND = 2;

/* The rows to which unfiltered bytes are written. */
struct Target {
    uint8_t *rows;
    size_t stride;
    uint32_t swap; /* 1: swap the two bytes of each 16-bit sample */
};

/* A section of STEPS pixels of each row of a band. The section of each row starts BEHIND pixels
 * further left than the section of the row above. Words are aligned as in device memory, so the
 * first word of a row may begin with up to three bytes that precede the section. The number of
 * words per row is odd, so that rows start in different banks of shared memory. */
template <int PIXEL> struct Tile {
    static constexpr uint32_t STEPS = PIXEL == 8 ? 24 : PIXEL % 3 == 0 ? 40 : 56;
    static constexpr uint32_t BYTES = STEPS * PIXEL, WORDS = BYTES / 4 + 1;
    uint32_t words[DECODE_BAND_ROWS][WORDS];

    /* Returns the offset of tile `number` in row `row` of the band, in bytes from the row's first
     * byte. Negative if the tile starts before the row. */
    static __device__ int32_t start(uint32_t number, uint32_t row)
    {
        return (int32_t)(number * BYTES) - (int32_t)(row * BEHIND * PIXEL);
    }
};

/* Returns the offset of a row's first byte in the inflated stream, after its filter type. */
__device__ inline uint32_t place_of_row(const DecodeJob &job, uint32_t row)
{
    return row * (1 + job.row_bytes) + 1;
}

__device__ inline uint8_t *target_row(const Target &target, uint32_t row)
{
    return target.rows + row * target.stride;
}

/* Returns the number of bytes in the first word that precede the tile's section of the row. It is
 * the same for all tiles, because sections are whole words long. */
template <int PIXEL>
__device__ inline uint32_t source_shift(const DecodeJob &job, const Band &band, uint32_t row)
{
    return (place_of_row(job, band.first + row) + (uint32_t)Tile<PIXEL>::start(0, row)) % 4;
}

template <int PIXEL>
__device__ inline uint32_t target_shift(const Target &target, const Band &band, uint32_t row)
{
    uint32_t address = (uint32_t)(uintptr_t)target_row(target, band.first + row);
    return (address + (uint32_t)Tile<PIXEL>::start(0, row)) % 4;
}

/* A thread that moves tiles between device memory and shared memory. It moves one word in the same
 * column of every EVERY-th row. */
template <int PIXEL> struct Mover {
    typedef Tile<PIXEL> Rows;
    static constexpr uint32_t WARPS = PIXEL % 4 == 0 ? 4 : PIXEL % 2 == 0 ? 2 : 1;
    static constexpr uint32_t COLUMNS = Rows::WORDS <= 16 ? 16 : Rows::WORDS <= 32 ? 32 : 64;
    static constexpr uint32_t EVERY = 32 * WARPS / COLUMNS, EACH = DECODE_BAND_ROWS / EVERY;
    static_assert(Rows::WORDS <= COLUMNS && EVERY * EACH == DECODE_BAND_ROWS, "all are moved");
    uint32_t row, column;
    uint32_t ahead[EACH]; /* words that are being loaded, one per row */

    __device__ void place(uint32_t thread)
    {
        row = thread / COLUMNS;
        column = thread % COLUMNS;
    }

    /* Returns true if tile `number` of every row lies within the row, including up to three bytes
     * before and after the tile. */
    static __device__ bool is_whole(const DecodeJob &job, const Band &band, uint32_t number)
    {
        return band.rows == DECODE_BAND_ROWS && Rows::start(number, DECODE_BAND_ROWS - 1) >= 4 &&
               Rows::start(number + 1, 0) < (int32_t)job.row_bytes;
    }

    /* Starts to load tile `number` from device memory into `ahead`. */
    __device__ void load(const DecodeJob &job, const Band &band, uint32_t number)
    {
        if (column >= Rows::WORDS)
            return;
        if (is_whole(job, band, number))
            load_rows<true>(job, band, number);
        else
            load_rows<false>(job, band, number);
    }

    template <bool WHOLE>
    __device__ void load_rows(const DecodeJob &job, const Band &band, uint32_t number)
    {
        uint32_t place = place_of_row(job, band.first + row);
        uint32_t at = place + (uint32_t)Rows::start(number, row) + 4 * column;
#pragma unroll
        for (uint32_t i = 0; i < EACH; i++) {
            int32_t in_row = (int32_t)(at / 4 * 4 - place);
            bool inside =
                row + i * EVERY < band.rows && in_row > -4 && in_row < (int32_t)job.row_bytes;
            ahead[i] = WHOLE || inside ? *(const uint32_t *)(job.bytes + at / 4 * 4) : 0;
            at += EVERY * (1 + job.row_bytes - BEHIND * PIXEL);
            place += EVERY * (1 + job.row_bytes);
        }
    }

    /* Stores the loaded words in tile `to` in shared memory. Bytes before a row's start become
     * zeros. */
    __device__ void put(const DecodeJob &job, const Band &band, uint32_t number, Rows &to)
    {
        if (column >= Rows::WORDS)
            return;
        bool starts = Rows::start(number, DECODE_BAND_ROWS - 1) < 4;
#pragma unroll
        for (uint32_t i = 0; i < EACH; i++) {
            uint32_t y = row + i * EVERY, word = ahead[i];
            if (starts) {
                uint32_t shift = source_shift<PIXEL>(job, band, y);
                int32_t at = Rows::start(number, y) - (int32_t)shift + 4 * (int32_t)column;
                if (at < 0 && at > -4)
                    word &= 0xffffffffu << (-8 * at);
            }
            to.words[y][column] = word;
        }
    }

    /* Writes to the picture the words of tile `from` that lie completely in the tile's section. */
    __device__ void give(const DecodeJob &job, const Band &band, const Target &target,
                         uint32_t number, const Rows &from) const
    {
        if (column >= Rows::WORDS)
            return;
        if (is_whole(job, band, number))
            give_rows<true>(job, band, target, number, from);
        else
            give_rows<false>(job, band, target, number, from);
    }

    template <bool WHOLE>
    __device__ void give_rows(const DecodeJob &job, const Band &band, const Target &target,
                              uint32_t number, const Rows &from) const
    {
        uint8_t *to = target_row(target, band.first + row) + Rows::start(number, row);
#pragma unroll
        for (uint32_t i = 0; i < EACH; i++) {
            uint32_t y = row + i * EVERY, shift = (uint32_t)(uintptr_t)to % 4;
            int32_t start = Rows::start(number, y), at = start + (int32_t)(4 * column - shift);
            int32_t end = min(start + (int32_t)Rows::BYTES, (int32_t)job.row_bytes);
            bool inside = y < band.rows && at >= max(start, 0) && at + 4 <= end;
            if (WHOLE ? column < Rows::WORDS - 1 && (column > 0 || shift == 0) : inside)
                *(uint32_t *)(to + (int32_t)(4 * column - shift)) = from.words[y][column];
            to += EVERY * (target.stride - BEHIND * PIXEL);
        }
    }

    /* Writes the bytes of row `y` that give_rows omits: up to three at the start of the tile's
     * section, and up to three at its end. */
    __device__ static void give_ends(const DecodeJob &job, const Band &band, const Target &target,
                                     uint32_t number, const Rows &from, uint32_t y)
    {
        uint8_t *to = target_row(target, band.first + y);
        int32_t start = Rows::start(number, y), first = max(start, 0);
        int32_t end = min(start + (int32_t)Rows::BYTES, (int32_t)job.row_bytes);
        int32_t head = min(first + (int32_t)(-(uintptr_t)(to + first) % 4), end);
        int32_t tail = max(end - (int32_t)((uintptr_t)(to + end) % 4), head);
        const uint8_t *bytes =
            (const uint8_t *)from.words[y] + target_shift<PIXEL>(target, band, y);
#pragma unroll
        for (int32_t i = 0; i < 3; i++) {
            if (first + i < head)
                to[first + i] = bytes[first + i - start];
            if (tail + i < end)
                to[tail + i] = bytes[tail + i - start];
        }
    }
};

} // namespace unfilter

namespace unfilter
{

constexpr uint32_t ALL = 0xffffffff, GROUP = DECODE_CARRY_GROUP;
/* NOTHING: the float 2^23, which stands for the byte 0. BYTE: a mask that keeps the byte and the
 * bits of NOTHING. */
constexpr uint32_t NOTHING = 0x4b000000, BYTE = NOTHING | 0xff;
/* 0x4b, the top byte of the float, in both halves of a carry word; marks both pixels as written. */
constexpr uint32_t MARKS = 0x4b004b00;
/* Largest number of reads of a carry word before the reader gives up. These reads take seconds, so
 * a missing carry word indicates a bug. */
constexpr uint32_t MOST_POLLS = 1u << 22;

__device__ inline float as_number(uint32_t bits)
{
    return __uint_as_float(bits);
}

/* Returns `byte` unchanged. The empty asm statement prevents the compiler from packing several
 * bytes into a word and unpacking them again later. */
__device__ inline uint32_t apart(uint32_t byte)
{
#ifdef __CUDA_ARCH__
    asm("" : "+r"(byte));
#endif
    return byte;
}

/* --- Carry words ------------------------------------------------------------------------------ */

/* Reads the carry words of eight pixels. A single load suffices without a fence, because each pixel
 * has its own mark. */
__device__ inline uint4 read_carry(const uint32_t *from)
{
#ifdef __CUDA_ARCH__
    uint4 words;
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
                 : "l"(from));
    return words;
#else
    return *(const uint4 *)from;
#endif
}

/* Reads one channel of the row above the band from carry words. A load takes longer than processing
 * a group of pixels, so two groups are loaded in advance. */
struct CarryIn {
    const uint32_t *words;
    uint32_t pixels; /* number of pixels to read; 0 if the band does not need the row above */
    uint4 now, next, after;

    __device__ uint4 look(uint32_t first) const
    {
        return first < pixels ? read_carry(words + first / 2)
                              : make_uint4(MARKS, MARKS, MARKS, MARKS);
    }
    /* Returns true if all pixels of the next group are marked. All lanes must call it together, so
     * that they get the same result. */
    __device__ bool has_next() const
    {
        return __all_sync(ALL, (next.x & next.y & next.z & next.w & MARKS) == MARKS);
    }
    __device__ void await_next(const DecodeJob &job, uint32_t first)
    {
#pragma unroll 1
        for (uint32_t polls = MOST_POLLS; polls > 0; polls--) {
            next = look(first);
            after = look(first + GROUP);
            if (has_next())
                return;
        }
        decode_fail(job, IMG_PNG_CUDA_BAD_FILTER);
    }
    __device__ void turn()
    {
        now = next;
        next = after;
    }
    __device__ uint32_t above(int i) const
    {
        uint32_t two = i / 2 == 0 ? now.x : i / 2 == 1 ? now.y : i / 2 == 2 ? now.z : now.w;
        return __byte_perm(two, NOTHING, i % 2 == 0 ? 0x7440 : 0x7442);
    }
};

/* --- Rows ------------------------------------------------------------------------------------- */

template <int PIXEL> struct Walker {
    typedef Tile<PIXEL> Rows;
    uint32_t lane;
    /* Masks: `keep_left` and `keep_corner` keep the neighbours that this row's filter uses.
     * `keep_sent` keeps this row's bytes for the next lane if the next row's filter uses them. */
    uint32_t keep_left, keep_corner, keep_sent;
    bool averages;
    /* Neighbouring bytes: left, above left, above in this iteration, and above in the next
     * iteration. */
    uint32_t left, corner, coming, later;
    /* Byte offsets of the first pixel in the tiles that are read and written. */
    uint32_t from, to;
    /* `carry_pixels`: pixels per row of carry words. `sent_pixels`: pixels that this row passes to
     * the next band. */
    uint32_t carry_pixels, sent_pixels;
    CarryIn carry_in;
    volatile uint32_t *carry_out; /* address of the carry word for the first iteration */

    __device__ const uint32_t *carry_of(const DecodeJob &job, uint32_t row, uint32_t channel) const
    {
        size_t slot = row / DECODE_BAND_ROWS * PIXEL + channel;
        return job.carry + slot * (carry_pixels / 2);
    }

    __device__ void set_filters(const DecodeJob &job, const Band &band)
    {
        uint32_t filter = IMG_FILTER_NONE;
        if (lane < band.rows)
            filter = job.bytes[place_of_row(job, band.first + lane) - 1];
        if (filter >= IMG_FILTERS) {
            decode_fail(job, IMG_PNG_CUDA_BAD_FILTER);
            filter = IMG_FILTER_NONE;
        }
        bool up = filter > IMG_FILTER_SUB, sub = filter != IMG_FILTER_NONE;
        keep_left = sub && filter != IMG_FILTER_UP ? BYTE : NOTHING;
        keep_corner = filter == IMG_FILTER_PAETH ? BYTE : NOTHING;
        keep_sent = __shfl_down_sync(ALL, up ? BYTE : NOTHING, 1);
        averages = filter == IMG_FILTER_AVERAGE;
        left = corner = coming = later = NOTHING;
    }

    __device__ void start(const DecodeJob &job, const Band &band, const Target &target,
                          uint32_t channel)
    {
        lane = threadIdx.x % 32;
        carry_pixels = decode_carry_pixels(job.row_bytes, PIXEL);
        set_filters(job, band);
        from = source_shift<PIXEL>(job, band, lane) + channel;
        to = target_shift<PIXEL>(target, band, lane) + (channel ^ target.swap);
        sent_pixels = band.sends && lane + 1 == band.rows ? carry_pixels : 0;
        carry_in.words = carry_of(job, band.first, channel);
        carry_in.pixels = band.receives ? carry_pixels : 0;
        carry_in.await_next(job, 0);
        carry_in.turn();
        carry_out =
            (volatile uint32_t *)carry_of(job, band.first + band.rows, channel) - BEHIND * lane / 2;
    }

    /* Unfilters one pixel. Returns the byte in the low 8 bits; the bits above them are
     * undefined. */
    __device__ uint32_t step(uint32_t byte, uint32_t above)
    {
        float a = as_number(left), b = as_number(above), c = as_number(corner);
        float to_left = fabsf(b - c), to_above = fabsf(a - c),
              to_corner = fabsf(a + fmaf(-2, c, b));
        uint32_t guess = to_above <= to_corner ? above : corner;
        guess = to_left <= fminf(to_above, to_corner) ? left : guess;
        /* For AVERAGE, a + b is 2^24 plus the sum of the two bytes. A float of this size cannot
         * hold the lowest bit. So its low bits are half the sum, rounded down. */
        if (averages)
            guess = __float_as_uint(__fadd_rd(a, b));
        uint32_t sum = guess + byte;
        left = sum & keep_left;
        corner = above & keep_corner;
        return sum;
    }

    __device__ static void read(uint32_t bytes[GROUP], const uint8_t *from)
    {
#pragma unroll
        for (uint32_t i = 0; i < GROUP; i++)
            bytes[i] = apart(from[i * PIXEL]);
    }

    /* Unfilters GROUP pixels of each row, from iteration `first` of the warp onwards. */
    __device__ void walk_group(const DecodeJob &job, uint32_t first, const uint32_t bytes[GROUP],
                               uint8_t *out)
    {
        /* Before the row's start, x is negative and wraps to a large number, so the lane sends
         * nothing. */
        uint32_t x = first - BEHIND * lane, before = 0;
        volatile uint32_t *words = carry_out + first / 2;
        bool has_next = false;
        carry_in.after = carry_in.look(first + 2 * GROUP);
#pragma unroll
        for (uint32_t i = 0; i < GROUP; i++) {
            uint32_t sum = step(bytes[i], lane == 0 ? carry_in.above((int)i) : coming);
            coming = later;
            later = __shfl_up_sync(ALL, sum & keep_sent, 1);
            out[i * PIXEL] = (uint8_t)sum;
            if (i % 2 == 1 && x + i < sent_pixels)
                words[i / 2] = __byte_perm(before, sum, 0x7430);
            before = sum;
            /* Checks the carry words late in the group, because they were requested only
             * recently. */
            if (i == GROUP - 2)
                has_next = carry_in.has_next();
        }
        if (!has_next)
            carry_in.await_next(job, first + GROUP);
        carry_in.turn();
    }

    __device__ void walk(const DecodeJob &job, uint32_t number, const Rows &source, Rows &target)
    {
        const uint8_t *in = (const uint8_t *)source.words[lane] + from;
        uint8_t *out = (uint8_t *)target.words[lane] + to;
        uint32_t bytes[GROUP], ahead[GROUP];
        read(bytes, in);
#pragma unroll 1 /* unrolled code is slower: too many instructions */
        for (uint32_t i = 0; i < Rows::STEPS; i += GROUP) {
            uint32_t next = i + GROUP < Rows::STEPS ? i + GROUP : i;
            read(ahead, in + next * PIXEL);
            walk_group(job, number * Rows::STEPS + i, bytes, out + i * PIXEL);
#pragma unroll
            for (uint32_t j = 0; j < GROUP; j++)
                bytes[j] = ahead[j];
        }
    }
};

} // namespace unfilter

#endif
