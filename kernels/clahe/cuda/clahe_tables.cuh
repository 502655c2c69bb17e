/* Private to clahe's `cuda-fast`: the tables in shared memory. Their order allows one load to
 * return the entries of all four tiles around a pixel. */
#ifndef IMGTOOL_KERNELS_CLAHE_CUDA_CLAHE_TABLES_CUH
#define IMGTOOL_KERNELS_CLAHE_CUDA_CLAHE_TABLES_CUH

#include "kernels/clahe/clahe_exact.h"
#include "kernels/clahe/cuda/clahe_fast.cuh"

/* Number of tiles around the pixels of a block: three across and two down. The third column of
 * tiles is only used for units that extend into the next cell. */
constexpr int CLAHE_TILES_ACROSS = 3, CLAHE_TILES_DOWN = 2, CLAHE_CELLS = 2;
constexpr int CLAHE_TILES_AROUND = CLAHE_TILES_ACROSS * CLAHE_TILES_DOWN;

/* number of bins whose table entries a lane computes */
constexpr int CLAHE_EACH = CLAHE_BINS / CLAHE_LANES;

/* Sums the counts of CLAHE_EACH bins, beginning with bin `first`, over parts of a tile. The parts
 * are `part`, `part` + `step`, and so on. */
__device__ inline void clahe_add_parts(const ClaheRun &run, int32_t tile, uint32_t first,
                                       int32_t part, int32_t step, uint32_t (&counts)[CLAHE_EACH])
{
    const size_t before = ((size_t)tile * (size_t)run.parts + (size_t)part) * CLAHE_BINS;
    const uint32_t *at = run.counts + before + first;
#pragma unroll
    for (int b = 0; b < CLAHE_EACH; b++)
        counts[b] = 0;
#pragma unroll 4
    for (int32_t i = part; i < run.parts; i += step, at += (size_t)step * CLAHE_BINS) {
        uint32_t more[CLAHE_EACH];
        take_piece(more, __ldcg(reinterpret_cast<const uint4 *>(at)));
        take_piece(more + 4, __ldcg(reinterpret_cast<const uint4 *>(at) + 1));
#pragma unroll
        for (int b = 0; b < CLAHE_EACH; b++)
            counts[b] += more[b];
    }
}

/* Returns the sum of `value` over the lanes up to and including this one. */
__device__ inline uint32_t clahe_warp_scan(uint32_t value)
{
    const unsigned lane = threadIdx.x % CLAHE_LANES;
#pragma unroll
    for (unsigned away = 1; away < CLAHE_LANES; away *= 2) {
        const uint32_t other = __shfl_up_sync(0xffffffff, value, away);
        value += lane >= away ? other : 0;
    }
    return value;
}

/* Computes the table of a tile with one warp. A lane computes the entries of CLAHE_EACH
 * neighbouring bins, whose counts it passes in `counts`. */
__device__ inline uint4 clahe_make_table(const ClaheRun &run, uint32_t (&counts)[CLAHE_EACH])
{
    const uint32_t first = threadIdx.x % CLAHE_LANES * CLAHE_EACH;
    const double maximum = (double)((1 << run.plan.bits) - 1);
    uint32_t own = 0, kept = 0;
#pragma unroll
    for (int b = 0; b < CLAHE_EACH; b++)
        own += counts[b];
    const uint32_t total = __shfl_sync(0xffffffff, clahe_warp_scan(own), CLAHE_LANES - 1);
    const uint32_t limit = img_clahe_limit(&run.plan, total);
#pragma unroll
    for (int b = 0; b < CLAHE_EACH; b++) {
        counts[b] = min(counts[b], limit);
        kept += counts[b];
    }
    const uint32_t up_to = clahe_warp_scan(kept);
    const uint32_t excess = total - __shfl_sync(0xffffffff, up_to, CLAHE_LANES - 1);
    const ImgClaheSpread spread = img_clahe_spread(&run.plan, limit, excess);
    const double half = (double)(total / 2) + 0.5, part = 1.0 / (double)max(total, 1U);
    uint32_t below = up_to - kept, entries[CLAHE_EACH];
#pragma unroll
    for (uint32_t b = 0; b < CLAHE_EACH; b++) {
        below += counts[b];
        entries[b] =
            clahe_entry(below + img_clahe_spread_over(spread, first + b + 1), maximum, half, part);
        if (total == 0) /* without counted pixels the table is the identity */
            entries[b] = ((first + b + 1) << run.plan.fine_bits) - 1;
    }
    return make_uint4(entries[0] | entries[1] << 16, entries[2] | entries[3] << 16,
                      entries[4] | entries[5] << 16, entries[6] | entries[7] << 16);
}

