/* First of three kernels that compute the "far" box on CUDA (boxblur with a large radius):
 * computes, for each cell of the picture (a rectangle, see box_far.cuh), the sums of its columns
 * and the sums of its rows. Before it, another kernel prepares the pieces of rows beyond the
 * edges. */
#include "kernels/blur/cuda/box_far.cuh"
#include "kernels/core/cuda/cuda_util.h"

/* --- The sum of each column and of each row of a cell ----------------------------------------- */

/* The column sums of a lane. Sums of 8-bit samples have 16 bits, two per word. For each word of the
 * picture, that is, four samples, the first word has the sums of samples 0 and 2, the second those
 * of samples 1 and 3. */
template <typename G> struct ColumnSums {
    static constexpr int COUNT = G::SIZE == 1 ? G::WORDS * 2 : G::SAMPLES;
    uint32_t sum[COUNT];

    __device__ void add(const uint32_t (&words)[G::WORDS], uint32_t times)
    {
#pragma unroll
        for (int i = 0; i < G::WORDS; i++) {
            const uint32_t mask = G::SIZE == 1 ? 0x00ff00ff : 0xffff;
            sum[2 * i] += (words[i] & mask) * times;
            sum[2 * i + 1] +=
                (G::SIZE == 1 ? __byte_perm(words[i], 0, 0x4341) : words[i] >> 16) * times;
        }
    }
    __device__ void put(uint8_t *to) const
    {
        uint2 *pairs = reinterpret_cast<uint2 *>(to);
#pragma unroll
        for (int i = 0; i < COUNT / 2; i++)
            pairs[i] = G::SIZE == 1 ? make_uint2(__byte_perm(sum[2 * i], sum[2 * i + 1], 0x5410),
                                                 __byte_perm(sum[2 * i], sum[2 * i + 1], 0x7632))
                                    : make_uint2(sum[2 * i], sum[2 * i + 1]);
    }
};

/* Returns the factors of a dot product, 0 or 1 for each sample, that select the samples of channel
 * `c` in word number `word` of a lane. */
template <typename G> IMG_HOST_DEVICE constexpr uint32_t factors_of(int word, int c)
{
    uint32_t factors = 0;
    for (int i = 0; i < G::PER_WORD; i++)
        factors |= (uint32_t)((word * G::PER_WORD + i) % G::CHANNELS == c) << 8 * i;
    return factors;
}

template <typename G>
__device__ inline uint32_t sum_of_channel(const uint32_t (&words)[G::WORDS], int c)
{
    uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < G::WORDS; i++)
        sum = G::SIZE == 1 ? __dp4a(words[i], factors_of<G>(i, c), sum)
                           : __dp2a_lo(words[i], factors_of<G>(i, c), sum);
    return sum;
}

/* Returns the sum of `own` over all lanes of a warp, modulo 2^32. GPUs before sm_80 lack the
 * instruction for this sum and need a loop. */
__device__ inline uint32_t sum_of_lanes(uint32_t own)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, own);
#else
#pragma unroll
    for (int beside = BOX_LANES / 2; beside > 0; beside /= 2)
        own += __shfl_xor_sync(~0u, own, beside);
    return own;
#endif
}

/* The row sums of a cell: over all columns, and over the first `cut` columns. Lane i keeps the sums
 * of row i out of each 32 rows, until `put` stores these 32 rows. If both sums fit in 16 bits, they
 * are added as one number. */
template <typename G> struct RowSums {
    static constexpr bool IS_PAIR = G::STRIP * 255 < 65536 && G::SIZE == 1;
    static constexpr int EACH = IS_PAIR ? 1 : 2, COUNT = EACH * G::CHANNELS;
    /* masks that select the samples of the first `cut` columns of a cell */
    uint32_t masks[G::WORDS];
    uint32_t kept[COUNT];

    __device__ RowSums(int32_t cut)
    {
        const int lane = (int)threadIdx.x % BOX_LANES;
        const int32_t bytes = (cut - lane * G::PIXELS) * G::PIXEL;
#pragma unroll
        for (int i = 0; i < G::WORDS; i++) {
            const int32_t some = bytes - 4 * i;
            masks[i] = some >= 4 ? ~0u : some <= 0 ? 0 : (1u << 8 * some) - 1;
        }
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            kept[i] = 0;
    }
    __device__ void add(const uint32_t (&words)[G::WORDS], int32_t row)
    {
        const bool is_mine = (int)threadIdx.x % BOX_LANES == row % BOX_LANES;
        uint32_t before[G::WORDS];
#pragma unroll
        for (int i = 0; i < G::WORDS; i++)
            before[i] = words[i] & masks[i];
#pragma unroll
        for (int c = 0; c < G::CHANNELS; c++) {
            const uint32_t own = sum_of_channel<G>(words, c);
            uint32_t some = sum_of_channel<G>(before, c);
            some = sum_of_lanes(IS_PAIR ? some << 16 | own : some);
            kept[EACH * c] = is_mine ? some : kept[EACH * c];
            if (IS_PAIR)
                continue;
            const uint32_t all = sum_of_lanes(own);
            kept[(EACH * c + 1) % COUNT] = is_mine ? all : kept[(EACH * c + 1) % COUNT];
        }
    }
    /* Stores the sums of `count` rows from row `first` on, except rows outside the picture, which
     * has `height` rows. */
    __device__ void put(uint32_t *to, int32_t first, int32_t count, int32_t height) const
    {
        const int lane = (int)threadIdx.x % BOX_LANES;
        const int32_t y = first + lane;
        if (lane >= count || y < 0 || y >= height)
            return;
#pragma unroll
        for (int c = 0; c < G::CHANNELS; c++) {
            const uint32_t some = kept[EACH * c];
            to[(size_t)(2 * c) * height + y] =
                IS_PAIR ? some & 0xffff : kept[(EACH * c + 1) % COUNT];
            to[(size_t)(2 * c + 1) * height + y] = IS_PAIR ? some >> 16 : some;
        }
    }
};

