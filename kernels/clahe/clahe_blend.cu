/* The second kernel of clahe's `cuda-fast`: new pixels, from tables in shared memory.
 *
 * A block has a part of a quarter of a tile, so that its pixels lie between the centres of the same
 * tiles; only the last unit of a row may reach into the next cell, whose tables the block has as
 * well. A thread has one column of units: it knows the weights across, and goes down. */
#include "kernels/clahe/clahe_fast.cuh"
#include "kernels/clahe/clahe_tables.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"

namespace
{

constexpr int THREADS = CLAHE_THREADS, LANES = CLAHE_LANES, BINS = CLAHE_BINS;
constexpr int WARPS = THREADS / LANES;

/* What a block makes: units and rows of a cell, and where the next cell across begins. */
struct Patch {
    ClaheRange units, rows;
    int32_t cell_x, cell_y, next_x;

    /* The last blocks first: what has been read last is in the second-level cache. */
    __device__ Patch(const ClaheRun &run, int unit_pixels)
    {
        const ClaheCut cut = run.cuts.quarter;
        const uint32_t chunks = (uint32_t)cut.chunks, strips = (uint32_t)cut.strips;
        const uint32_t block = gridDim.x - 1 - blockIdx.x, halves = 2 * (uint32_t)run.plan.across;
        const uint32_t within = block % (chunks * strips), quarter = block / (chunks * strips);
        const ClaheRange columns = half(run.border_x, quarter % halves);
        units.first = clahe_units(columns.first, unit_pixels);
        units.end = clahe_units(columns.end, unit_pixels);
        units = clahe_part(units, (int32_t)(within / strips), cut.chunks);
        rows = half(run.border_y, quarter / halves);
        rows = clahe_part(rows, (int32_t)(within % strips), cut.strips);
        cell_x = (int32_t)((quarter % halves + 1) / 2);
        cell_y = (int32_t)((quarter / halves + 1) / 2);
        next_x = cell_x < run.plan.across ? clahe_middle(run.border_x, cell_x) : INT32_MAX;
    }

    __device__ bool is_empty() const
    {
        return units.first == units.end || rows.first == rows.end;
    }

