/* The pieces of a strip that tell what suits it, filtered: filter_piece in
 * io/png/encode/strip_values.c. A block for each of their rows and ways, of which the bytes are
 * kept that belong to the piece. */
#include "io/png/cuda/encode/encode_kernels.h"
#include "io/png/cuda/encode/filter_row.cuh"

namespace
{

using namespace filter_row;

/* Where a row's bytes lie in the piece: its type at `start`, which may be before the piece. */
struct Target {
    uint8_t *piece;
    int64_t start;
};

__device__ bool is_inside(int64_t at)
{
    return at >= 0 && at < ENCODE_PIECE_BYTES;
}

/* The piece is taken from the middle of its rows. */
__device__ Target target_of(const EncodeJob &job, uint32_t piece, uint32_t way, uint32_t number)
{
    const int64_t row = 1 + (int64_t)job.row_bytes;
    const int64_t all = row * encode_piece_rows(job.row_bytes);
    return {encode_piece(&job, piece, way), row * number - (all - ENCODE_PIECE_BYTES) / 2};
}

template <int PIXEL>
__device__ void write(const EncodeJob &job, Window *window, const uint8_t *row,
                      const uint8_t *above, unsigned filter, const Target &target)
{
    uint64_t not_used[2] = {0, 0};
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(window->filtered);
    if (threadIdx.x == 0 && is_inside(target.start))
        target.piece[target.start] = (uint8_t)filter;
    for (size_t from = 0; from < job.row_bytes; from += SEGMENT) {
        const int count = bytes_of_segment(from, job.row_bytes);
        const int64_t to = target.start + 1 + (int64_t)from;
        if (to + count <= 0 || to >= ENCODE_PIECE_BYTES)
            continue;
        filter_segment<PIXEL>(job, window, row, above, from, filter, not_used, not_used + 1);
        for (int i = (int)threadIdx.x; i < count; i += THREADS)
            if (is_inside(to + i))
                target.piece[to + i] = bytes[i];
    }
}

template <int PIXEL> __global__ void __launch_bounds__(THREADS) pieces_kernel(EncodeJob job)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Window, window, [1]);
    const uint32_t piece = blockIdx.x, number = blockIdx.y, way = blockIdx.z;
    const uint32_t strip = piece / ENCODE_SAMPLES;
    if (encode_strip_bytes(&job, strip) <= job.small)
        return;
    const int32_t y = encode_piece_row(&job, strip, piece % ENCODE_SAMPLES) + (int32_t)number;
    const uint8_t *row = job.rows + (size_t)y * job.stride;
    const uint8_t *above = y == encode_first_row(&job, strip) ? nullptr : row - job.stride;
    const Target target = target_of(job, piece, way, number);
    unsigned filters = way == 0 ? job.filters : 1u << IMG_FILTER_PAETH;
    unsigned filter = choose<PIXEL>(job, window, row, above, filters);
    write<PIXEL>(job, window, row, above, filter, target);
    if (number == 0 && threadIdx.x < ENCODE_PIECE_ROOM - ENCODE_PIECE_BYTES)
        target.piece[ENCODE_PIECE_BYTES + threadIdx.x] = 0;
}

} // namespace

void img_encode_pieces(const EncodeJob *job, void *stream)
{
    auto *kernel = job->pixel == 1   ? pieces_kernel<1>
                   : job->pixel == 2 ? pieces_kernel<2>
                   : job->pixel == 3 ? pieces_kernel<3>
                   : job->pixel == 4 ? pieces_kernel<4>
                   : job->pixel == 6 ? pieces_kernel<6>
                                     : pieces_kernel<8>;
    dim3 grid(job->strips.count * ENCODE_SAMPLES, encode_piece_rows(job->row_bytes), job->ways);
    IMG_LAUNCH_EARLY(kernel, grid, THREADS, 0, stream, *job);
}
