/* Finds the hash table's candidate for each position (match_rule.h, steps 1 and 2); match_choose.cu
 * then compares the candidates. A warp processes a chunk of positions, with the table in shared
 * memory. It first enters into the table the positions before the chunk to which matches may refer.
 *
 * For each group of 32 positions the lanes first look up, then enter; if several positions select
 * the same slot, the largest position stays. The bytes of the next batch (8 groups) are loaded
 * during the lookups of the current batch. */
#include "io/png/cuda/encode/encode_jobs.cuh"
#include "io/png/cuda/matches/match_job.h"
#include "kernels/core/cuda/cuda_launch.cuh"

namespace
{

constexpr uint32_t NO_SLOT = IMG_MATCH_SLOTS;
constexpr uint32_t GROUP = IMG_MATCH_GROUP, GROUPS = 8, BATCH = GROUPS * GROUP;
static_assert(GROUP == 32 && IMG_MATCH_COUNTED == GROUP, "a group is a warp's, and is counted");
static_assert(BATCH == IMG_MATCH_COUNTED_OF, "the first of a batch");

/* The aligned words that contain the eight bytes at a position, and the eight bytes one pixel
 * earlier. */
struct Raw {
    uint32_t here[GROUPS][3], before[GROUPS][3];
};

struct Walk {
    const uint8_t *data;
    uint32_t words, pixel;
    uint64_t factor;
};

__device__ void load_words(const uint8_t *bytes, uint32_t (&words)[3])
{
    const uint32_t *aligned = reinterpret_cast<const uint32_t *>(bytes - ((uintptr_t)bytes & 3));
#pragma unroll
    for (int i = 0; i < 3; i++)
        words[i] = aligned[i];
}

__device__ uint64_t join_words(const uint8_t *bytes, const uint32_t (&words)[3])
{
    const unsigned shift = 8 * (unsigned)((uintptr_t)bytes & 3);
    const uint32_t low = __funnelshift_r(words[0], words[1], shift);
    return (uint64_t)__funnelshift_r(words[1], words[2], shift) << 32 | low;
}

/* Returns the address of position `at`, but at most the last position at which eight bytes are
 * left. Values loaded for later positions are not used. The limit is faster than a branch: with
 * branches each load waits for the previous one. */
__device__ const uint8_t *bytes_at(const Walk &walk, uint32_t at)
{
    return walk.data + min(at, walk.words - 1);
}

__device__ const uint8_t *bytes_before(const Walk &walk, uint32_t at)
{
    const uint32_t place = min(at, walk.words - 1);
    return walk.data + place - (place >= walk.pixel ? walk.pixel : 0);
}

__device__ void load(const Walk &walk, uint32_t from, Raw *raw)
{
#pragma unroll
    for (uint32_t i = 0; i < GROUPS; i++) {
        const uint32_t at = from + i * GROUP + threadIdx.x;
        load_words(bytes_at(walk, at), raw->here[i]);
        load_words(bytes_before(walk, at), raw->before[i]);
    }
}

/* Computes the table slot of each position in the batch. Positions in runs and positions with fewer
 * than eight bytes left get NO_SLOT. Returns the byte at the lane's position in the first group. */
__device__ uint32_t find_slots(const Walk &walk, uint32_t from, const Raw &raw,
                               uint32_t (&slots)[GROUPS])
{
#pragma unroll
    for (uint32_t i = 0; i < GROUPS; i++) {
        const uint32_t at = from + i * GROUP + threadIdx.x;
        const uint64_t word = join_words(bytes_at(walk, at), raw.here[i]);
        const bool is_alike = join_words(bytes_before(walk, at), raw.before[i]) == word;
        const bool enters = at < walk.words && (at < walk.pixel || !is_alike);
        slots[i] = enters ? img_match_slot(word, walk.factor) : NO_SLOT;
    }
    return (uint32_t)join_words(bytes_at(walk, from + threadIdx.x), raw.here[0]) & 255;
}

/* Looks up, then enters the positions of each group in turn. On entry `found` holds the slot of
 * each position. On return it holds the contents that these slots had before the group was
 * entered. */
__device__ void look_up(uint32_t *slots, uint32_t from, uint32_t (&found)[GROUPS])
{
#pragma unroll
    for (uint32_t i = 0; i < GROUPS; i++) {
        const uint32_t slot = found[i];
        found[i] = slots[slot];
        __syncwarp();
        if (slot != NO_SLOT)
            atomicMax(slots + slot, from + i * GROUP + threadIdx.x + 1);
        __syncwarp();
    }
}

/* Finds the candidates; each warp handles `chunk` positions. A slot of the table holds a position
 * plus one, or 0 if it is empty. The slot NO_SLOT is always empty. */
template <typename Jobs>
__global__ void __launch_bounds__(32) find_kernel(Jobs jobs, uint32_t chunk)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(uint32_t, slots, [IMG_MATCH_SLOTS + 1]);
    const MatchJob &job = jobs.get();
    if (blockIdx.y >= job.count)
        return;
    const MatchUnit unit = job.units[blockIdx.y];
    const uint32_t from = blockIdx.x * chunk, end = min(from + chunk, unit.size);
    if (from >= unit.size)
        return;
    const Walk walk = {unit.data, max(match_words(unit.size), 1u), job.rows.pixel,
                       img_match_factor(job.rows.hashed)};
    const uint32_t start = from < IMG_MATCH_REACH ? 0 : from - IMG_MATCH_REACH;
    uint16_t *back = job.back + (size_t)unit.first_segment * IMG_MATCH_SEGMENT;
    Raw raw = {};
    load(walk, start, &raw);
    for (uint32_t i = threadIdx.x; i <= IMG_MATCH_SLOTS; i += 32)
        slots[i] = 0;
    __syncwarp();
    for (uint32_t batch = start; batch < end; batch += BATCH) {
        const bool wanted = batch >= from;
        uint32_t found[GROUPS];
        const uint32_t byte = find_slots(walk, batch, raw, found);
        load(walk, batch + BATCH, &raw);
        if (wanted && found[0] != NO_SLOT)
            atomicAdd(job.literals + 256 * blockIdx.y + byte, 1u);
        look_up(slots, batch, found);
#pragma unroll
        for (uint32_t i = 0; i < GROUPS; i++) {
            const uint32_t at = batch + i * GROUP + threadIdx.x, distance = at + 1 - found[i];
            if (wanted && at < unit.size)
                back[at] = found[i] > 0 && distance <= IMG_MATCH_REACH ? (uint16_t)distance : 0;
        }
    }
}

} // namespace

/* Chooses the size of the chunks of positions that warps process. Each warp first enters up to 32
 * KB of positions before its chunk, so larger chunks repeat less of this work. But larger chunks
 * are fewer, so fewer warps run in parallel. An H200 runs ROOM chunks at once. */
void img_match_find(const MatchBatch *batch, void *stream)
{
    constexpr uint32_t LEAST = 1 << 13, MOST = 3 << 14, ROOM = 750;
    const uint64_t each = batch->positions / ROOM;
    const uint32_t chunk = each < LEAST  ? LEAST
                           : each > MOST ? MOST
                                         : (uint32_t)each / BATCH * BATCH;
    const dim3 grid((batch->most + chunk - 1) / chunk, batch->units, batch->count);
    with_jobs(batch->one, batch->many, batch->stride, [&](auto jobs) {
        IMG_LAUNCH_EARLY(find_kernel<decltype(jobs)>, grid, 32, 0, stream, jobs, chunk);
    });
}