    static __device__ ClaheRange half(const int32_t *borders, uint32_t i)
    {
        const int32_t middle = clahe_middle(borders, (int32_t)(i / 2));
        return i % 2 == 0 ? ClaheRange{borders[i / 2], middle}
                          : ClaheRange{middle, borders[i / 2 + 1]};
    }
};

/* How a kind of unit is handled: rows that a thread loads at once, copies of the tables for lanes
 * to meet at fewer banks, and blocks that run at a time on a multiprocessor. */
template <typename Unit> struct Handling {
    static constexpr bool WIDE = sizeof(typename Unit::Sample) == 2;
    static constexpr int AHEAD = Unit::PIECES == 3 ? 1 : 2;
    static constexpr int COPIES = (WIDE ? 2 : 8) / (Unit::PIECES == 3 ? 2 : 1);
    static constexpr int BLOCKS = Unit::PIECES == 3 ? 1 : 2;
    static constexpr int STAGED = Unit::PIECES == 3 ? LANES * Unit::PIECES : 1; /* per warp */
};

template <typename Unit> struct Shared {
    typedef ClaheLookup<typename Unit::Sample> Lookup;
    typename Lookup::Entry entries[CLAHE_CELLS * BINS * Handling<Unit>::COPIES];
    uint4 staged[WARPS][Handling<Unit>::STAGED];
    uint4 tables[CLAHE_TILES_AROUND][BINS / 8];
    uint32_t across[CLAHE_COLUMNS_MAX], down[CLAHE_ROWS_MAX];
};

/* The weights of all columns and rows. */
template <typename Unit>
__device__ void find_weights(const ClaheRun &run, const Patch &patch, Shared<Unit> &shared)
{
    const ImgClahePlan &plan = run.plan;
    const int32_t columns = (patch.units.end - patch.units.first) * Unit::PIXELS;
    const int32_t left = patch.units.first * Unit::PIXELS;
    for (int32_t i = (int32_t)threadIdx.x; i < columns; i += THREADS) {
        const int32_t x = min(left + i, plan.width - 1);
        const int32_t cell = patch.cell_x + (x >= patch.next_x ? 1 : 0);
        shared.across[i] = Shared<Unit>::Lookup::weight(
            clahe_weight(run.border_x, plan.across, cell, x, plan.weight_bits));
    }
    for (int32_t i = (int32_t)threadIdx.x; i < patch.rows.end - patch.rows.first; i += THREADS)
        shared.down[i] = clahe_weight(run.border_y, plan.down, patch.cell_y, patch.rows.first + i,
                                      plan.weight_bits);
}

/* A warp for each tile around; then all threads arrange what the tables say. */
template <typename Unit>
__device__ void find_entries(const ClaheRun &run, const Patch &patch, Shared<Unit> &shared)
{
    constexpr int COPIES = Handling<Unit>::COPIES;
    const int32_t warp = (int32_t)threadIdx.x / LANES;
    if (warp < CLAHE_TILES_AROUND) {
        const int32_t i = patch.cell_x - 1 + warp % CLAHE_TILES_ACROSS;
        const int32_t j = patch.cell_y - 1 + warp / CLAHE_TILES_ACROSS;
        const int32_t column = min(max(i, 0), run.plan.across - 1);
        const int32_t row = min(max(j, 0), run.plan.down - 1);
        clahe_make_table(run, row * run.plan.across + column,
                         reinterpret_cast<uint16_t *>(shared.tables[warp]));
    }
    __syncthreads();
    const uint16_t(*tables)[BINS] = reinterpret_cast<const uint16_t(*)[BINS]>(shared.tables);
    for (int i = (int)threadIdx.x; i < CLAHE_CELLS * BINS; i += THREADS) {
        const auto entry = Shared<Unit>::Lookup::entry(tables, i / BINS, i % BINS);
#pragma unroll
        for (int c = 0; c < COPIES; c++)
            shared.entries[i * COPIES + c] = entry;
    }
    __syncthreads();
}

/* Where a lane stores a piece: with one piece per unit its own; with three those of the warp in
 * turn, so that what lanes store at the same time lies side by side. */
struct Target {
    size_t offset;
    int32_t row, left; /* row: far below the last one where there is nothing */
};

template <typename Unit> struct Worker {
    const ClaheRun &run;
    const Patch &patch;
    Shared<Unit> &shared;
    int32_t units, step, row, left; /* left: bytes from the unit on to the row's end */
    const uint8_t *src;
    uint8_t *dst;
    Target target[Unit::PIECES];
    uint32_t across[Unit::PIXELS], beyond; /* a bit for each pixel that is in the next cell */

    __device__ Worker(const ClaheRun &run_, const Patch &patch_, Shared<Unit> &shared_)
        : run(run_), patch(patch_), shared(shared_)
    {
        units = patch.units.end - patch.units.first;
        step = THREADS / units;
        const size_t first = (size_t)patch.units.first * Unit::BYTES;
        const int32_t column = (int32_t)threadIdx.x % units;
        row = row_of(threadIdx.x);
        left = left_of(column);
        src = run.src + (size_t)(patch.rows.first + row) * run.src_stride + first +
              (size_t)column * Unit::BYTES;
        dst = run.dst + (size_t)patch.rows.first * run.dst_stride + first;
#pragma unroll
        for (int p = 0; p < Unit::PIECES; p++)
            target[p] = target_of(p);
        beyond = 0;
#pragma unroll
        for (int p = 0; p < Unit::PIXELS; p++) {
            across[p] = shared.across[column * Unit::PIXELS + p];
            const int32_t x = (patch.units.first + column) * Unit::PIXELS + p;
            beyond |= x >= patch.next_x ? 1U << p : 0;
        }
    }

    __device__ int32_t row_of(uint32_t thread) const
    {
        const int32_t own = (int32_t)thread / units;
        return own < step ? own : CLAHE_ROWS_MAX;
    }

    __device__ int32_t left_of(int32_t column) const
    {
        const int64_t bytes = (int64_t)run.plan.width * Unit::PIXEL_BYTES;
        return (int32_t)min(bytes - (int64_t)(patch.units.first + column) * Unit::BYTES,
                            (int64_t)Unit::BYTES);
    }

    __device__ Target target_of(int piece) const
    {
        const uint32_t slot = threadIdx.x % LANES + LANES * (uint32_t)piece;
        const uint32_t thread = threadIdx.x / LANES * LANES + slot / Unit::PIECES;
        const int32_t at = (int32_t)(slot % Unit::PIECES) * WIDE_BYTES;
        const int32_t column = (int32_t)thread % units;
        Target result;
        result.row = row_of(thread);
        result.left = left_of(column) - at;
        result.offset = (size_t)result.row * run.dst_stride + (size_t)column * Unit::BYTES + at;
        return result;
    }

    __device__ int32_t rows() const
    {
        return patch.rows.end - patch.rows.first;
    }

    /* Of the row that is so many below the thread's first. */
    __device__ void load(Unit &unit, int32_t below) const
    {
        unit.load(src + (size_t)below * run.src_stride, row + below < rows() ? left : 0);
    }

    __device__ void change(const Unit &in, uint32_t down, Unit &out) const
    {
        constexpr int COPIES = Handling<Unit>::COPIES;
        constexpr int FINE = 8 * (int)sizeof(typename Unit::Sample) - 8;
        const int32_t maximum = (1 << run.plan.bits) - 1;
        const auto *entries = shared.entries + threadIdx.x % COPIES;
#pragma unroll
        for (int p = 0; p < Unit::PIXELS; p++) {
            const uint32_t bright = in.brightness(run.plan.weights, p);
            const uint32_t index = (beyond >> p & 1) * BINS + (bright >> FINE);
            const uint32_t value =
                Shared<Unit>::Lookup::blended(entries[index * COPIES], bright, across[p], down);
            const int first = p * Unit::CHANNELS;
            if constexpr (Unit::COLORS == 1) {
                out.put(first, value);
            } else {
                const int32_t shift = (int32_t)value - (int32_t)bright;
#pragma unroll
                for (int c = first; c < first + Unit::COLORS; c++)
                    out.put(c, (uint32_t)__viaddmin_s32_relu((int)in.sample(c), shift, maximum));
            }
            if (Unit::CHANNELS > Unit::COLORS)
                out.put(first + Unit::COLORS, in.sample(first + Unit::COLORS));
        }
    }

    __device__ static void store_piece(uint8_t *to, const uint4 &piece, int32_t left)
    {
        if (left >= WIDE_BYTES)
            __stcs(reinterpret_cast<uint4 *>(to), piece);
        else if (left > 0)
            store_part(to, piece, left);
    }

    __device__ void store(const Unit &unit, int32_t below) const
    {
        uint4 pieces[Unit::PIECES];
#pragma unroll
        for (int p = 0; p < Unit::PIECES; p++)
            pieces[p] = make_uint4(unit.words[4 * p], unit.words[4 * p + 1], unit.words[4 * p + 2],
                                   unit.words[4 * p + 3]);
        if constexpr (Unit::PIECES > 1) {
            const uint32_t lane = threadIdx.x % LANES;
            uint4 *staged = shared.staged[threadIdx.x / LANES];
            __syncwarp();
#pragma unroll
            for (int p = 0; p < Unit::PIECES; p++)
                staged[lane * Unit::PIECES + p] = pieces[p];
            __syncwarp();
#pragma unroll
            for (int p = 0; p < Unit::PIECES; p++)
                pieces[p] = staged[lane + LANES * p];
        }
#pragma unroll
        for (int p = 0; p < Unit::PIECES; p++)
            if (target[p].row + below < rows())
                store_piece(dst + target[p].offset + (size_t)below * run.dst_stride, pieces[p],
                            target[p].left);
    }

    __device__ void work(const Unit &in, int32_t below) const
    {
        Unit out = {};
        change(in, shared.down[min(row + below, rows() - 1)], out);
        store(out, below);
    }
};

template <typename Unit>
__global__ void __launch_bounds__(THREADS, Handling<Unit>::BLOCKS) blend_kernel(ClaheRun run)
{
    constexpr int AHEAD = Handling<Unit>::AHEAD;
    IMG_SHARED(Shared<Unit>, shared, [1]);
    const Patch patch(run, Unit::PIXELS);
    if (patch.is_empty())
        return;
    find_weights<Unit>(run, patch, shared[0]);
    __syncthreads();
    const Worker<Unit> worker(run, patch, shared[0]);
    Unit units[AHEAD];
#pragma unroll
    for (int k = 0; k < AHEAD; k++)
        worker.load(units[k], k * worker.step);
    IMG_AWAIT_PREVIOUS(); /* the tiles have been counted now */
    find_entries<Unit>(run, patch, shared[0]);
    for (int32_t below = 0; below < worker.rows(); below += AHEAD * worker.step) {
        Unit coming[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            worker.load(coming[k], below + (AHEAD + k) * worker.step);
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            worker.work(units[k], below + k * worker.step);
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            units[k] = coming[k];
    }
}

} // namespace

ImgStatus clahe_blend(const ImgCall *call, const ClaheRun &run, ImgError *err)
{
    const ClaheCut cut = run.cuts.quarter;
    const int32_t quarters = 4 * run.plan.across * run.plan.down;
    ImgStatus status = with_samples(call->src.format, [&](auto sample, auto channels) {
        typedef ClaheUnit<decltype(sample), channels.VALUE> Unit;
        IMG_LAUNCH_EARLY(blend_kernel<Unit>, (unsigned)(quarters * cut.chunks * cut.strips),
                         THREADS, 0, call->stream, run);
        return IMG_OK;
    });
    CUDA_TRY(cudaGetLastError(), err);
    return status;
}
