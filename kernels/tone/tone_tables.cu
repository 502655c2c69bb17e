/* From counts to tables on the GPU. Rows of counts are divided into chunks; one small kernel sums
 * each chunk, and a second gives a block to each chunk again, which learns from the sums where it
 * stands. At 8 bits there is one chunk, at 16 there are 64: two launches, each row read two or
 * three times, from the second-level cache. Start-up is what limits them. */
#include "kernels/tone/tone_chunks.cuh"

namespace
{

/* The workspace: counts of up to five rows at its start; where the rest lies in it, in bytes, what
 * the histogram needs for itself last. */
struct Places {
    size_t tables, sums, splits, level, counting;
};

Places places_of(ImgFormat format)
{
    size_t bins = (size_t)1 << format.bits, rows = (size_t)img_format_channels(format) + 1;
    Places at;
    at.tables = rows * bins * sizeof(uint64_t);
    at.sums = at.tables + (3 * bins * sizeof(uint16_t) + 15) / 16 * 16;
    at.splits = at.sums + 3 * CHUNKS_MAX * sizeof(ChunkSum);
    at.level = at.splits + CHUNKS_MAX * sizeof(ImgSplit);
    at.counting = at.level + 16;
    return at;
}

/* The entries of PER_THREAD values, as many as there are. Eight at a time. */
__device__ void store_entries(uint16_t *table, int start, int bins,
                              const uint32_t (&entries)[PER_THREAD])
{
    if (start + PER_THREAD > bins) {
        for (int i = 0; start + i < bins; i++)
            table[start + i] = (uint16_t)entries[i];
        return;
    }
#pragma unroll
    for (int i = 0; i < PER_THREAD; i += 8)
        *reinterpret_cast<uint4 *>(table + start + i) = make_uint4(
            entries[i] | entries[i + 1] << 16, entries[i + 2] | entries[i + 3] << 16,
            entries[i + 4] | entries[i + 5] << 16, entries[i + 6] | entries[i + 7] << 16);
}

__device__ uint64_t warp_sum(uint64_t value)
{
    for (int away = 16; away > 0; away /= 2)
        value += __shfl_xor_sync(0xffffffff, value, away);
    return value;
}

/* One block per chunk, neighbouring bins for each thread. */
__global__ void __launch_bounds__(THREADS) sum_chunks_kernel(CountRows all, ChunkSum *out)
{
    IMG_SHARED(uint64_t, scanned, [WARPS]);
    IMG_SHARED(uint64_t, moments, [WARPS]);
    IMG_SHARED(uint64_t, first, [1]);
    int table = (int)blockIdx.x / all.chunks, chunk = (int)blockIdx.x % all.chunks;
    CountRows rows = all.of_table(table);
    int start = chunk * CHUNK + (int)threadIdx.x * PER_THREAD;
    uint64_t counts[PER_THREAD], count = 0, moment = 0, least = 0;
    rows.load(start, counts);
    for (int i = 0; i < PER_THREAD; i++) {
        least = count == 0 ? counts[i] : least;
        count += counts[i];
        moment += counts[i] * (uint64_t)(start + i);
    }
    if (threadIdx.x == 0)
        first[0] = 0;
    uint64_t total, before = block_scan(count, scanned, &total);
    moment = warp_sum(moment);
    if (threadIdx.x % 32 == 0)
        moments[threadIdx.x / 32] = moment;
    if (before == 0 && count > 0) /* one thread at most */
        first[0] = least;
    __syncthreads();
    if (threadIdx.x == 0) {
        uint64_t sum = 0;
        for (int i = 0; i < WARPS; i++)
            sum += moments[i];
        out[blockIdx.x] = {total, sum, first[0]};
    }
}

__global__ void __launch_bounds__(THREADS)
    equalize_table_kernel(CountRows all, const ChunkSum *sums, uint16_t *tables)
{
    IMG_SHARED(uint64_t, scanned, [WARPS]);
    IMG_SHARED(uint64_t, known, [2]); /* samples before this chunk; those of the least value */
    int table = (int)blockIdx.x / all.chunks, chunk = (int)blockIdx.x % all.chunks;
    CountRows rows = all.of_table(table);
    sums += table * all.chunks;
    if (threadIdx.x == 0)
        known[1] = 0;
    Standing at = stand(sums, all.chunks, scanned);
    if ((int)threadIdx.x == chunk)
        known[0] = at.before;
    if (at.before == 0 && at.count > 0)
        known[1] = sums[threadIdx.x].first;
    int start = chunk * CHUNK + (int)threadIdx.x * PER_THREAD;
    uint64_t counts[PER_THREAD], own = 0, unused;
    rows.load(start, counts);
    for (int i = 0; i < PER_THREAD; i++)
        own += counts[i];
    uint64_t below = block_scan(own, scanned, &unused) + known[0], least = known[1];
    uint32_t entries[PER_THREAD];
    for (int i = 0; i < PER_THREAD; i++) {
        below += counts[i];
        entries[i] = least == at.total
                         ? (uint32_t)(start + i)
                         : img_equalized(below, least, at.total, (uint32_t)all.bins - 1);
    }
    store_entries(tables + table * all.bins, start, all.bins, entries);
}

/* The value of `chunk` at which the samples counted from `before` on pass `cut`; with `from_above`,
 * `before` and the count come from the greatest value down. One thread writes it. */
__device__ void find_value(const CountRows &rows, int chunk, uint64_t before, uint64_t cut,
                           bool from_above, uint64_t (&scanned)[WARPS], int *value)
{
    int place = (int)threadIdx.x * PER_THREAD;
    int start = chunk * CHUNK + (from_above ? CHUNK - PER_THREAD - place : place);
    uint64_t counts[PER_THREAD], own = 0, unused;
    rows.load(start, counts);
    for (int i = 0; i < PER_THREAD; i++)
        own += counts[i];
    before += block_scan(own, scanned, &unused);
    for (int i = 0; i < PER_THREAD; i++) {
        int at = from_above ? PER_THREAD - 1 - i : i;
        if (before <= cut && cut < before + counts[at])
            *value = start + at;
        before += counts[at];
    }
}

__global__ void __launch_bounds__(THREADS)
    stretch_table_kernel(CountRows all, const ChunkSum *sums, uint32_t clip, uint16_t *tables)
{
    IMG_SHARED(uint64_t, scanned, [WARPS]);
    IMG_SHARED(uint64_t, before, [2]); /* the chunks of low and of high */
    IMG_SHARED(int, chunks, [2]);
    IMG_SHARED(int, values, [2]);
    int table = (int)blockIdx.x / all.chunks, chunk = (int)blockIdx.x % all.chunks;
    CountRows rows = all.of_table(table);
    Standing at = stand(sums + table * all.chunks, all.chunks, scanned);
    uint64_t cut = img_clipped_count(at.total, clip);
    uint64_t above = at.total - at.before - at.count;
    if (threadIdx.x < 2) { /* where nothing counts: no range */
        before[threadIdx.x] = 0;
        chunks[threadIdx.x] = 0;
        values[threadIdx.x] = 0;
    }
    __syncthreads();
    if (at.before <= cut && cut < at.before + at.count) {
        chunks[0] = (int)threadIdx.x;
        before[0] = at.before;
    }
    if (above <= cut && cut < above + at.count) {
        chunks[1] = (int)threadIdx.x;
        before[1] = above;
    }
    __syncthreads();
    find_value(rows, chunks[0], before[0], cut, false, scanned, &values[0]);
    find_value(rows, chunks[1], before[1], cut, true, scanned, &values[1]);
    __syncthreads();
    uint32_t low = (uint32_t)values[0], high = (uint32_t)values[1];
    int start = chunk * CHUNK + (int)threadIdx.x * PER_THREAD;
    uint32_t entries[PER_THREAD];
    for (int i = 0; i < PER_THREAD; i++) {
        uint32_t value = (uint32_t)(start + i);
        entries[i] = low < high ? img_stretched(value, low, high, (uint32_t)all.bins - 1) : value;
    }
    store_entries(tables + table * all.bins, start, all.bins, entries);
}

ImgStatus count_samples(const ImgCall *call, const ImgTonePlan &plan, uint64_t *counts,
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
    counting.workspace =
        static_cast<uint8_t *>(call->workspace) + places_of(call->src.format).counting;
    counting.dst = img_view_make(counts, sizeof(uint64_t) << plan.bits, shape);
    return img_histogram_cuda_fast(&counting, err);
}

} // namespace

