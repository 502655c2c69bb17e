/* Private to clahe's `cuda-fast`: the patch of a block, and the new pixels of one column of units.
 * Each thread has one column. */
#ifndef IMGTOOL_KERNELS_CLAHE_CUDA_CLAHE_COLUMN_CUH
#define IMGTOOL_KERNELS_CLAHE_CUDA_CLAHE_COLUMN_CUH

#include "kernels/clahe/cuda/clahe_tables.cuh"

/* --- Patches ---------------------------------------------------------------------------------- */

/* A patch is the part of the picture that one block of the last kernel computes. This section finds
 * the patch of a block, and lays out the shared memory of the block. */

/* Position of a patch: a range of units (clahe_fast.cuh) and a range of rows, within the cell
 * (cell_x, cell_y). `next_x` is the first column of the next cell to the right. */
struct ClahePatch {
    ClaheRange units, rows;
    int32_t cell_x, cell_y, next_x;

    /* Determines the patch of this block. The blocks with the lowest indices take the last patches.
     * The counting kernel read the pixels of these patches last, so they are still in the
     * second-level cache. */
    __device__ ClahePatch(const ClaheRun &run, int unit_pixels)
    {
        const ClaheCut cut = run.cuts.patch;
        const uint32_t chunks = (uint32_t)cut.chunks, strips = (uint32_t)cut.strips;
        const uint32_t across = (uint32_t)clahe_patches(&run.cuts, run.plan.across);
        const uint32_t block = gridDim.x - 1 - blockIdx.x, whole = block / (chunks * strips);
        const uint32_t within = block % (chunks * strips), x = whole % across, y = whole / across;
        const ClaheRange columns = piece(run, run.border_x, run.plan.across, x);
        units.first = clahe_units(columns.first, unit_pixels);
        units.end = clahe_units(columns.end, unit_pixels);
        units = clahe_part(units, (int32_t)(within / strips), cut.chunks);
        rows = piece(run, run.border_y, run.plan.down, y);
        rows = clahe_part(rows, (int32_t)(within % strips), cut.strips);
        cell_x = (int32_t)(run.cuts.cells ? x : (x + 1) / 2);
        cell_y = (int32_t)(run.cuts.cells ? y : (y + 1) / 2);
        next_x = cell_x < run.plan.across ? clahe_middle(run.border_x, cell_x) : INT32_MAX;
    }

    __device__ bool is_empty() const
    {
        return units.first == units.end || rows.first == rows.end;
    }

    /* Returns the range of pixels of piece `i` along an axis. If `cuts.cells` is true, the piece is
     * a cell. Otherwise it is half of a tile. */
    static __device__ ClaheRange piece(const ClaheRun &run, const int32_t *borders, int32_t tiles,
                                       uint32_t i)
    {
        const int32_t tile = (int32_t)i;
        if (run.cuts.cells)
            return {tile > 0 ? clahe_middle(borders, tile - 1) : 0,
                    tile < tiles ? clahe_middle(borders, tile) : borders[tiles]};
        const int32_t middle = clahe_middle(borders, tile / 2);
        return i % 2 == 0 ? ClaheRange{borders[tile / 2], middle}
                          : ClaheRange{middle, borders[tile / 2 + 1]};
    }
};

template <typename Unit> struct ClaheShared {
    typedef ClaheLookup<typename Unit::Sample> Lookup;
    /* number of 16-byte pieces that a warp stages in shared memory */
    static constexpr int STAGED = Unit::PIECES > 1 ? CLAHE_LANES *Unit::PIECES : 1;
    alignas(16) typename Lookup::Entry entries[CLAHE_CELLS * CLAHE_BINS * Lookup::COPIES];
    uint4 staged[CLAHE_PATCH_THREADS / CLAHE_LANES][STAGED];
    uint4 tables[CLAHE_TILES_AROUND][CLAHE_LANES];
    uint4 across[CLAHE_COLUMNS_MAX / 4];
    uint32_t down[CLAHE_ROWS_MAX];
};

