/* What the launches of a piece of work did, as a profiler counts it. A request is one instruction
 * of one warp; a wavefront one pass through the 32 banks of shared memory; a sector 32 bytes of
 * global memory. Atomics count as writes. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_LAUNCH_COUNTS_H
#define IMGTOOL_KERNELS_CORE_CUDA_LAUNCH_COUNTS_H

#include <stdint.h>

enum { IMG_READS, IMG_WRITES, IMG_ACCESSES };

typedef struct ImgLaunchCounts {
    uint64_t launches; /* of kernels; copies and fills do not count */
    uint64_t blocks, warps;
    uint64_t split_warps;    /* that any branch split */
    uint64_t split_branches; /* branches that split a warp, once each time */
    uint64_t shared_requests[IMG_ACCESSES], shared_wavefronts[IMG_ACCESSES];
    uint64_t global_requests[IMG_ACCESSES], global_sectors[IMG_ACCESSES];
} ImgLaunchCounts;

#endif
