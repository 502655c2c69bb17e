/* The parts of the stream, copied to one, and the CRC-32 of each: in pieces that are counted from
 * the end of a part, so that all but its first are whole, and joined by powers of x. */
#include "io/png/cuda/crc_product.h"
#include "io/png/cuda/decode/decode_bits.cuh"

namespace
{

constexpr int THREADS = 256, TABLE = 256;
constexpr uint32_t AFTER_TYPE = 0xCA50F9E1u; /* ~crc32("IDAT") */

/* The last part that starts at or before byte `at` of the stream and is not empty. */
__device__ uint32_t part_of_byte(const DecodeWork &work, uint32_t at)
{
    uint32_t low = 0, high = work.part_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (work.parts[middle].start <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

__device__ uint32_t part_of_piece(const DecodeWork &work, uint32_t piece)
{
    uint32_t low = 0, high = work.part_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (work.parts[middle].piece <= piece)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Four words of the stream a thread; zeros behind its end. */
__global__ void __launch_bounds__(THREADS) gather_kernel(DecodeWork work)
{
    uint32_t index = blockIdx.x * THREADS + threadIdx.x, at = index * 16, words[4] = {};
    if (index >= work.stream_words / 4)
        return;
    if (at < work.stream_bytes) {
        uint32_t part = part_of_byte(work, at);
        ImgPngCudaPart here = work.parts[part];
#pragma unroll
        for (uint32_t i = 0; i < 16; i++) {
            if (at + i >= work.stream_bytes)
                break;
            while (at + i - here.start >= here.size && part + 1 < work.part_count)
                here = work.parts[++part];
            words[i / 4] |= (uint32_t)work.file[here.from + (at + i - here.start)] << (8 * (i % 4));
        }
    }
    ((uint4 *)work.stream)[index] = make_uint4(words[0], words[1], words[2], words[3]);
}

/* x to the power of the bits of so many pieces. */
__device__ uint32_t power_of_pieces(const DecodeWork &work, uint32_t pieces)
{
    uint32_t power = IMG_CRC_ONE;
    for (int n = 0; n < DECODE_PIECE_POWERS; n++)
        if ((pieces >> n & 1) != 0)
            power = img_crc_product(power, work.piece_powers[n]);
    return power;
}

/* A piece a thread. */
__global__ void __launch_bounds__(THREADS) crc_kernel(DecodeWork work)
{
    IMG_SHARED(uint32_t, table, [TABLE]);
    uint32_t entry = threadIdx.x;
    for (int bit = 0; bit < 8; bit++)
        entry = (entry & 1) != 0 ? entry >> 1 ^ IMG_CRC_POLYNOMIAL : entry >> 1;
    table[threadIdx.x] = entry;
    __syncthreads();
    uint32_t piece = blockIdx.x * THREADS + threadIdx.x;
    if (piece >= work.pieces)
        return;
    uint32_t part = part_of_piece(work, piece);
    ImgPngCudaPart here = work.parts[part];
    uint32_t pieces = (here.size + DECODE_PIECE - 1) / DECODE_PIECE;
    uint32_t behind = pieces - 1 - (piece - here.piece);
    uint32_t end = here.size - behind * DECODE_PIECE;
    uint32_t from = end > DECODE_PIECE ? end - DECODE_PIECE : 0, crc = from == 0 ? AFTER_TYPE : 0;
    for (uint32_t i = from; i < end; i++)
        crc = crc >> 8 ^ table[(crc ^ work.file[here.from + i]) & 0xff];
    atomicXor(&work.crcs[part], img_crc_product(crc, power_of_pieces(work, behind)));
}

/* A part a thread: what follows its data is the CRC, the highest byte first. */
__global__ void __launch_bounds__(THREADS) compare_kernel(DecodeWork work)
{
    uint32_t part = blockIdx.x * THREADS + threadIdx.x;
    if (part >= work.part_count)
        return;
    const uint8_t *at = work.file + work.parts[part].from + work.parts[part].size;
    uint32_t stored = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    uint32_t crc = work.parts[part].size == 0 ? AFTER_TYPE : work.crcs[part];
    if (stored != ~crc)
        decode_doubt(work, IMG_PNG_CUDA_BAD_CRC);
}

} // namespace

void decode_gather(const DecodeWork *work, void *stream)
{
    DecodeWork copy = *work;
    IMG_LAUNCH(gather_kernel, (work->stream_words / 4 + THREADS - 1) / THREADS, THREADS, 0, stream,
               copy);
    if (work->pieces > 0)
        IMG_LAUNCH(crc_kernel, (work->pieces + THREADS - 1) / THREADS, THREADS, 0, stream, copy);
    IMG_LAUNCH(compare_kernel, (work->part_count + THREADS - 1) / THREADS, THREADS, 0, stream,
               copy);
}
