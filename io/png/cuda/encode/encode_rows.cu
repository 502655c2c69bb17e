/* Converts rows to the form of the file: 16-bit samples in big-endian order, samples below 8 bits
 * packed. */
#include "io/png/cuda/encode/encode_kernels.h"
#include "kernels/core/cuda/cuda_launch.cuh"

namespace
{

constexpr int THREADS = 256;

/* Makes the bytes of rows; each thread makes one byte. `bits` is the sample size: 1, 2, 4 or 16.
 * `samples` is the number of samples per row. */
__global__ void __launch_bounds__(THREADS)
    pack_kernel(const uint8_t *pixels, size_t stride, size_t samples, unsigned bits, uint8_t *rows,
                size_t row_bytes)
{
    const uint8_t *row = pixels + (size_t)blockIdx.y * stride;
    size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (at >= row_bytes)
        return;
    unsigned byte = 0;
    if (bits == 16) {
        byte = row[at ^ 1];
    } else {
        unsigned each = 8 / bits;
        for (unsigned k = 0; k < each; k++) {
            size_t sample = at * each + k;
            byte = byte << bits | (sample < samples ? row[sample] : 0);
        }
    }
    rows[(size_t)blockIdx.y * row_bytes + at] = (uint8_t)byte;
}

constexpr int32_t GRID_ROWS = 65535;

} // namespace

void img_encode_pack(const ImgPngEncodeCudaPlan *plan, const ImgPngEncodeCudaPlaces *places,
                     uint8_t *rows, void *stream)
{
    size_t samples = (size_t)plan->shape.width * (size_t)img_format_channels(plan->shape.format);
    unsigned columns = (unsigned)((plan->row_bytes + THREADS - 1) / THREADS);
    int32_t count = 0;
    for (int32_t y = 0; y < plan->shape.height; y += count) {
        const int32_t left = plan->shape.height - y;
        count = left < GRID_ROWS ? left : GRID_ROWS;
        const dim3 grid(columns, (unsigned)count);
        IMG_LAUNCH(pack_kernel, grid, THREADS, 0, stream,
                   places->pixels + (size_t)y * places->stride, places->stride, samples,
                   (unsigned)plan->shape.format.bits, rows + (size_t)y * plan->row_bytes,
                   plan->row_bytes);
    }
}
