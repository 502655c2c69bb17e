/* How a kernel gets its job. The kernels of a stage that exists for one file and for a batch of
 * files are templates, whose parameter is one of these types. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_JOBS_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_JOBS_CUH

#include "io/png/cuda/decode/decode_job.h"
#include "kernels/core/cuda/cuda_launch.cuh"

/* The job of one file, as an argument of the kernel. */
struct OneJob {
    DecodeJob job;

    __device__ DecodeJob get() const
    {
        return job;
    }
};

/* The jobs of a batch, in device memory. The grid has a row of thread blocks for each file. */
struct ManyJobs {
    const DecodeJob *jobs;

    __device__ DecodeJob get() const
    {
        return jobs[blockIdx.y];
    }
};

#endif
