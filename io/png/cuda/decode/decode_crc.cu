/* Checks the CRC-32 of each part of the stream (the data of one IDAT chunk). A part is divided into
 * pieces of DECODE_PIECE bytes, counted from its end, so that only the first piece may be shorter.
 * Each warp computes the CRC of a piece; each lane processes every 32nd word of it. Products with
 * powers of x combine the CRCs of the pieces.
 *
 * The first piece includes the chunk's type. Inverting its first four bytes has the same effect as
 * the CRC's initial value of all ones. */
#include "io/png/cuda/crc_product.h"
#include "io/png/cuda/decode/decode_adler.cuh"
#include "io/png/cuda/decode/decode_bits.cuh"
#include "io/png/cuda/decode/decode_jobs.cuh"

namespace
{

constexpr int THREADS = 256, WARPS = THREADS / 32, MOST_BLOCKS = 1056;
/* PIECE_POWERS: enough powers for 2^20 pieces; no part (IDAT chunk) has so many. */
constexpr int BYTES = 256, SLICES = 4, PIECE_POWERS = 20;
/* TYPE_BYTES: size of the chunk type. STEP: bytes that a warp reads per iteration of its loop. */
constexpr uint32_t TYPE_BYTES = 4, STEP = 32 * 4;
constexpr uint32_t OF_TYPE = 0xCA50F9E1u; /* ~crc32("IDAT"), the result for an empty part */

/* Powers of x modulo the CRC polynomial, by which CRCs are multiplied when they are combined. */
struct Powers {
    uint32_t step; /* x^n, where n is the number of bits that a warp reads per iteration */
    /* [lane]: x^n, where n is the number of bits from the lane's word to the end of the words that
     * the warp reads in the same iteration */
    uint32_t lanes[32];
    uint32_t pieces[PIECE_POWERS]; /* [i]: x^n, where n is the number of bits of 2^i pieces */
};

Powers make_powers()
{
    Powers powers;
    uint32_t word = IMG_CRC_X, power;
    for (int bits = 1; bits < 32; bits *= 2)
        word = img_crc_product(word, word);
    power = word;
    for (int lane = 31; lane >= 0; lane--) {
        powers.lanes[lane] = power;
        power = img_crc_product(power, word);
    }
    powers.step = powers.lanes[0];
    power = powers.step;
    for (uint32_t bytes = STEP; bytes < DECODE_PIECE; bytes *= 2)
        power = img_crc_product(power, power);
    for (int n = 0; n < PIECE_POWERS; n++) {
        powers.pieces[n] = power;
        power = img_crc_product(power, power);
    }
    return powers;
}

/* Fills `tables`, so that tables[i][v] is the product of `power` and a word with the value v in
 * byte i. Called by all threads. */
__device__ void make_tables(uint32_t power, uint32_t (*tables)[BYTES])
{
    for (int slice = SLICES - 1; slice >= 0; slice--) {
        uint32_t product = 0;
        for (uint32_t bit = 1u << 7; bit != 0; bit >>= 1) {
            product ^= (threadIdx.x & bit) != 0 ? power : 0;
            power = power >> 1 ^ ((power & 1) != 0 ? IMG_CRC_POLYNOMIAL : 0);
        }
        tables[slice][threadIdx.x] = product;
    }
}

__device__ uint32_t part_of_piece(const DecodeJob &job, uint32_t piece)
{
    uint32_t low = 0, high = job.part_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (job.parts[middle].piece <= piece)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Reads four bytes of a message, which begins with the chunk's type. Bytes before the start of the
 * message are returned as zeros. Reads aligned words, so up to three bytes before and after the
 * four may be read. This is safe, because they also lie within the file. */
__device__ uint32_t message_word(const uint8_t *message, int32_t at)
{
    uint32_t word = 0;
    if (at >= (int32_t)TYPE_BYTES) {
        uint32_t shift = (uint32_t)((uintptr_t)(message + at) & 3);
        const uint32_t *aligned = (const uint32_t *)(message + at - shift);
        return shift == 0 ? aligned[0] : __funnelshift_r(aligned[0], aligned[1], 8 * shift);
    }
    for (int i = 0; i < 4; i++)
        if (at + i >= 0)
            word |= (uint32_t)(message[at + i] ^ (at + i < (int32_t)TYPE_BYTES ? 0xff : 0))
                    << (8 * i);
    return word;
}

/* Returns the CRC of bytes `from` to `end` of the message, as if zeros came before it. All lanes of
 * a warp must call it; only lane 0 gets the result. */
__device__ uint32_t piece_crc(const Powers &powers, const uint32_t (*tables)[BYTES],
                              const uint8_t *message, int32_t from, int32_t end)
{
    uint32_t lane = threadIdx.x % 32, crc = 0;
    int32_t steps = (end - from + (int32_t)STEP - 1) / (int32_t)STEP;
    for (int32_t step = steps; step > 0; step--) {
        crc = tables[0][crc & 0xff] ^ tables[1][crc >> 8 & 0xff] ^ tables[2][crc >> 16 & 0xff] ^
              tables[3][crc >> 24];
        crc ^= message_word(message, end - step * (int32_t)STEP + 4 * (int32_t)lane);
    }
    crc = img_crc_product(crc, powers.lanes[lane]);
    for (uint32_t away = 16; away > 0; away /= 2)
        crc ^= __shfl_down_sync(0xffffffffu, crc, away);
    return crc;
}

/* Returns x^n modulo the CRC polynomial, where n is the number of bits in `pieces` pieces. */
__device__ uint32_t power_of_pieces(const Powers &powers, uint32_t pieces)
{
    uint32_t power = IMG_CRC_ONE;
    for (int n = 0; n < PIECE_POWERS && pieces >> n != 0; n++)
        if ((pieces >> n & 1) != 0)
            power = img_crc_product(power, powers.pieces[n]);
    return power;
}

template <typename Jobs>
__global__ void __launch_bounds__(THREADS) crc_kernel(Jobs jobs, Powers powers)
{
    const DecodeJob job = jobs.get();
    IMG_SHARED(uint32_t, tables, [SLICES][BYTES]);
    make_tables(powers.step, tables);
    __syncthreads();
    uint32_t piece = blockIdx.x * WARPS + threadIdx.x / 32;
    for (; piece < job.pieces; piece += gridDim.x * WARPS) {
        uint32_t part = part_of_piece(job, piece);
        ImgPngCudaPart here = job.parts[part];
        uint32_t pieces = (here.size - 1) / DECODE_PIECE + 1;
        uint32_t behind = pieces - 1 - (piece - here.piece);
        int32_t end = (int32_t)(here.size - behind * DECODE_PIECE + TYPE_BYTES);
        int32_t from = behind + 1 == pieces ? 0 : end - DECODE_PIECE;
        uint32_t crc = piece_crc(powers, tables, job.file + here.from - TYPE_BYTES, from, end);
        if (threadIdx.x % 32 == 0)
            atomicXor(&job.crcs[part], img_crc_product(crc, power_of_pieces(powers, behind)));
    }
}

/* Compares the CRC of each part (IDAT chunk) with the CRC in the file, one part per thread. The
 * file's CRC follows the part's data in big-endian order. */
template <typename Jobs> __global__ void __launch_bounds__(THREADS) compare_kernel(Jobs jobs)
{
    const DecodeJob job = jobs.get();
    uint32_t part = blockIdx.x * THREADS + threadIdx.x;
    if (part >= job.part_count)
        return;
    const uint8_t *at = job.file + job.parts[part].from + job.parts[part].size;
    uint32_t stored = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    uint32_t crc = job.parts[part].size == 0 ? OF_TYPE : job.crcs[part];
    if (stored != ~crc)
        decode_fail(job, IMG_PNG_CUDA_BAD_CRC);
}

} // namespace

void img_decode_crc(const DecodeJob *job, void *stream)
{
    OneJob one = {*job};
    const Powers powers = make_powers();
    uint32_t blocks = (job->pieces + WARPS - 1) / WARPS;
    if (blocks > 0)
        IMG_LAUNCH(crc_kernel<OneJob>, blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS, THREADS, 0,
                   stream, one, powers);
    IMG_LAUNCH(compare_kernel<OneJob>, (job->part_count + THREADS - 1) / THREADS, THREADS, 0,
               stream, one);
}

void img_decode_crc_many(const DecodeBatch *batch, void *stream)
{
    ManyJobs many = {batch->jobs};
    const Powers powers = make_powers();
    uint32_t blocks = (batch->pieces + WARPS - 1) / WARPS;
    if (blocks > 0)
        IMG_LAUNCH(crc_kernel<ManyJobs>, dim3(blocks, batch->count), THREADS, 0, stream, many,
                   powers);
    IMG_LAUNCH(compare_kernel<ManyJobs>, dim3((batch->parts + THREADS - 1) / THREADS, batch->count),
               THREADS, 0, stream, many);
}

/* --- The verdict ------------------------------------------------------------------------------ */

/* Writes the status word: the recorded failures, or IMG_PNG_CUDA_VERIFIED if there are none. */
namespace
{

/* Returns the Adler-32 that the file stores: four bytes after the blocks, in big-endian order. */
__device__ uint32_t stored_adler(const DecodeJob &job)
{
    const uint8_t *at = (const uint8_t *)job.stream + job.end_bit / 8;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

template <typename Jobs> __global__ void verdict_kernel(Jobs jobs)
{
    const DecodeJob job = jobs.get();
    const DecodeCounters *counters = job.counters;
    uint32_t low = (uint32_t)((counters->sum + 1) % ADLER_MODULUS);
    uint32_t high = (uint32_t)((counters->weighted + job.inflated) % ADLER_MODULUS);
    uint32_t failures = counters->failures;
    if (failures == 0 && (high << 16 | low) != stored_adler(job))
        failures = IMG_PNG_CUDA_BAD_ADLER;
    *job.status = failures == 0 ? IMG_PNG_CUDA_VERIFIED : failures;
}

} // namespace

void img_decode_verdict(const DecodeJob *job, void *stream)
{
    OneJob one = {*job};
    IMG_LAUNCH(verdict_kernel<OneJob>, 1, 1, 0, stream, one);
}

void img_decode_verdict_many(const DecodeBatch *batch, void *stream)
{
    ManyJobs many = {batch->jobs};
    IMG_LAUNCH(verdict_kernel<ManyJobs>, dim3(1, batch->count), 1, 0, stream, many);
}
