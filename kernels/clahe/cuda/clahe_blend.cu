/* The last kernel of clahe's `cuda-fast`: computes new pixels, from tables in shared memory.
 *
 * The pixels of a block lie between the centres of the same four tiles; this area is called a cell.
 * A unit is 16 or 48 bytes of a row (clahe_fast.cuh). Only the last unit of a row may extend into
 * the next cell, whose tables the block has too. A thread processes one column of units from top to
 * bottom, so it computes the horizontal weights once. */
#include "kernels/clahe/cuda/clahe_column.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"

namespace
{

constexpr int THREADS = CLAHE_PATCH_THREADS, LANES = CLAHE_LANES;

/* Number of rows that a thread loads at the same time. It is larger if units have few pixels,
 * because they have less arithmetic to hide the latency of loads. */
template <typename Unit> constexpr int AHEAD = Unit::CHANNELS % 2 == 0 ? 4 : 2;

/* Determines which units of a patch each thread processes. A patch is the part of a cell that a
 * block computes. */
template <typename Unit> struct Place {
    /* number of units across, and number of rows that the block's threads process at the same
     * time */
    int32_t units, step;
    int32_t rows; /* number of rows of the patch */
    /* number of bytes from the first unit of the patch to the end of the picture's row */
    int64_t left_of_first;

    __device__ Place(const ClaheRun &run, const ClahePatch &patch)
        : units(patch.units.end - patch.units.first), step(THREADS / units),
          rows(patch.rows.end - patch.rows.first),
          left_of_first((int64_t)run.plan.width * Unit::PIXEL_BYTES -
                        (int64_t)patch.units.first * Unit::BYTES)
    {
    }

    __device__ int32_t column(int32_t thread) const
    {
        return thread % units;
    }

    __device__ int32_t row(int32_t thread) const
    {
        return thread / units;
    }

    /* Returns the number of rows from the thread's first row to the end of the patch. Returns 0 for
     * surplus threads, which do not make up a whole row of units. */
    __device__ int32_t rows_left(int32_t thread) const
    {
        return row(thread) < step ? rows - row(thread) : 0;
    }

    /* Returns the number of bytes of the thread's unit that are inside the picture's row. */
    __device__ int32_t bytes(int32_t thread) const
    {
        return (int32_t)min(left_of_first - (int64_t)column(thread) * Unit::BYTES,
                            (int64_t)Unit::BYTES);
    }
};

/* Address to which a lane stores a piece of 16 bytes. If units have one piece, each lane stores its
 * own. If units have three pieces, each store instruction of a warp writes adjacent pieces, so that
 * stores are coalesced. */
template <typename Unit> struct Target {
    uint8_t *at;
    int32_t rows_left, bytes;

    __device__ void find(const ClaheRun &run, const ClahePatch &patch, const Place<Unit> &place,
                         int piece)
    {
        const int32_t slot = (int32_t)threadIdx.x % LANES + LANES * piece;
        const int32_t thread = (int32_t)threadIdx.x / LANES * LANES + slot / Unit::PIECES;
        const int32_t within = slot % Unit::PIECES * WIDE_BYTES;
        rows_left = place.rows_left(thread);
        bytes = place.bytes(thread) - within;
        at = run.dst + (size_t)(patch.rows.first + place.row(thread)) * run.dst_stride +
             (size_t)(patch.units.first + place.column(thread)) * Unit::BYTES + within;
    }

    __device__ void store(size_t offset, const uint4 &piece) const
    {
        if (bytes >= WIDE_BYTES)
            __stcs(reinterpret_cast<uint4 *>(at + offset), piece);
        else if (bytes > 0)
            store_part(at + offset, piece, bytes);
    }
};

/* Exchanges pieces between the lanes of a warp through shared memory. It replaces the pieces of the
 * lane's own unit by the pieces that the lane will store. */
template <typename Unit> __device__ void exchange(uint4 (&pieces)[Unit::PIECES], uint4 *staged)
{
    if constexpr (Unit::PIECES > 1) {
        const uint32_t lane = threadIdx.x % LANES;
        __syncwarp();
#pragma unroll
        for (int p = 0; p < Unit::PIECES; p++)
            staged[lane * Unit::PIECES + p] = pieces[p];
        __syncwarp();
#pragma unroll
        for (int p = 0; p < Unit::PIECES; p++)
            pieces[p] = staged[lane + LANES * p];
    }
}

/* State of one thread while it computes its column of units in a patch. */
template <typename Unit> struct Worker {
    static constexpr int ROWS = AHEAD<Unit>, PIECES = Unit::PIECES;
    Place<Unit> place;
    const uint8_t *src; /* address of the next unit to load */
    size_t src_step, dst_step, offset;
    /* `row`: first row of the thread; `rows_left`: number of rows from there to the end of the
     * patch; `bytes`: number of bytes of the thread's unit that lie within the picture */
    int32_t row, rows_left, bytes;
    uint4 *staged;
    Target<Unit> targets[PIECES];

    __device__ Worker(const ClaheRun &run, const ClahePatch &patch, ClaheShared<Unit> &shared)
        : place(run, patch), offset(0)
    {
        const int32_t thread = (int32_t)threadIdx.x;
        row = place.row(thread);
        rows_left = place.rows_left(thread);
        bytes = place.bytes(thread);
        staged = shared.staged[thread / LANES];
        src = run.src + (size_t)(patch.rows.first + row) * run.src_stride +
              (size_t)(patch.units.first + place.column(thread)) * Unit::BYTES;
        src_step = (size_t)place.step * run.src_stride;
        dst_step = (size_t)place.step * run.dst_stride;
#pragma unroll
        for (int p = 0; p < PIECES; p++)
            targets[p].find(run, patch, place, p);
    }

    /* Loads one unit in each of ROWS rows. The first of these is `below` rows below the thread's
     * first row. */
    __device__ void load(Unit (&units)[ROWS], int32_t below)
    {
#pragma unroll
        for (int k = 0; k < ROWS; k++, src += src_step)
            units[k].load(src, below + k * place.step < rows_left ? bytes : 0);
    }

    __device__ void make(const ClaheColumn<Unit> &column, const uint32_t *down, const Unit &unit,
                         int32_t below)
    {
        Unit out = {};
        column.change(unit, below < rows_left ? down[row + below] : 0, out);
        uint4 pieces[PIECES];
#pragma unroll
        for (int p = 0; p < PIECES; p++)
            pieces[p] = make_uint4(out.words[4 * p], out.words[4 * p + 1], out.words[4 * p + 2],
                                   out.words[4 * p + 3]);
        exchange<Unit>(pieces, staged);
#pragma unroll
        for (int p = 0; p < PIECES; p++)
            if (below < targets[p].rows_left)
                targets[p].store(offset, pieces[p]);
    }

    __device__ void make(const ClaheColumn<Unit> &column, const uint32_t *down,
                         const Unit (&units)[ROWS], int32_t below)
    {
#pragma unroll
        for (int k = 0; k < ROWS; k++, below += place.step, offset += dst_step)
            /* Lanes without a row take part if units have several pieces, because all lanes of a
             * warp must execute `exchange`. */
            if (PIECES > 1 || below < rows_left)
                make(column, down, units[k], below);
    }
};

template <typename Unit>
__device__ void blend(const ClaheRun &run, const ClahePatch &patch, ClaheShared<Unit> &shared)
{
    Worker<Unit> worker(run, patch, shared);
    Unit units[AHEAD<Unit>], coming[AHEAD<Unit>];
    worker.load(units, 0);
    clahe_find_weights<Unit>(run, patch, shared);
    /* waits for the counts of the first kernel, which clahe_find_entries reads */
    IMG_AWAIT_PREVIOUS();
    clahe_find_entries<Unit>(run, patch, shared);
    const ClaheColumn<Unit> column(run, patch, shared, worker.place.column((int32_t)threadIdx.x));
    const int32_t rows = AHEAD<Unit> * worker.place.step;
    for (int32_t below = 0; below < worker.place.rows; below += rows) {
        worker.load(coming, below + rows);
        worker.make(column, shared.down, units, below);
#pragma unroll
        for (int k = 0; k < AHEAD<Unit>; k++)
            units[k] = coming[k];
    }
}

template <typename Unit> __global__ void __launch_bounds__(THREADS, 2) blend_kernel(ClaheRun run)
{
    IMG_SHARED(ClaheShared<Unit>, shared, [1]);
    const ClahePatch patch(run, Unit::PIXELS);
    if (!patch.is_empty())
        blend<Unit>(run, patch, shared[0]);
}

} // namespace

ImgStatus clahe_blend(const ImgCall *call, const ClaheRun &run, ImgError *err)
{
    const ClaheCuts &cuts = run.cuts;
    const int32_t patches =
        clahe_patches(&cuts, run.plan.across) * clahe_patches(&cuts, run.plan.down);
    const unsigned blocks = (unsigned)(patches * cuts.patch.chunks * cuts.patch.strips);
    ImgStatus status = with_samples(call->src.format, [&](auto sample, auto channels) {
        typedef ClaheUnit<decltype(sample), channels.VALUE> Unit;
        IMG_LAUNCH_EARLY(blend_kernel<Unit>, blocks, THREADS, 0, call->stream, run);
        return IMG_OK;
    });
    CUDA_TRY(cudaGetLastError(), err);
    return status;
}
