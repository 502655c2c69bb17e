/* Private to decode_unfilter.cu: one warp unfilters one channel of a band; each lane has a row and
 * handles a pixel per step.
 *
 * A byte is stored as the bits of the float 2^23 + value; its lowest bits are the byte. Sums and
 * differences of such floats are exact, absolute values cost nothing, and their bits can be
 * selected and masked. All filters except AVERAGE are PAETH with some neighbours replaced by zero:
 * all of them for NONE, all except the left one for SUB, all except the one above for UP. Lanes
 * with different filters thus execute the same instructions. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_UNFILTER_WALK_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_UNFILTER_WALK_CUH

#include <math.h>

#include "io/png/cuda/decode/decode_bits.cuh"
#include "io/png/cuda/decode/unfilter_tile.cuh"
#include "io/png/filter/filter_type.h"

namespace unfilter
{

constexpr uint32_t ALL = 0xffffffff, GROUP = DECODE_CARRY_GROUP;
/* The float 2^23, that is the byte 0; a mask for the byte. */
constexpr uint32_t NOTHING = 0x4b000000, BYTE = NOTHING | 0xff;
constexpr uint32_t MARKS = 0x4b004b00; /* the mark in both halves of a carry word */
/* Reads of a carry word before giving up; this takes seconds and indicates a bug. */
constexpr uint32_t MOST_POLLS = 1u << 22;

__device__ inline float as_number(uint32_t bits)
{
    return __uint_as_float(bits);
}

/* Returns `byte`. Prevents the compiler from packing bytes that are unpacked again later. */
__device__ inline uint32_t apart(uint32_t byte)
{
#ifdef __CUDA_ARCH__
    asm("" : "+r"(byte));
#endif
    return byte;
}

/* --- Carry words ------------------------------------------------------------------------------ */

/* Reads carry words of eight pixels. Each pixel has its own mark. */
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

/* Reads this channel of the row above the band from carry words. A load takes longer than a group
 * of steps, so two groups are loaded in advance. */
struct CarryIn {
    const uint32_t *words;
    uint32_t pixels; /* pixels to read; 0 if the band does not need the row above */
    uint4 now, next, after;

    __device__ uint4 look(uint32_t first) const
    {
        return first < pixels ? read_carry(words + first / 2)
                              : make_uint4(MARKS, MARKS, MARKS, MARKS);
    }
    /* Returns true if all pixels of the next group are marked. All lanes evaluate it together, so
     * that they agree. */
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
    uint32_t keep_left, keep_corner, keep_sent; /* masks: which neighbours the filter uses, and
                                                 * whether the row is passed to the next band */
    bool averages;
    /* Bytes on the left, above left, above for this step, and above for the next step. */
    uint32_t left, corner, coming, later;
    uint32_t from, to;                  /* offsets in the tiles that are read and written */
    uint32_t carry_pixels, sent_pixels; /* pixels per row of carry words; pixels that this row
                                         * passes to the next band */
    CarryIn carry_in;
    volatile uint32_t *carry_out; /* address of the carry word of the first step */

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

    /* Unfilters one pixel. Returns the byte in the low bits; the bits above it are undefined. */
    __device__ uint32_t step(uint32_t byte, uint32_t above)
    {
        float a = as_number(left), b = as_number(above), c = as_number(corner);
        float to_left = fabsf(b - c), to_above = fabsf(a - c),
              to_corner = fabsf(a + fmaf(-2, c, b));
        uint32_t guess = to_above <= to_corner ? above : corner;
        guess = to_left <= fminf(to_above, to_corner) ? left : guess;
        if (averages)
            guess =
                __float_as_uint(__fadd_rd(a, b)); /* 2^24 plus the sum, whose lowest bit is lost */
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

    /* Unfilters GROUP pixels, from step `first` onwards. */
    __device__ void walk_group(const DecodeJob &job, uint32_t first, const uint32_t bytes[GROUP],
                               uint8_t *out)
    {
        /* x wraps to a large number before the row's start. */
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
            if (i == GROUP - 2) /* checked late, because these words have just been requested */
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
#pragma unroll 1 /* slower when unrolled: too many instructions */
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