/* Computes the weights of all columns and rows of the patch. */
template <typename Unit>
__device__ void clahe_find_weights(const ClaheRun &run, const ClahePatch &patch,
                                   ClaheShared<Unit> &shared)
{
    const ImgClahePlan &plan = run.plan;
    const int32_t columns = (patch.units.end - patch.units.first) * Unit::PIXELS;
    const int32_t left = patch.units.first * Unit::PIXELS;
    uint32_t *across = reinterpret_cast<uint32_t *>(shared.across);
#pragma unroll 1
    for (int32_t i = (int32_t)threadIdx.x; i < columns; i += CLAHE_PATCH_THREADS) {
        const int32_t x = min(left + i, plan.width - 1);
        const int32_t cell = patch.cell_x + (x >= patch.next_x ? 1 : 0);
        across[i] = ClaheShared<Unit>::Lookup::weight(
            clahe_weight(run.border_x, cell, run.slope_x[cell], x, plan.weight_bits));
    }
    static_assert((int)CLAHE_PATCH_THREADS >= (int)CLAHE_ROWS_MAX, "a thread per row");
    const int32_t row = (int32_t)threadIdx.x;
    if (row < patch.rows.end - patch.rows.first)
        shared.down[row] = clahe_weight(run.border_y, patch.cell_y, run.slope_y[patch.cell_y],
                                        patch.rows.first + row, plan.weight_bits);
}

/* Finds the tables of the tiles around the patch, with one warp per table. Then all threads store
 * the entries in shared memory in the order of ClaheLookup. */
template <typename Unit>
__device__ void clahe_find_entries(const ClaheRun &run, const ClahePatch &patch,
                                   ClaheShared<Unit> &shared)
{
    constexpr int COPIES = ClaheShared<Unit>::Lookup::COPIES;
    const int32_t warp = (int32_t)threadIdx.x / CLAHE_LANES;
    if (warp < CLAHE_TILES_AROUND) {
        const int32_t i = patch.cell_x - 1 + warp % CLAHE_TILES_ACROSS;
        const int32_t j = patch.cell_y - 1 + warp / CLAHE_TILES_ACROSS;
        const int32_t column = min(max(i, 0), run.plan.across - 1);
        const int32_t row = min(max(j, 0), run.plan.down - 1);
        shared.tables[warp][threadIdx.x % CLAHE_LANES] =
            clahe_find_table(run, row * run.plan.across + column);
    }
    __syncthreads();
    const uint16_t(*tables)[CLAHE_BINS] =
        reinterpret_cast<const uint16_t(*)[CLAHE_BINS]>(shared.tables);
#pragma unroll
    for (int i = (int)threadIdx.x; i < CLAHE_CELLS * CLAHE_BINS; i += CLAHE_PATCH_THREADS) {
        const auto entry = ClaheShared<Unit>::Lookup::entry(tables, i / CLAHE_BINS, i % CLAHE_BINS);
#pragma unroll
        for (int copy = 0; copy < COPIES; copy++)
            shared.entries[i * COPIES + copy] = entry;
    }
    __syncthreads();
}

/* --- Columns ---------------------------------------------------------------------------------- */

