/* First step of the "far" box on CUDA (boxblur with a large radius): computes, for each cell of the
 * picture, the sums of its columns and the sums of its rows. */
#include "kernels/blur/cuda/box/box_far_rows.cuh"
#include "kernels/blur/cuda/box/box_far_sums.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr int THREADS = 128, WARPS = THREADS / BOX_LANES;
constexpr int AHEAD = 4; /* rows that a warp keeps in shared memory; must be a power of two */

/* Loads the pixels of a lane into `words`. They begin `at` bytes after the start of its warp's copy
 * of a row. */
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
     * first cell always needs them, so the copies are complete when this kernel ends. */
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
