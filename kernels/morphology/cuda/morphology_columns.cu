/* erode, dilate, open and close on CUDA: minima down columns, with the method of van Herk and of
 * Gil and Werman. Rows are divided into segments as high as the rectangle. A rectangle covers the
 * end of one segment and the beginning of the next, or it is a whole segment. Its minimum is
 * therefore the smaller of two minima. The first is from the top row of the rectangle to the end of
 * this row's segment. The second is from the start of the next segment to the bottom row of the
 * rectangle. Each of the two minima takes one comparison per row. */
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/morphology/cuda/morphology_cuda.cuh"

namespace
{

constexpr int COLUMN_THREADS = 128,
              TOGETHER = 4; /* number of rows that are loaded before the first one is used */

/* --- A segment in shared memory --------------------------------------------------------------- */

constexpr int KEPT_THREADS = 64, KEPT_BYTES = 48 * 1024, KEPT_TOGETHER = 8;

/* Replaces each row of the segment in shared memory by the minimum from this row to the end of the
 * segment. */
template <typename Sample, int WORDS> __device__ void make_ends(Words<WORDS> *kept, int32_t rows)
{
    Words<WORDS> best = kept[(rows - 1) * KEPT_THREADS];
    for (int32_t i = rows - 2; i >= 0; i--) {
        lower<Sample>(best, kept[i * KEPT_THREADS]);
        kept[i * KEPT_THREADS] = best;
    }
}

/* Stores the results of `rows` rows from `y` on, whose rectangles begin in the segment in shared
 * memory. Then the next segment replaces this segment there. */
template <typename Sample, int WORDS>
__device__ void replace_segment(const Column<Sample, WORDS> &column, int64_t y, int32_t rows,
                                Words<WORDS> *kept)
{
    const int64_t next = y - column.task.step.up + rows;
    Words<WORDS> best;
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        best.word[i] = ~0u;
    for (int32_t first = 0; first < rows; first += KEPT_TOGETHER) {
        Words<WORDS> loaded[KEPT_TOGETHER];
#pragma unroll
        for (int i = 0; i < KEPT_TOGETHER; i++)
            loaded[i] = column.load(next + min(first + i, rows - 1));
#pragma unroll
        for (int i = 0; i < KEPT_TOGETHER; i++) {
            if (first + i >= rows || y + first + i >= column.task.height)
                return;
            Words<WORDS> &own = kept[(first + i) * KEPT_THREADS], result = own;
            lower<Sample>(result, best);
            column.store(y + first + i, result);
            lower<Sample>(best, loaded[i]);
            own = loaded[i];
        }
    }
}

template <typename Sample, int WORDS>
__device__ void load_segment(const Column<Sample, WORDS> &column, int64_t y, int32_t rows,
                             Words<WORDS> *kept)
{
    for (int32_t first = 0; first < rows; first += KEPT_TOGETHER) {
        Words<WORDS> loaded[KEPT_TOGETHER];
#pragma unroll
        for (int i = 0; i < KEPT_TOGETHER; i++)
            loaded[i] = column.load(y + min(first + i, rows - 1));
#pragma unroll
        for (int i = 0; i < KEPT_TOGETHER; i++)
            if (first + i < rows)
                kept[(first + i) * KEPT_THREADS] = loaded[i];
    }
}

/* Computes minima down columns for rectangles whose segments fit shared memory. A thread has a
 * column of 16 bytes, or of 4 bytes for high rectangles. It processes a strip of several segments,
 * and keeps one of them in shared memory. Each row is read once, except the rows of a strip's first
 * segment, which the strip above reads too. The speed depends on the number of threads whose
 * segments fit shared memory together. */
template <typename Sample, int WORDS>
__global__ void __launch_bounds__(KEPT_THREADS)
    morphology_kept_kernel(MorphologyTask task, int32_t segments)
{
    IMG_SHARED_DYNAMIC(uint4, memory);
    Words<WORDS> *kept = reinterpret_cast<Words<WORDS> *>(memory) + threadIdx.x;
    const int64_t offset = ((int64_t)blockIdx.x * KEPT_THREADS + threadIdx.x) * WORDS * WORD;
    const int32_t rows = img_morphology_height(&task.step);
    if (offset >= (int64_t)task.width * task.pixel)
        return;
    const Column<Sample, WORDS> column(task, offset);
    const int64_t strip = (int64_t)segments * rows;
    for (int64_t top = blockIdx.y * strip; top < task.height; top += gridDim.y * strip) {
        load_segment(column, top - task.step.up, rows, kept);
        for (int64_t y = top; y < top + strip && y < task.height; y += rows) {
            make_ends<Sample>(kept, rows);
            replace_segment(column, y, rows, kept);
        }
    }
}

/* --- High rectangles: the result contains intermediate minima --------------------------------- */

/* Reads upwards through the segment in which the rectangles of result rows `top` to `bottom` - 1
 * begin. For each of these rows, stores in the result the minimum from the first row of the
 * rectangle to the end of the segment. Returns the minimum of the whole segment. */
template <typename Sample, int WORDS>
__device__ Words<WORDS> go_up(const Column<Sample, WORDS> &column, int64_t top, int64_t bottom,
                              int32_t rows)
{
    const int64_t up = column.task.step.up;
    Words<WORDS> best = column.load(top + rows - 1 - up);
    for (int64_t y = top + rows - 1; y >= top; y -= TOGETHER) {
        Words<WORDS> next[TOGETHER];
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
            next[k] = column.load((y - k < top ? top : y - k) - up);
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
            if (y - k < top)
                break;
            lower<Sample>(best, next[k]);
            if (y - k < bottom)
                column.store(y - k, best);
        }
    }
    return best;
}

