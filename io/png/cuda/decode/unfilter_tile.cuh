/* Private to decode_unfilter.cu: moves a band's rows to and from shared memory. A tile is a section
 * of all rows of the band. While some warps unfilter one tile, others load the next tile and store
 * the previous one, a word at a time. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_UNFILTER_TILE_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_UNFILTER_TILE_CUH

#include "io/png/cuda/decode/decode_job.h"
#include "kernels/core/cuda/cuda_launch.cuh"

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

#endif
