/* Computes tables, ranges and levels from counts on the GPU, for 16-bit pictures, whose counts do
 * not fit one block. Rows of counts are divided into chunks, which are summed first. From these
 * sums, a block computes the number of samples before its chunk. The kernels spend most of their
 * time on starting, so each of them starts while the previous one still runs. */
#include "kernels/tone/cuda/tone_chunks.cuh"
#include "kernels/tone/cuda/tone_packed.cuh"

namespace
{

/* Byte offsets in the workspace. The counts, with as many rows as a histogram has, are at its
 * start. The memory for counting is last. */
struct Places {
    size_t tables, packed, sums, splits, ranges, level, counting;
};

Places places_of(ImgFormat format)
{
    size_t bins = (size_t)1 << format.bits, rows = (size_t)img_format_channels(format) + 1;
    Places at;
    at.tables = rows * bins * sizeof(Count);
    at.packed = at.tables + (3 * bins * sizeof(uint16_t) + 15) / 16 * 16;
    at.sums = at.packed + (format.bits == 16 ? PACKED_TABLES * PACKED_BYTES : 0);
    at.splits = at.sums + 3 * CHUNKS_MAX * sizeof(ChunkSum);
    at.ranges = at.splits + CHUNKS_MAX * sizeof(ImgSplit);
    at.level = at.ranges + 3 * sizeof(ToneRange);
    at.counting = (at.level + sizeof(uint32_t) + 15) / 16 * 16;
    return at;
}

/* Computes the sums of one chunk per block. */
__global__ void __launch_bounds__(CHUNK) sum_chunks_kernel(ChunkRow all, ChunkSum *sums)
{
    IMG_SHARED(BlockRoom, room, [1]);
    tone_let_next_start();
    IMG_AWAIT_PREVIOUS();
    int table = (int)blockIdx.x / all.chunks, chunk = (int)blockIdx.x % all.chunks;
    int value = chunk * CHUNK + (int)threadIdx.x;
    ChunkSum sum = sum_of_chunk(all.of_table(table).count(value), (uint64_t)value, room[0]);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

/* Computes one chunk of equalize's table per block. Thread t of each block reads the sum of chunk
 * t. */
__global__ void __launch_bounds__(CHUNK)
    equalize_table_kernel(ChunkRow all, uint16_t *tables, uint8_t *packed)
{
    IMG_SHARED(BlockRoom, room, [1]);
    IMG_SHARED(uint64_t, known, [1]); /* number of samples before this chunk */
    tone_let_next_start();
    IMG_AWAIT_PREVIOUS();
    int table = (int)blockIdx.x / all.chunks, chunk = (int)blockIdx.x % all.chunks;
    int thread = (int)threadIdx.x, value = chunk * CHUNK + thread;
    ChunkRow row = all.of_table(table);
    uint64_t count = row.count(value), total, unused;
    ChunkSum sum = row.sum(thread);
    uint64_t before = block_scan(sum.count, room[0], &total);
    uint64_t least = first_count(before, sum.count, sum.first, total, room[0]);
    if (thread == chunk)
        known[0] = before;
    uint64_t up_to = block_scan(count, room[0], &unused) + known[0] + count;
    if (value >= all.bins)
        return;
    uint32_t entry =
        least == total ? (uint32_t)value : equalized(up_to, least, total, (uint32_t)all.bins - 1);
    tables[(size_t)table * (size_t)all.bins + (size_t)value] = (uint16_t)entry;
    if (packed != nullptr)
        pack_entry(packed + (size_t)table * PACKED_BYTES, (uint32_t)value, entry);
}

/* Position at which the number of samples, counted from one end of a row, exceeds a limit: the
 * chunk, and the number of samples passed before this chunk. */
struct RowEnd {
    int chunk;
    uint64_t passed;
};

/* Finds the value in the chunk of `end` at which the number of samples exceeds `cut`. Counts from
 * the largest value down if `from_above`. */
__device__ void find_end(const ChunkRow &row, const RowEnd &end, bool from_above, uint64_t cut,
                         BlockRoom &room, uint32_t *value)
{
    int place = from_above ? CHUNK - 1 - (int)threadIdx.x : (int)threadIdx.x;
    int at = end.chunk * CHUNK + place;
    uint64_t count = row.count(at), unused;
    uint64_t before = end.passed + block_scan(count, room, &unused);
    if (before <= cut && cut < before + count)
        *value = (uint32_t)at;
}

/* Computes the range of one table per block. Thread t of each block reads the sum of chunk t. */
__global__ void __launch_bounds__(CHUNK)
    find_ranges_kernel(ChunkRow all, uint32_t clip, ToneRange *ranges)
{
    IMG_SHARED(BlockRoom, room, [1]);
    IMG_SHARED(RowEnd, ends, [2]);
    tone_let_next_start();
    IMG_AWAIT_PREVIOUS();
    ChunkRow row = all.of_table((int)blockIdx.x);
    uint64_t own = row.sum((int)threadIdx.x).count, total;
    uint64_t before = block_scan(own, room[0], &total);
    uint64_t cut = img_clipped_count(total, clip), above = total - before - own;
    if (before <= cut && cut < before + own)
        ends[0] = {(int)threadIdx.x, before};
    if (above <= cut && cut < above + own)
        ends[1] = {(int)threadIdx.x, above};
    __syncthreads();
    if (total > 0) {
        find_end(row, ends[0], false, cut, room[0], &room[0].ends[0]);
        find_end(row, ends[1], true, cut, room[0], &room[0].ends[1]);
        __syncthreads();
    }
    if (threadIdx.x > 0)
        return;
    bool stretches = total > 0 && room[0].ends[0] < room[0].ends[1];
    ranges[blockIdx.x] = stretches ? ToneRange{room[0].ends[0], room[0].ends[1]}
                                   : ToneRange{0, (uint32_t)all.bins - 1};
}

/* Counts one table per channel, with the kernels of the histogram. The first rows of a histogram
 * are the counts of the colour channels. The histogram's last kernel allows the kernel after it to
 * start, as IMG_LAUNCH_EARLY requires. */
ImgStatus count_each(const ImgCall *call, const ImgTonePlan &plan, Count *counts, void *workspace,
                     ImgError *err)
{
    ImgShape shape;
    ImgStatus status =
        img_measure_histogram.shape(img_view_shape(&call->src), &plan.counted, &shape, err);
    if (status != IMG_OK)
        return status;
    ImgCall counting = *call;
    counting.op = &img_measure_histogram;
    counting.params = &plan.counted;
    counting.workspace = workspace;
    counting.dst = img_view_make(counts, sizeof(Count) << plan.bits, shape);
    return img_histogram_cuda_fast(&counting, err);
}

/* Addresses of the parts of a call's workspace. */
struct ToneWorkspace {
    Count *counts;
    uint16_t *tables;
    uint8_t *packed; /* packed tables; NULL if there is only one table, or if tables are small */
    ChunkSum *sums;
    ImgSplit *splits;
    ToneRange *ranges;
    uint32_t *level;
    void *counting;
};

ToneWorkspace workspace_of(const ImgCall *call, const ImgTonePlan &plan)
{
    Places at = places_of(call->src.format);
    uint8_t *memory = static_cast<uint8_t *>(call->workspace);
    return {reinterpret_cast<Count *>(memory),
            reinterpret_cast<uint16_t *>(memory + at.tables),
            plan.bits == 16 && plan.tables > 1 ? memory + at.packed : nullptr,
            reinterpret_cast<ChunkSum *>(memory + at.sums),
            reinterpret_cast<ImgSplit *>(memory + at.splits),
            reinterpret_cast<ToneRange *>(memory + at.ranges),
            reinterpret_cast<uint32_t *>(memory + at.level),
            memory + at.counting};
}

ToneFound found_in(const ToneWorkspace &workspace)
{
    return {workspace.counts, workspace.tables, reinterpret_cast<uint4 *>(workspace.packed),
            workspace.ranges, workspace.level};
}

/* Counts how often each value occurs in the source. Sets *summed to true if this has also computed
 * the sums of the chunks (workspace.sums). */
ImgStatus count(const ImgCall *call, const ImgTonePlan &plan, const ToneWorkspace &workspace,
                bool *summed, ImgError *err)
{
    *summed = plan.tables == 1 && plan.bits == 16;
    if (plan.tables > 1)
        return count_each(call, plan, workspace.counts, workspace.counting, err);
    return *summed ? tone_count_words(call, plan, workspace.counts, workspace.sums,
                                      workspace.counting, err)
                   : tone_count_bytes(call, plan, workspace.counts, err);
}

} // namespace

size_t img_tone_cuda_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    const size_t copy = img_prepass_workspace(img_tone_prepass(op), src);
    src = img_prepass_shape(img_tone_prepass(op), src);
    ImgTonePlan plan = img_tone_plan(op, src.format, params);
    size_t counting = 0;
    if (plan.tables > 1)
        counting = img_histogram_cuda_workspace(&img_measure_histogram, src, &plan.counted);
    else if (plan.bits == 16)
        counting = tone_words_workspace();
    return copy + places_of(src.format).counting + counting;
}

