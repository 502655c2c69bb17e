/* Converts rows to the form of the file: 16-bit samples in big-endian order, samples below 8 bits
 * packed. */
#include "io/png/cuda/encode/encode_launch.cuh"

namespace
{

constexpr int THREADS = 256;

/* Makes the bytes of rows from row `first` onwards; each thread makes one byte. */
template <typename Jobs>
__global__ void __launch_bounds__(THREADS) pack_kernel(Jobs jobs, uint32_t first)
{
    const EncodeJob &job = jobs.get();
    const uint32_t y = first + blockIdx.y, bits = job.bits;
    const size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (bits == 8 || y >= (uint32_t)job.height || at >= job.row_bytes)
        return;
    const uint8_t *row = job.pixels + y * job.pixel_stride;
    unsigned byte = 0;
    if (bits == 16) {
        byte = row[at ^ 1];
    } else {
        unsigned each = 8 / bits;
        for (unsigned k = 0; k < each; k++) {
            size_t sample = at * each + k;
            byte = byte << bits | (sample < job.samples ? row[sample] : 0);
        }
    }
    job.packed[y * job.row_bytes + at] = (uint8_t)byte;
}

constexpr uint32_t GRID_ROWS = 65535;

} // namespace

void img_encode_pack(const EncodeBatch *batch, void *stream)
{
    const unsigned columns = (unsigned)((batch->packed_bytes + THREADS - 1) / THREADS);
    for (uint32_t first = 0; first < batch->packed_rows; first += GRID_ROWS) {
        const uint32_t left = batch->packed_rows - first;
        const dim3 grid(columns, left < GRID_ROWS ? left : GRID_ROWS, batch->count);
        with_jobs(batch, [&](auto jobs) {
            IMG_LAUNCH(pack_kernel<decltype(jobs)>, grid, THREADS, 0, stream, jobs, first);
        });
    }
}
