/* Private to the tone family: three tables of equalize for 16 bits, packed so that they fit the
 * shared memory of one multiprocessor.
 *
 * Entries never decrease from one value to the next. For each group of PACK_GROUP neighbours, the
 * first entry is stored with 16 bits. All entries of the group are stored as bytes, as their
 * differences from the first one. If a difference is PACK_FAR or more, the byte is PACK_FAR, and
 * the entry must be read from the unpacked table. A table rises by at most 65,535 in all, so at
 * most 257 groups have such entries. These groups have 8 KB in each unpacked table, which stay in
 * the first-level cache. */
#ifndef IMGTOOL_KERNELS_TONE_CUDA_TONE_PACKED_CUH
#define IMGTOOL_KERNELS_TONE_CUDA_TONE_PACKED_CUH

#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/tone/cuda/tone_cuda.cuh"

constexpr uint32_t PACK_GROUP = 16, PACK_FAR = 255, PACK_ENTRIES = 65536;
/* Size of a packed table, in bytes. In memory, the differences come first; the first entries of all
 * groups follow. */
constexpr uint32_t PACKED_BYTES = PACK_ENTRIES + PACK_ENTRIES / PACK_GROUP * 2;
constexpr int PACKED_TABLES = 3;

/* Stores the entry `entry` for the value `value` in a packed table. The lanes of a warp must call
 * it for 32 successive values. */
__device__ inline void pack_entry(uint8_t *table, uint32_t value, uint32_t entry)
{
    uint32_t first =
        __shfl_sync(0xffffffff, entry, (int)(threadIdx.x % 32 / PACK_GROUP * PACK_GROUP));
    table[value] = (uint8_t)min(entry - first, PACK_FAR);
    if (value % PACK_GROUP == 0)
        reinterpret_cast<uint16_t *>(table + PACK_ENTRIES)[value / PACK_GROUP] = (uint16_t)entry;
}

/* One packed table per channel, for runs that need not consist of whole pixels (FLAT, see
 * tone_change.cuh). */
struct PackedTables {
    static constexpr int THREADS = 1024, BLOCKS = 1, FITTING = BLOCKS, AHEAD = 2;
    static constexpr int SHARED_BYTES = PACKED_TABLES * (int)PACKED_BYTES;
    const uint8_t *packed;
    const uint16_t *tables;

    __device__ PackedTables(const ToneRun &run, uint4 *memory)
        : packed(reinterpret_cast<const uint8_t *>(memory)), tables(run.found.tables)
    {
#pragma unroll 7
        for (int i = (int)threadIdx.x; i < SHARED_BYTES / WIDE_BYTES; i += THREADS)
            memory[i] = __ldcg(run.found.packed + i);
        __syncthreads();
    }

    /* Changes the samples of the run with index `place` of a row. Entries that do not fit the
     * packed table are read from the unpacked one, after all others. */
    template <int CHANNELS, int COUNT>
    __device__ void change(uint32_t place, uint32_t (&samples)[COUNT]) const
    {
        uint32_t channel[CHANNELS], entry[COUNT], far = 0;
#pragma unroll
        for (uint32_t c = 0; c < CHANNELS; c++)
            /* runs of RGBA samples contain whole pixels, so their channels are constants */
            channel[c] = CHANNELS == 3 ? (place % 3 * COUNT + c) % 3 : c;
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            entry[i] = samples[i];
            if (i % CHANNELS >= PACKED_TABLES)
                continue; /* alpha has no table */
            const uint8_t *table = packed + channel[i % CHANNELS] * PACKED_BYTES;
            const uint16_t *firsts = reinterpret_cast<const uint16_t *>(table + PACK_ENTRIES);
            uint32_t more = table[samples[i]];
            entry[i] = firsts[samples[i] / PACK_GROUP] + more;
            far |= more == PACK_FAR ? 1u << i : 0;
        }
        if (far != 0) {
#pragma unroll
            for (int i = 0; i < COUNT; i++)
                if ((far >> i & 1) != 0)
                    entry[i] = __ldg(tables + channel[i % CHANNELS] * PACK_ENTRIES + samples[i]);
        }
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            samples[i] = entry[i];
    }
};

#endif