ImgStatus tone_count(const ImgCall *call, const ImgTonePlan &plan, ToneFound *found, ImgError *err)
{
    ToneWorkspace workspace = workspace_of(call, plan);
    bool summed;
    *found = found_in(workspace);
    return count(call, plan, workspace, &summed, err);
}

ImgStatus tone_find(const ImgCall *call, const ImgTonePlan &plan, ToneFound *found, ImgError *err)
{
    ToneWorkspace workspace = workspace_of(call, plan);
    bool summed;
    *found = found_in(workspace);
    ImgStatus status = count(call, plan, workspace, &summed, err);
    if (status != IMG_OK)
        return status;
    int32_t bins = 1 << plan.bits, chunks = (bins + CHUNK - 1) / CHUNK;
    ChunkRow row = {workspace.counts, workspace.sums, bins, chunks};
    unsigned blocks = (unsigned)(plan.tables * chunks);
    if (!summed)
        IMG_LAUNCH_EARLY(sum_chunks_kernel, blocks, CHUNK, 0, call->stream, row, workspace.sums);
    if (plan.rule == IMG_TONE_EQUALIZE)
        IMG_LAUNCH_EARLY(equalize_table_kernel, blocks, CHUNK, 0, call->stream, row,
                         workspace.tables, workspace.packed);
    else if (plan.rule == IMG_TONE_STRETCH)
        IMG_LAUNCH_EARLY(find_ranges_kernel, (unsigned)plan.tables, CHUNK, 0, call->stream, row,
                         (uint32_t)plan.clip, workspace.ranges);
    else
        tone_find_level(row, workspace.splits, workspace.level, call->stream);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
