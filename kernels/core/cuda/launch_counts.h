/* Counters of a series of kernel launches, as a profiler reports them. A request is one memory
 * instruction of one warp. A wavefront is one pass through the 32 banks of shared memory. A sector
 * is 32 bytes of global memory. Atomic operations count as writes. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_LAUNCH_COUNTS_H
#define IMGTOOL_KERNELS_CORE_CUDA_LAUNCH_COUNTS_H

#include <stdint.h>

enum { IMG_READS, IMG_WRITES, IMG_ACCESSES };

typedef struct ImgLaunchCounts {
    uint64_t launches; /* number of kernel launches, without copies and fills */
    uint64_t blocks, warps;
    uint64_t split_warps;    /* number of warps that diverged at least once at a branch */
    uint64_t split_branches; /* number of divergent branches, counted at each execution */
    uint64_t shared_requests[IMG_ACCESSES], shared_wavefronts[IMG_ACCESSES];
    uint64_t global_requests[IMG_ACCESSES], global_sectors[IMG_ACCESSES];
} ImgLaunchCounts;

#endif
