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
inline void with_pixel(const EncodeBatch *batch, uint32_t *first, Launch launch)
{
    const uint32_t count = batch->of_pixel[BYTES];
    if (count > 0)
        with_jobs(batch->one, batch->many + *first, sizeof(EncodeJob),
                  [&](auto jobs) { launch(PixelBytes<BYTES>(), jobs, count); });
    *first += count;
}

/* Calls launch(bytes, jobs, count) for each size of pixels that occurs, with the pictures that have
 * it. `bytes` is a PixelBytes. */
template <typename Launch> inline void with_pixels(const EncodeBatch *batch, Launch launch)
{
    uint32_t first = 0;
    with_pixel<1>(batch, &first, launch);
    with_pixel<2>(batch, &first, launch);
    with_pixel<3>(batch, &first, launch);
    with_pixel<4>(batch, &first, launch);
    with_pixel<6>(batch, &first, launch);
    with_pixel<8>(batch, &first, launch);
}

#endif
