/* Kernels with one deliberate fault each, which the emulator must report at the right line. An
 * argument selects a correct version, which the emulator must accept. The faulty line ends with a
 * comment that is the name of the fault. */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "tests/emulator/faults.h"

#define MARK(name) enum { LINE_OF_##name = __LINE__ - 1 }

namespace
{

constexpr int THREADS = 64;

__global__ void copy_kernel(const uint32_t *in, uint32_t *out, int first)
{
    out[threadIdx.x] = in[first + (int)threadIdx.x]; /* read past the end */
}

__global__ void write_kernel(uint32_t *out, int first)
{
    out[first + (int)threadIdx.x] = threadIdx.x; /* write before the start */
}

__global__ void shared_range_kernel(uint32_t *out, int last)
{
    IMG_SHARED(uint32_t, tile, [THREADS]);
    IMG_SHARED(uint32_t, other, [THREADS]);
    other[threadIdx.x] = 0;
    uint32_t *mine = tile + ((int)threadIdx.x < THREADS - 1 ? (int)threadIdx.x : last);
    *mine = threadIdx.x; /* shared write past the end */
    out[threadIdx.x] = other[threadIdx.x];
}

__global__ void uninitialised_kernel(uint32_t *out, int written)
{
    IMG_SHARED(uint32_t, tile, [THREADS]);
    if ((int)threadIdx.x < written)
        tile[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = tile[threadIdx.x]; /* shared read of nothing */
}

__global__ void barrier_kernel(uint32_t *out, int reaching)
{
    if ((int)threadIdx.x < reaching)
        __syncthreads(); /* barrier that half reach */
    out[threadIdx.x] = threadIdx.x;
}

__global__ void two_barriers_kernel(uint32_t *out, int split)
{
    if ((int)threadIdx.x < split) {
        __syncthreads(); /* two barriers at once */
    } else {
        __syncthreads();
    }
    out[threadIdx.x] = threadIdx.x;
}

/* Every thread reads a word that a thread of the other warp has written. Only a barrier orders
 * accesses of different warps. */
__global__ void race_kernel(uint32_t *out, int ordered)
{
    IMG_SHARED(uint32_t, tile, [THREADS]);
    tile[threadIdx.x] = threadIdx.x;
    if (ordered)
        __syncthreads();
    else
        __syncwarp();
    out[threadIdx.x] = tile[(threadIdx.x + THREADS / 2) % THREADS]; /* read without a barrier */
}

/* Unless `ordered`, the second round overwrites words that slower threads may still read in the
 * first round. */
__global__ void overwrite_kernel(uint32_t *out, int ordered)
{
    IMG_SHARED(uint32_t, tile, [THREADS]);
    uint32_t sum = 0;
    for (int round = 0; round < 2; round++) {
        tile[threadIdx.x] = threadIdx.x; /* write without a barrier */
        __syncthreads();
        sum += tile[THREADS - 1 - threadIdx.x];
        if (ordered)
            __syncthreads();
    }
    out[threadIdx.x] = sum;
}

/* Every thread reads a word of another lane of its warp. Only __syncwarp orders accesses of the
 * lanes of a warp. */
__global__ void warp_race_kernel(uint32_t *out, int ordered)
{
    IMG_SHARED(uint32_t, tile, [THREADS]);
    tile[threadIdx.x] = threadIdx.x;
    if (ordered)
        __syncwarp();
    out[threadIdx.x] = tile[threadIdx.x ^ 1]; /* read within a warp */
}

/* If `dependent`, each block adds 1 to the result of the block before it. The result is then right
 * only if the blocks run in ascending order. */
__global__ void order_kernel(uint32_t *out, int dependent)
{
    if (threadIdx.x == 0)
        out[blockIdx.x] = blockIdx.x > 0 && dependent ? out[blockIdx.x - 1] + 1 : blockIdx.x;
}

} // namespace

const PlantedFault planted_faults[] = {
    {"read past the end", emulator::OUT_OF_RANGE_GLOBAL, "copy_kernel"},
    {"write before the start", emulator::OUT_OF_RANGE_GLOBAL, "write_kernel"},
    {"shared write past the end", emulator::OUT_OF_RANGE_SHARED, "shared_range_kernel"},
    {"shared read of nothing", emulator::UNINITIALISED_SHARED, "uninitialised_kernel"},
    {"barrier that half reach", emulator::BARRIER, "barrier_kernel"},
    {"two barriers at once", emulator::BARRIER, "two_barriers_kernel"},
    {"read without a barrier", emulator::RACE, "race_kernel"},
    {"write without a barrier", emulator::RACE, "overwrite_kernel"},
    {"read within a warp", emulator::RACE, "warp_race_kernel"},
};
const int planted_fault_count = (int)(sizeof planted_faults / sizeof planted_faults[0]);

void run_planted(int number, bool sound, const uint32_t *in, uint32_t *out)
{
    switch (number) {
    case 0:
        IMG_LAUNCH(copy_kernel, 1, THREADS, 0, nullptr, in, out, sound ? 0 : 1);
        break;
    case 1:
        IMG_LAUNCH(write_kernel, 1, THREADS, 0, nullptr, out, sound ? 0 : -1);
        break;
    case 2:
        IMG_LAUNCH(shared_range_kernel, 1, THREADS, 0, nullptr, out, sound ? THREADS - 1 : THREADS);
        break;
    case 3:
        IMG_LAUNCH(uninitialised_kernel, 1, THREADS, 0, nullptr, out, sound ? THREADS : 40);
        break;
    case 4:
        IMG_LAUNCH(barrier_kernel, 1, THREADS, 0, nullptr, out, sound ? THREADS : 32);
        break;
    case 5:
        IMG_LAUNCH(two_barriers_kernel, 1, THREADS, 0, nullptr, out, sound ? THREADS : 32);
        break;
    case 6:
        IMG_LAUNCH(race_kernel, 1, THREADS, 0, nullptr, out, sound);
        break;
    case 7:
        IMG_LAUNCH(overwrite_kernel, 1, THREADS, 0, nullptr, out, sound);
        break;
    default:
        IMG_LAUNCH(warp_race_kernel, 1, THREADS, 0, nullptr, out, sound);
        break;
    }
}

void run_order(bool dependent, uint32_t *out)
{
    IMG_LAUNCH(order_kernel, 8, 32, 0, nullptr, out, dependent);
}
