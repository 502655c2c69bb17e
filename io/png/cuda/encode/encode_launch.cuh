/* Private: launches a kernel of the encoder for the pictures of a batch, or for a single one. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_LAUNCH_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_LAUNCH_CUH

#include "io/png/cuda/encode/encode_jobs.cuh"
#include "io/png/cuda/encode/encode_kernels.h"

/* Calls launch(jobs) once, for all pictures. */
template <typename Launch> inline void with_jobs(const EncodeBatch *batch, Launch launch)
{
    with_jobs(batch->one, batch->many, sizeof(EncodeJob), launch);
}

/* A size of pixels in bytes, as a type. */
template <int BYTES> struct PixelBytes {
    static constexpr int value = BYTES;
};

template <int BYTES, typename Launch>
inline void with_pixel(const EncodeBatch *batch, EncodeWidth from, EncodeWidth to, uint32_t *first,
                       Launch launch)
{
    uint32_t before = 0, count = 0;
    for (int width = ENCODE_SHORT; width <= to; width++)
        *(width < from ? &before : &count) += batch->of_pixel[BYTES][width];
    if (count > 0)
        with_jobs(batch->one, batch->many + *first + before, sizeof(EncodeJob),
                  [&](auto jobs) { launch(PixelBytes<BYTES>(), jobs, count); });
    *first += batch->of_pixel[BYTES][ENCODE_SHORT] + batch->of_pixel[BYTES][ENCODE_LONG];
}

/* Calls launch(bytes, jobs, count) for each size of pixels that occurs, with the pictures that have
 * it and whose rows are of the widths `from` to `to`. `bytes` is a PixelBytes. */
template <typename Launch>
inline void with_pixels(const EncodeBatch *batch, EncodeWidth from, EncodeWidth to, Launch launch)
{
    uint32_t first = 0;
    with_pixel<1>(batch, from, to, &first, launch);
    with_pixel<2>(batch, from, to, &first, launch);
    with_pixel<3>(batch, from, to, &first, launch);
    with_pixel<4>(batch, from, to, &first, launch);
    with_pixel<6>(batch, from, to, &first, launch);
    with_pixel<8>(batch, from, to, &first, launch);
}

#endif
