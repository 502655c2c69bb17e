/* Kernels for tables from or to 16 bits, the same for all channels or for all except alpha. A
 * 16-bit table takes 128 KB of shared memory, so a multiprocessor runs one block. Random samples
 * cause bank conflicts: three or four of 32 lanes use the same bank. The kernels are limited by
 * memory bandwidth, and for small pictures by the time to fill the table. */
#include "kernels/point/cuda/point_columns.cuh"
#include "kernels/point/cuda/point_fast.h"

namespace
{

constexpr int SAMPLES = 8; /* number of samples per unit */

/* Distance between the positions, in pieces of 16 bytes, at which two consecutive blocks start to
 * fill the table. If all blocks read the same piece at the same time, a small picture takes an
 * eighth longer. */
constexpr uint32_t APART = 64;

/* Access to eight adjacent samples at once. */
template <typename Sample> struct Eight;

template <> struct Eight<uint16_t> {
    static constexpr int BYTES = 16;
    typedef uint4 Words;
    static __device__ uint4 load(const uint8_t *p)
    {
        return point_get(p);
    }
    static __device__ uint32_t sample(uint4 words, int i)
    {
        const uint32_t word[4] = {words.x, words.y, words.z, words.w};
        return word[i / 2] >> i % 2 * 16 & 0xFFFF;
    }
    static __device__ void store(uint8_t *at, int left, const uint32_t (&s)[SAMPLES])
    {
        point_put(at, left,
                  make_uint4(__byte_perm(s[0], s[1], 0x5410), __byte_perm(s[2], s[3], 0x5410),
                             __byte_perm(s[4], s[5], 0x5410), __byte_perm(s[6], s[7], 0x5410)));
    }
};

template <> struct Eight<uint8_t> {
    static constexpr int BYTES = 8;
    typedef uint2 Words;
    static __device__ uint2 load(const uint8_t *p)
    {
        return __ldg(reinterpret_cast<const uint2 *>(p));
    }
    static __device__ uint32_t sample(uint2 words, int i)
    {
        return (i < 4 ? words.x : words.y) >> i % 4 * 8 & 0xFF;
    }
    static __device__ uint32_t joined(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
    {
        return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
    }
    static __device__ void store(uint8_t *at, int left, const uint32_t (&s)[SAMPLES])
    {
        point_put_half(at, left,
                       make_uint2(joined(s[0], s[1], s[2], s[3]), joined(s[4], s[5], s[6], s[7])));
    }
};

/* Applies the table to 8 samples at a time. If ALPHA is not 0, every ALPHA-th sample is alpha and
 * does not change. */
template <typename From, typename To, int ALPHA> struct Change {
    static constexpr int FROM_BYTES = Eight<From>::BYTES, TO_BYTES = Eight<To>::BYTES, AHEAD = 2;
    typedef typename Eight<From>::Words In;
    /* the only table of the program, in device memory; it begins at a multiple of 256 bytes, like
     * the tables of every program */
    const uint16_t *table;
    uint32_t entries; /* number of entries: at least 2, a power of two */

    __device__ In load(const uint8_t *at, uint32_t, int) const
    {
        return Eight<From>::load(at);
    }

    __device__ void fill() const
    {
        IMG_SHARED_DYNAMIC(uint4, pieces);
        uint16_t *few = reinterpret_cast<uint16_t *>(pieces);
        const uint32_t whole = entries / SAMPLES;
#pragma unroll 8
        for (uint32_t i = threadIdx.x; i < whole; i += blockDim.x) {
            const uint32_t at = (i + blockIdx.x * APART) & (whole - 1);
            pieces[at] = __ldg(reinterpret_cast<const uint4 *>(table) + at);
        }
        if (whole == 0 && threadIdx.x < entries)
            few[threadIdx.x] = __ldg(table + threadIdx.x);
    }

    /* Bytes past the end of a row may be larger than a sample of few bits, so values are masked. */
    __device__ void store(In in, uint32_t, uint8_t *at, int left) const
    {
        IMG_SHARED_DYNAMIC(uint4, pieces);
        const uint16_t *shared = reinterpret_cast<const uint16_t *>(pieces);
        uint32_t samples[SAMPLES];
#pragma unroll
        for (int i = 0; i < SAMPLES; i++) {
            const uint32_t sample =
                Eight<From>::sample(in, i) & (sizeof(From) == 1 ? entries - 1 : 0xFFFF);
            samples[i] = ALPHA != 0 && i % ALPHA == ALPHA - 1 ? sample : shared[sample];
        }
        Eight<To>::store(at, left, samples);
    }
};

template <typename From, typename To, int ALPHA>
ImgStatus launch(const ImgCall *call, const ImgPointStage *stage, const uint16_t *tables,
                 ImgError *err)
{
    Change<From, To, ALPHA> change;
    change.table = tables + stage->table[0];
    change.entries = 1u << stage->from_bits;
    return point_launch(call, change, change.entries * sizeof(uint16_t), err);
}

} // namespace

bool img_point_cuda_words_fits(const ImgPointStage *stage)
{
    int device, most;
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) ==
               cudaSuccess &&
           (2 << stage->from_bits) <= most;
}

ImgStatus img_point_cuda_words(const ImgCall *call, const ImgPointStage *stage,
                               const uint16_t *tables, ImgError *err)
{
    const bool keeps_alpha = stage->table[stage->from - 1] < 0;
    if (stage->from_bits <= 8)
        return launch<uint8_t, uint16_t, 0>(call, stage, tables, err);
    if (stage->to_bits <= 8)
        return launch<uint16_t, uint8_t, 0>(call, stage, tables, err);
    if (!keeps_alpha)
        return launch<uint16_t, uint16_t, 0>(call, stage, tables, err);
    return stage->from == 2 ? launch<uint16_t, uint16_t, 2>(call, stage, tables, err)
                            : launch<uint16_t, uint16_t, 4>(call, stage, tables, err);
}
