/* Private to decode_unfilter.cu: a warp unfilters one channel of a band, a lane per row, a pixel
 * per step.
 *
 * A byte is stored as the float 2^23 + value, whose lowest bits are the byte: sums and differences
 * are exact, absolute values cost nothing, and bits can be selected and masked. All filters except
 * AVERAGE are PAETH with some neighbours set to zero: NONE with all, SUB with all except the left,
 * UP with all except the one above. So lanes with different filters execute the same
 * instructions. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_UNFILTER_WALK_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_UNFILTER_WALK_CUH

#include <math.h>

#include "io/png/cuda/decode/decode_bits.cuh"
#include "io/png/cuda/decode/unfilter_tile.cuh"
#include "io/png/filter/filter_type.h"

namespace unfilter
{

constexpr uint32_t ALL = 0xffffffff, GROUP = DECODE_MAIL_GROUP;
constexpr uint32_t NOTHING = 0x4b000000, BYTE = NOTHING | 0xff; /* the float 2^23, and a mask for
                                                                 * the byte */
constexpr uint32_t MARKS = 0x4b004b00;       /* the mark in both halves of a carry word */
constexpr uint32_t MOST_PATIENCE = 1u << 22; /* polls of a carry word before giving up: seconds, and
                                              * then a bug */

__device__ inline float as_number(uint32_t bits)
{
    return __uint_as_float(bits);
}

/* Keeps the compiler from packing bytes that would be unpacked again. */
__device__ inline uint32_t apart(uint32_t byte)
{
#ifdef __CUDA_ARCH__
    asm("" : "+r"(byte));
#endif
    return byte;
}

/* --- Carry words ------------------------------------------------------------------------------ */

/* Reads eight pixels; each of them carries its own mark. */
__device__ inline uint4 read_mail(const uint32_t *from)
{
#ifdef __CUDA_ARCH__
    uint4 letters;
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(letters.x), "=r"(letters.y), "=r"(letters.z), "=r"(letters.w)
                 : "l"(from));
    return letters;
#else
    return *(const uint4 *)from;
#endif
}

/* The channel's bytes of the row above the band. A load takes longer than a group of steps, so two
 * groups are loaded ahead. */
struct Inbox {
    const uint32_t *letters;
    uint32_t pixels; /* 0: there is no row above, or it is not needed */
    uint4 now, next, after;

    __device__ uint4 look(uint32_t first) const
    {
        return first < pixels ? read_mail(letters + first / 2)
                              : make_uint4(MARKS, MARKS, MARKS, MARKS);
    }
    /* Evaluated by all lanes together, so that they agree. */
    __device__ bool has_next() const
    {
        return __all_sync(ALL, (next.x & next.y & next.z & next.w & MARKS) == MARKS);
    }
    __device__ void await_next(const DecodeWork &work, uint32_t first)
    {
#pragma unroll 1
        for (uint32_t patience = MOST_PATIENCE; patience > 0; patience--) {
            next = look(first);
            after = look(first + GROUP);
            if (has_next())
                return;
        }
        decode_doubt(work, IMG_PNG_CUDA_BAD_FILTER);
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
    uint32_t keep_left, keep_corner, keep_sent; /* masks of neighbours */
    bool averages;
    uint32_t left, corner, coming, later; /* bytes above for this step and the next */
    uint32_t from, to;                    /* offsets in tiles */
    uint32_t mail_pixels, told;           /* pixels of a row; pixels that are passed to the next
                                           * band */
    Inbox inbox;
    volatile uint32_t *outbox; /* address for the first step */

    __device__ const uint32_t *mail_of(const DecodeWork &work, uint32_t row, uint32_t channel) const
    {
        size_t slot = row / DECODE_BAND_ROWS * PIXEL + channel;
        return work.mail + slot * (mail_pixels / 2);
    }

    __device__ void set_filters(const DecodeWork &work, const Band &band)
    {
        uint32_t filter = IMG_FILTER_NONE;
        if (lane < band.rows)
            filter = work.bytes[place_of_row(work, band.first + lane) - 1];
        if (filter >= IMG_FILTERS) {
            decode_doubt(work, IMG_PNG_CUDA_BAD_FILTER);
            filter = IMG_FILTER_NONE;
        }
        bool up = filter > IMG_FILTER_SUB, sub = filter != IMG_FILTER_NONE;
        keep_left = sub && filter != IMG_FILTER_UP ? BYTE : NOTHING;
        keep_corner = filter == IMG_FILTER_PAETH ? BYTE : NOTHING;
        keep_sent = __shfl_down_sync(ALL, up ? BYTE : NOTHING, 1);
        averages = filter == IMG_FILTER_AVERAGE;
        left = corner = coming = later = NOTHING;
    }

    __device__ void start(const DecodeWork &work, const Band &band, const Target &target,
                          uint32_t channel)
    {
        lane = threadIdx.x % 32;
        mail_pixels = decode_mail_pixels(work.row_bytes, PIXEL);
        set_filters(work, band);
        from = source_shift<PIXEL>(work, band, lane) + channel;
        to = target_shift<PIXEL>(target, band, lane) + (channel ^ target.swap);
        told = band.tells && lane + 1 == band.rows ? mail_pixels : 0;
        inbox.letters = mail_of(work, band.first, channel);
        inbox.pixels = band.asks ? mail_pixels : 0;
        inbox.await_next(work, 0);
        inbox.turn();
        outbox =
            (volatile uint32_t *)mail_of(work, band.first + band.rows, channel) - BEHIND * lane / 2;
    }

    /* Unfilters one pixel. The result is the byte, with more bits above it. */
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

    /* Unfilters a group of steps from number `first` on. */
    __device__ void walk_group(const DecodeWork &work, uint32_t first, const uint32_t bytes[GROUP],
                               uint8_t *out)
    {
        uint32_t x = first - BEHIND * lane, before = 0; /* x is large before the row's start */
        volatile uint32_t *letters = outbox + first / 2;
        bool has_next = false;
        inbox.after = inbox.look(first + 2 * GROUP);
#pragma unroll
        for (uint32_t i = 0; i < GROUP; i++) {
            uint32_t sum = step(bytes[i], lane == 0 ? inbox.above((int)i) : coming);
            coming = later;
            later = __shfl_up_sync(ALL, sum & keep_sent, 1);
            out[i * PIXEL] = (uint8_t)sum;
            if (i % 2 == 1 && x + i < told)
                letters[i / 2] = __byte_perm(before, sum, 0x7430);
            before = sum;
            if (i == GROUP - 2) /* late, because the words have just been requested */
                has_next = inbox.has_next();
        }
        if (!has_next)
            inbox.await_next(work, first + GROUP);
        inbox.turn();
    }

    __device__ void walk(const DecodeWork &work, uint32_t number, const Rows &source, Rows &target)
    {
        const uint8_t *in = (const uint8_t *)source.words[lane] + from;
        uint8_t *out = (uint8_t *)target.words[lane] + to;
        uint32_t bytes[GROUP], ahead[GROUP];
        read(bytes, in);
#pragma unroll 1 /* slower when unrolled: too many instructions */
        for (uint32_t i = 0; i < Rows::STEPS; i += GROUP) {
            uint32_t next = i + GROUP < Rows::STEPS ? i + GROUP : i;
            read(ahead, in + next * PIXEL);
            walk_group(work, number * Rows::STEPS + i, bytes, out + i * PIXEL);
#pragma unroll
            for (uint32_t j = 0; j < GROUP; j++)
                bytes[j] = ahead[j];
        }
    }
};

} // namespace unfilter

#endif
