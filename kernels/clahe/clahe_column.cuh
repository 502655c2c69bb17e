/* Private to clahe's `cuda-fast`: computes the new pixels of one column of units; each thread has
 * one column. */
#ifndef IMGTOOL_KERNELS_CLAHE_CLAHE_COLUMN_CUH
#define IMGTOOL_KERNELS_CLAHE_CLAHE_COLUMN_CUH

#include "kernels/clahe/clahe_patch.cuh"

/* Data that a thread keeps in registers while it processes its column of units. */
template <typename Unit> struct ClaheColumn {
    typedef ClaheLookup<typename Unit::Sample> Lookup;
    static constexpr int FINE = 8 * (int)sizeof(typename Unit::Sample) - 8;
    /* table entries in shared memory, in the copy that this lane reads */
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
     * and 3. They select the lane's copy of the entries and, for pixels in the next cell, that
     * cell's entries. */
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