/* Data that a thread keeps in registers while it processes its column of units. */
template <typename Unit> struct ClaheColumn {
    typedef ClaheLookup<typename Unit::Sample> Lookup;
    static constexpr int FINE = 8 * (int)sizeof(typename Unit::Sample) - 8;
    /* table entries in shared memory; there are several copies in different banks, and this is the
     * copy that the lane reads */
    const typename Lookup::Entry *entries;
    ClaheLuma luma;
    int32_t maximum;
    /* horizontal weight of each pixel, and a mask of the pixels that lie in the next cell */
    uint32_t across[Unit::PIXELS], beyond;

    __device__ ClaheColumn(const ClaheRun &run, const ClahePatch &patch,
                           const ClaheShared<Unit> &shared, int32_t column)
        : entries(shared.entries + threadIdx.x % Lookup::COPIES), luma(run.luma),
          maximum((1 << run.plan.bits) - 1), beyond(0)
    {
        const uint32_t *from = reinterpret_cast<const uint32_t *>(shared.across);
        const int32_t first = (patch.units.first + column) * Unit::PIXELS;
#pragma unroll
        for (int p = 0; p < Unit::PIXELS; p++) {
            across[p] = from[column * Unit::PIXELS + p];
            beyond |= first + p >= patch.next_x ? 1U << p : 0;
        }
    }

    __device__ void change(const Unit &in, uint32_t down, Unit &out) const
    {
#pragma unroll
        for (int p = 0; p < Unit::PIXELS; p++) {
            const uint32_t bright = in.brightness(luma, p);
            const uint32_t index = (beyond >> p & 1) * CLAHE_BINS + (bright >> FINE);
            const auto entry = entries[index * Lookup::COPIES];
            const uint32_t value = Lookup::blended(entry, bright, across[p], down) >> Lookup::SHIFT;
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
};

/* ClaheColumn for 8-bit gray, the format with the most pixels per byte. It computes two offsets of
 * entries at once: from the even bytes of a word, and from its odd bytes. */
template <> struct ClaheColumn<ClaheUnit<uint8_t, 1>> {
    typedef ClaheUnit<uint8_t, 1> Unit;
    typedef ClaheLookup<uint8_t> Lookup;
    /* log2 of the distance between two bins' entries, in bytes */
    static constexpr int SHIFT = 4;
    static constexpr uint32_t LOW = 0xff0; /* bits of an offset that select the bin */
    static_assert(sizeof(uint32_t) * Lookup::COPIES == 1 << SHIFT, "the size of a bin's entries");
    const uint8_t *entries;
    /* Numbers that are added to the offsets: `even` for bytes 0 and 2 of a word, `odd` for bytes 1
     * and 3. They select the copy of the entries that the lane reads. For pixels in the next cell,
     * they also select the entries of that cell. */
    uint32_t even[Unit::WORDS], odd[Unit::WORDS];
    uint32_t across[Unit::PIXELS];

    __device__ ClaheColumn(const ClaheRun &, const ClahePatch &patch,
                           const ClaheShared<Unit> &shared, int32_t column)
        : entries(reinterpret_cast<const uint8_t *>(shared.entries))
    {
        const uint32_t *from = reinterpret_cast<const uint32_t *>(shared.across);
        const int32_t first = (patch.units.first + column) * Unit::PIXELS;
        const uint32_t lane = threadIdx.x % Lookup::COPIES * (uint32_t)sizeof(uint32_t);
        auto more = [&](int p) {
            return lane | (first + p >= patch.next_x ? (uint32_t)CLAHE_BINS << SHIFT : 0U);
        };
#pragma unroll
        for (int p = 0; p < Unit::PIXELS; p++)
            across[p] = from[column * Unit::PIXELS + p];
#pragma unroll
        for (int i = 0; i < Unit::WORDS; i++) {
            even[i] = more(4 * i) | more(4 * i + 2) << 16;
            odd[i] = more(4 * i + 1) | more(4 * i + 3) << 16;
        }
    }

    /* Returns a word whose top byte is the new value of a pixel. `offset` is the byte offset of the
     * pixel's table entry. */
    __device__ uint32_t sum(uint32_t offset, uint32_t across_of_pixel, uint32_t down) const
    {
        const uint32_t entry = *reinterpret_cast<const uint32_t *>(entries + offset);
        return Lookup::blended(entry, 0, across_of_pixel, down);
    }

    __device__ void change(const Unit &in, uint32_t down, Unit &out) const
    {
        constexpr uint32_t OFFSETS = LOW | LOW << 16, FIRST = 0xffff;
#pragma unroll
        for (int i = 0; i < Unit::WORDS; i++) {
            const uint32_t of_even = (in.words[i] << SHIFT & OFFSETS) | even[i];
            const uint32_t of_odd = (in.words[i] >> (8 - SHIFT) & OFFSETS) | odd[i];
            const uint32_t *weights = across + 4 * i;
            const uint32_t pair = __byte_perm(sum(of_even & FIRST, weights[0], down),
                                              sum(of_odd & FIRST, weights[1], down), 0x0073);
            out.words[i] = __byte_perm(__byte_perm(sum(of_even >> 16, weights[2], down),
                                                   sum(of_odd >> 16, weights[3], down), 0x0073),
                                       pair, 0x1054);
        }
    }
};

#endif