size_t img_tone_cuda_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    ImgTonePlan plan = img_tone_plan(op, src.format, params);
    return places_of(src.format).counting +
           img_histogram_cuda_workspace(&img_measure_histogram, src, &plan.counted);
}

ImgStatus tone_make_tables(const ImgCall *call, const ImgTonePlan &plan, ToneTables *made,
                           ImgError *err)
{
    Places at = places_of(call->src.format);
    uint8_t *memory = static_cast<uint8_t *>(call->workspace);
    uint64_t *counts = reinterpret_cast<uint64_t *>(memory);
    uint16_t *tables = reinterpret_cast<uint16_t *>(memory + at.tables);
    ChunkSum *sums = reinterpret_cast<ChunkSum *>(memory + at.sums);
    ImgSplit *splits = reinterpret_cast<ImgSplit *>(memory + at.splits);
    uint32_t *level = reinterpret_cast<uint32_t *>(memory + at.level);
    *made = {tables, level};
    ImgStatus status = count_samples(call, plan, counts, err);
    if (status != IMG_OK)
        return status;
    int32_t bins = 1 << plan.bits, chunks = (bins + CHUNK - 1) / CHUNK;
    CountRows rows = {counts + (size_t)plan.first_row * (size_t)bins, bins, chunks, plan.summed};
    unsigned blocks = (unsigned)(plan.tables * chunks);
    IMG_LAUNCH(sum_chunks_kernel, blocks, THREADS, 0, call->stream, rows, sums);
    if (plan.rule == IMG_TONE_EQUALIZE)
        IMG_LAUNCH(equalize_table_kernel, blocks, THREADS, 0, call->stream, rows, sums, tables);
    else if (plan.rule == IMG_TONE_STRETCH)
        IMG_LAUNCH(stretch_table_kernel, blocks, THREADS, 0, call->stream, rows, sums,
                   (uint32_t)plan.clip, tables);
    else
        tone_find_otsu_level(rows, sums, splits, level, call->stream);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