/* Reads downwards through the segment that follows the segment of go_up. For each result row, go_up
 * has stored a minimum. Combines it with the minimum from the start of this segment to the last row
 * of the rectangle. */
template <typename Sample, int WORDS>
__device__ void go_down(const Column<Sample, WORDS> &column, int64_t top, int64_t bottom,
                        int32_t rows)
{
    const int64_t ahead = rows - 1 - column.task.step.up;
    Words<WORDS> best = column.load(top + 1 + ahead);
    for (int64_t y = top + 1; y < bottom; y += TOGETHER) {
        Words<WORDS> next[TOGETHER], waiting[TOGETHER];
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
            const int64_t row = y + k < bottom ? y + k : bottom - 1;
            next[k] = column.load(row + ahead);
            waiting[k] = column.stored(row);
        }
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
            if (y + k >= bottom)
                break;
            lower<Sample>(best, next[k]);
            lower<Sample>(waiting[k], best);
            column.store(y + k, waiting[k]);
        }
    }
}

/* Computes minima down columns for high rectangles. A thread has one segment of rows in a column of
 * 16 bytes, or of 4 bytes if there are few columns. The speed depends on the memory bandwidth:
 * there are two reads of the source, two writes of the result and one read of the result. */
template <typename Sample, int WORDS>
__global__ void __launch_bounds__(COLUMN_THREADS) morphology_columns_kernel(MorphologyTask task)
{
    const int64_t offset = ((int64_t)blockIdx.x * COLUMN_THREADS + threadIdx.x) * WORDS * WORD;
    const int32_t rows = img_morphology_height(&task.step);
    if (offset >= (int64_t)task.width * task.pixel)
        return;
    const Column<Sample, WORDS> column(task, offset);
    for (int64_t top = (int64_t)blockIdx.y * rows; top < task.height;
         top += (int64_t)gridDim.y * rows) {
        const int64_t bottom = top + rows < task.height ? top + rows : task.height;
        go_up<Sample, WORDS>(column, top, bottom, rows);
        go_down<Sample, WORDS>(column, top, bottom, rows);
    }
}

/* --- Launches --------------------------------------------------------------------------------- */

constexpr int64_t THREADS_ENOUGH = 1 << 16, THREADS_MANY = 1 << 19;

/* Returns a grid of blocks of `threads` threads. Each thread has a column of `bytes` bytes in one
 * of `strips` strips of rows. */
dim3 grid_of(const MorphologyTask &task, int64_t threads, int64_t bytes, int64_t strips)
{
    const int64_t row_bytes = (int64_t)task.width * task.pixel, each = threads * bytes;
    return dim3((unsigned)((row_bytes + each - 1) / each),
                (unsigned)(strips < MORPHOLOGY_GRID_ROWS ? strips : MORPHOLOGY_GRID_ROWS));
}

template <typename Sample>
ImgStatus down_columns(const MorphologyTask &task, void *stream, ImgError *err)
{
    const int64_t row_bytes = (int64_t)task.width * task.pixel;
    const int32_t rows = img_morphology_height(&task.step);
    const int64_t segments = ((int64_t)task.height + rows - 1) / rows;
    const int64_t kept = (int64_t)rows * KEPT_THREADS;
    if (kept * WORD > KEPT_BYTES) {
        const bool many = row_bytes / WIDE_BYTES * segments >= THREADS_ENOUGH;
        auto *kernel =
            many ? morphology_columns_kernel<Sample, 4> : morphology_columns_kernel<Sample, 1>;
        IMG_LAUNCH(kernel, grid_of(task, COLUMN_THREADS, many ? WIDE_BYTES : WORD, segments),
                   COLUMN_THREADS, 0, stream, task);
    } else {
        const bool wide = kept * WIDE_BYTES <= KEPT_BYTES;
        const int64_t bytes = wide ? WIDE_BYTES : WORD;
        const int64_t each = 1 + row_bytes / bytes * segments / THREADS_MANY;
        auto *kernel = wide ? morphology_kept_kernel<Sample, 4> : morphology_kept_kernel<Sample, 1>;
        IMG_LAUNCH(kernel, grid_of(task, KEPT_THREADS, bytes, (segments + each - 1) / each),
                   KEPT_THREADS, (size_t)(kept * bytes), stream, task, (int32_t)each);
    }
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus morphology_down_columns(const MorphologyTask &task, ImgFormat format, void *stream,
                                  ImgError *err)
{
    return format.bits == 16 ? down_columns<uint16_t>(task, stream, err)
                             : down_columns<uint8_t>(task, stream, err);
}