namespace
{

constexpr int THREADS = 128, WARPS = THREADS / BOX_LANES;
constexpr int AHEAD = 4; /* rows that a warp keeps in shared memory; must be a power of two */

/* Loads the pixels of a lane into `words`. The pixels begin `at` bytes after the start of the row
 * that the warp has copied to shared memory. */
template <typename G>
__device__ inline void load_words(const uint8_t *copy, int32_t at, uint32_t (&words)[G::WORDS])
{
    const uint32_t *from = reinterpret_cast<const uint32_t *>(copy + (at & ~3));
    uint32_t word = from[0];
#pragma unroll
    for (int i = 0; i < G::WORDS; i++) {
        const uint32_t next = i + 1 < G::WORDS || at % 4 != 0 ? from[i + 1] : 0;
        words[i] = __funnelshift_r(word, next, at % 4 * 8);
        word = next;
    }
}

template <typename G> __device__ void add_cell(const BoxFarTask &task, int32_t cell, int32_t band)
{
    typedef BoxRange<G> Range;
    IMG_SHARED(uint4, memory, [WARPS][AHEAD][Range::PIECES]);
    uint8_t *own = reinterpret_cast<uint8_t *>(memory[threadIdx.x / BOX_LANES]);
    const BoxFarPlan &plan = task.plan;
    const int32_t place = cell * BOX_LANES + (int32_t)threadIdx.x % BOX_LANES;
    const int32_t x =
        box_right_column((cell - plan.across.back) * BOX_LANES, G::PIXELS, task.box.radius);
    const int32_t top = (band + plan.first_band) * plan.down.size + task.box.radius;
    const int32_t height = task.src.height, rows = plan.down.size, cut = plan.down.cut;
    const bool is_outside = plan.repeats && (top >= height || top + rows <= 0);
    const int32_t at =
        box_rest(x * G::PIXEL, BOX_PIECE) + (int32_t)threadIdx.x % BOX_LANES * G::BYTES;
    const Range range(task, x);
    /* Wait for the kernel that copies the pixels beyond the picture, if this cell needs them. The
     * first cell always needs them. So the copies are complete when this kernel ends, and later
     * kernels need not wait for them. */
    if (range.first < 0 || range.first + Range::PIECES > plan.right_first ||
        task.box.border == IMG_BORDER_CONSTANT)
        IMG_AWAIT_PREVIOUS();
    const bool is_inside = top >= 0 && top + rows <= height;
    const int32_t count = is_outside ? 1 : rows;
    const auto copy = [&](int32_t row) {
        uint8_t *copied = own + (row & (AHEAD - 1)) * Range::BYTES;
        const int32_t line = is_inside ? top + row : box_place(top + row, height, task.box.border);
        if (row < count && line < 0)
            range.copy_background(task, copied);
        else if (row < count)
            range.copy(line, copied);
        end_copy_group();
    };
    uint8_t *to =
        task.parts + ((size_t)band * plan.samples + (size_t)place * G::SAMPLES) * (2 * G::SIZE);
    uint8_t *some_to = to + plan.parts_bytes;
    uint32_t *sums_of_rows = task.rows + (size_t)cell * (2 * G::CHANNELS) * height;
    ColumnSums<G> sums = {};
    RowSums<G> of_rows(plan.across.cut);
#pragma unroll
    for (int i = 0; i + 1 < AHEAD; i++)
        copy(i);
    if (cut == 0)
        sums.put(some_to);
#pragma unroll 1
    for (int32_t row = 0; row < count; row++) {
        uint32_t words[G::WORDS];
        await_all_but<AHEAD - 2>();
        __syncwarp();
        copy(row + AHEAD - 1);
        load_words<G>(own + (row & (AHEAD - 1)) * Range::BYTES, at, words);
        if (is_outside) {
            sums.add(words, (uint32_t)cut);
            sums.put(some_to);
            sums.add(words, (uint32_t)(rows - cut));
            break;
        }
        sums.add(words, 1);
        of_rows.add(words, row);
        if (row + 1 == cut)
            sums.put(some_to);
        if (row % BOX_LANES == BOX_LANES - 1 || row + 1 == rows) {
            const int32_t first = row / BOX_LANES * BOX_LANES;
            of_rows.put(sums_of_rows, top + first, row + 1 - first, height);
        }
    }
    sums.put(to);
}

template <typename G> __global__ void __launch_bounds__(THREADS) cells_kernel(BoxFarTask task)
{
    const uint32_t cells = (uint32_t)(task.plan.across.count + task.plan.across.back);
    const uint32_t warp = blockIdx.x * WARPS + threadIdx.x / BOX_LANES;
    if (warp < cells * (uint32_t)task.plan.kept_bands)
        add_cell<G>(task, (int32_t)(warp % cells), (int32_t)(warp / cells));
}

template <typename G> ImgStatus launch(const BoxFarTask &task, void *stream, ImgError *err)
{
    const BoxFarPlan &plan = task.plan;
    const uint64_t warps =
        (uint64_t)(plan.across.count + plan.across.back) * (uint64_t)plan.kept_bands;
    IMG_LAUNCH_EARLY(cells_kernel<G>, (uint32_t)((warps - 1) / WARPS + 1), THREADS, 0, stream,
                     task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus far_box_cells(const BoxFarTask &task, void *stream, ImgError *err)
{
    return with_box_group(task.src.format,
                          [&](auto group) { return launch<decltype(group)>(task, stream, err); });
}

/* --- Pieces of rows that are not completely inside the picture -------------------------------- */

/* Fills the workspace with these pieces. */

namespace
{

/* A thread fills one piece in each of `rows` rows. `rows` is 1 if rows have few pieces outside the
 * picture, so that there are enough threads. */
template <typename Sample, int CHANNELS> __global__ void sides_kernel(BoxFarTask task, int32_t rows)
{
    constexpr int SAMPLES = BOX_PIECE / (int)sizeof(Sample), PER_WORD = 4 / (int)sizeof(Sample);
    const BoxFarPlan &plan = task.plan;
    const uint32_t slots = (uint32_t)(plan.right_slots + plan.left_slots);
    const uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
    const int32_t slot = (int32_t)(number % slots), height = task.src.height;
    const int32_t first = (int32_t)(number / slots) * rows;
    const int32_t piece =
        slot < plan.right_slots ? plan.right_first + slot : plan.right_slots - 1 - slot;
    int32_t places[SAMPLES];
#pragma unroll
    for (int i = 0; i < SAMPLES; i++) {
        const int32_t at = piece * SAMPLES + i, c = box_rest(at, CHANNELS);
        const int32_t place = box_place((at - c) / CHANNELS, task.src.width, task.box.border);
        places[i] = place < 0 ? -1 - c : place * CHANNELS + c;
    }
#pragma unroll 1
    for (int32_t y = first; y < min(first + rows, height + 1); y++) {
        const Sample *row =
            reinterpret_cast<const Sample *>(task.src.data + (size_t)y * task.src.stride);
        uint32_t words[4] = {0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < SAMPLES; i++) {
            const int32_t below = -1 - box_rest(slot * SAMPLES + i, CHANNELS);
            const int32_t place = y < height ? places[i] : below;
            const uint32_t sample =
                place < 0 ? task.box.background[-1 - place] : __ldg(row + place);
            words[i / PER_WORD] |= sample << i % PER_WORD * 8 * (int)sizeof(Sample);
        }
        *reinterpret_cast<uint4 *>(task.sides + (size_t)y * plan.side_stride + slot * BOX_PIECE) =
            make_uint4(words[0], words[1], words[2], words[3]);
    }
}

template <typename G> ImgStatus launch_sides(const BoxFarTask &task, void *stream, ImgError *err)
{
    const BoxFarPlan &plan = task.plan;
    const int32_t rows = plan.repeats ? 1 : 16;
    const uint64_t slots = (uint64_t)(plan.right_slots + plan.left_slots);
    const uint64_t threads = slots * (uint64_t)(task.src.height / rows + 1);
    auto *kernel = sides_kernel<typename G::Sample, G::CHANNELS>;
    IMG_LAUNCH(kernel, (uint32_t)((threads - 1) / THREADS + 1), THREADS, 0, stream, task, rows);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus far_box_sides(const BoxFarTask &task, void *stream, ImgError *err)
{
    return with_box_group(task.src.format, [&](auto group) {
        return launch_sides<decltype(group)>(task, stream, err);
    });
}
