/* How a kernel of the encoder or of the match finder gets its job. The kernels are templates, whose
 * parameter is one of these types: one implementation serves a single picture and a batch. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_JOBS_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_JOBS_CUH

#include <stddef.h>
#include <stdint.h>

#include "kernels/core/cuda/cuda_launch.cuh"

/* The job of one picture, as an argument of the kernel. */
template <typename Job> struct OnePicture {
    Job job;

    __device__ const Job &get() const
    {
        return job;
    }
};

/* The jobs of a batch, in device memory, `stride` bytes from one to the next. The grid has a layer
 * (blockIdx.z) for each picture. */
template <typename Job> struct ManyPictures {
    const uint8_t *jobs;
    size_t stride;

    __device__ const Job &get() const
    {
        return *reinterpret_cast<const Job *>(jobs + blockIdx.z * stride);
    }
};

/* Calls launch(jobs), where `jobs` is a OnePicture if `one` is not NULL, otherwise a
 * ManyPictures. */
template <typename Job, typename Launch>
inline void with_jobs(const Job *one, const Job *many, size_t stride, Launch launch)
{
    if (one != nullptr)
        launch(OnePicture<Job>{*one});
    else
        launch(ManyPictures<Job>{reinterpret_cast<const uint8_t *>(many), stride});
}

#endif