/* Returns this lane's entries of the table of a tile. If the optional table kernel
 * (clahe_tabulate.cu) has run, the entries are read from its result. Otherwise they are computed
 * from the counts of the tile's parts. */
__device__ inline uint4 clahe_find_table(const ClaheRun &run, int32_t tile)
{
    const uint32_t lane = threadIdx.x % CLAHE_LANES;
    if (run.tables != NULL)
        return __ldcg(reinterpret_cast<const uint4 *>(run.tables + (size_t)tile * CLAHE_BINS) +
                      lane);
    uint32_t counts[CLAHE_EACH];
    clahe_add_parts(run, tile, lane * CLAHE_EACH, 0, 1, counts);
    return clahe_make_table(run, counts);
}

/* Table entries for 8-bit samples. An Entry packs the entries of one bin in four tables: of the
 * tiles above left, above right, below left and below right. */
template <typename Sample> struct ClaheLookup {
    typedef uint32_t Entry;
    /* Number of copies of each entry. Copies are adjacent, so lanes that use different copies never
     * access the same bank. */
    static constexpr int COPIES = 4;
    /* position, in bits, of the new value in the result of `blended` */
    static constexpr int SHIFT = 24;

    static __device__ uint32_t entry(const uint16_t (*tables)[CLAHE_BINS], int cell, int bin)
    {
        const uint16_t(*below)[CLAHE_BINS] = tables + CLAHE_TILES_ACROSS;
        return tables[cell][bin] | (uint32_t)tables[cell + 1][bin] << 8 |
               (uint32_t)below[cell][bin] << 16 | (uint32_t)below[cell + 1][bin] << 24;
    }

    /* Returns a horizontal weight in the form that clahe_blended_8 expects: 2^12 minus the weight
     * in the low half, and the weight in the high half. */
    static __device__ uint32_t weight(uint32_t across)
    {
        return (4096 - across) | across << 16;
    }

    static __device__ uint32_t blended(uint32_t entry, uint32_t, uint32_t across, uint32_t down)
    {
        return clahe_blended_8(entry, across, down);
    }
};

/* Table entries for 16-bit samples. The Entry of a bin has, for each of the four tiles, the table
 * entries of the previous bin and of the bin itself. */
template <> struct ClaheLookup<uint16_t> {
    typedef uint4 Entry;
    static constexpr int COPIES = 1;
    static constexpr int SHIFT = 0;

    static __device__ uint32_t pair(const uint16_t *table, int bin)
    {
        return (bin > 0 ? table[bin - 1] : 0U) | (uint32_t)table[bin] << 16;
    }

    static __device__ uint4 entry(const uint16_t (*tables)[CLAHE_BINS], int cell, int bin)
    {
        const uint16_t(*below)[CLAHE_BINS] = tables + CLAHE_TILES_ACROSS;
        return make_uint4(pair(tables[cell], bin), pair(tables[cell + 1], bin),
                          pair(below[cell], bin), pair(below[cell + 1], bin));
    }

    static __device__ uint32_t weight(uint32_t across)
    {
        return across;
    }

    /* Interpolates first within the bin and then between the tiles. With the position `into` within
     * the bin, from 1 to 256, the first step is low * (256 - into) + high * into. `into` may be
     * 256, which does not fit the 8 bits of a dot product. So the last term is computed as high *
     * (into - 1) + high. */
    static __device__ uint32_t blended(uint4 entry, uint32_t value, uint32_t across, uint32_t down)
    {
        const uint32_t fine = value & 0xff, parts = (255 - fine) | fine << 8;
        const uint32_t of_tile[4] = {
            __dp2a_lo(entry.x, parts, entry.x >> 16), __dp2a_lo(entry.y, parts, entry.y >> 16),
            __dp2a_lo(entry.z, parts, entry.z >> 16), __dp2a_lo(entry.w, parts, entry.w >> 16)};
        return clahe_blended_16(of_tile, across, down);
    }
};

#endif
