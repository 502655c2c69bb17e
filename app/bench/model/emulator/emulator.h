/* Interface of the emulator: order of execution, faults and counts. There is one emulator per
 * process; threads that launch kernels take turns. Reading faults and counts is not thread-safe. */
#ifndef IMGTOOL_APP_BENCH_MODEL_EMULATOR_EMULATOR_H
#define IMGTOOL_APP_BENCH_MODEL_EMULATOR_EMULATOR_H

#include <functional>
#include <stdint.h>
#include <string>
#include <vector>

#include "app/bench/model/cuda/cuda_runtime_api.h"

namespace emulator
{

/* The order in which the blocks of a grid run, and the threads of a block between two barriers. */
enum Order { FORWARD, REVERSE, RANDOM };

struct Options {
    Order order = FORWARD;
    uint64_t seed = 1; /* seed of the random numbers for RANDOM */
    /* true: records traces and counts the actions of warps, which is several times slower */
    bool counting = false;
    bool reporting = false; /* true: prints each fault on standard error when it is found */
    /* Called before each launch. An error that it returns becomes the result of the launch. NULL:
     * not called. */
    cudaError_t (*refuse)() = nullptr;
};

Options &options();

/* --- Faults ----------------------------------------------------------------------------------- */

enum FaultKind {
    OUT_OF_RANGE_GLOBAL,
    OUT_OF_RANGE_SHARED,
    UNINITIALISED_SHARED,
    RACE,
    BARRIER, /* some threads do not reach the barrier, or threads wait at different barriers */
};

const char *fault_name(FaultKind kind);

struct Fault {
    FaultKind kind;
    /* name of the kernel, and of the file as passed to the compiler; both may be empty */
    std::string kernel, file;
    int line;
    std::string text; /* the whole message, which contains the block and the thread */
};

/* Returns all faults since the last call of clear. Each place of the code has at most one per
 * launch. */
const std::vector<Fault> &faults();
void clear_faults();

/* --- Counts ----------------------------------------------------------------------------------- */

/* Counts of one kernel or line. A request is one memory instruction of one warp. A wavefront is one
 * pass through the 32 banks of shared memory. A sector is 32 bytes of global memory. Index 0 counts
 * reads; index 1 counts writes and atomics. */
struct Counts {
    uint64_t requests[2] = {0, 0}, wavefronts[2] = {0, 0}; /* shared memory */
    uint64_t global_requests[2] = {0, 0}, global_sectors[2] = {0, 0};
    uint64_t divergent_branches = 0; /* number of times that a branch split a warp */
    void add(const Counts &other);
};

struct LineCounts {
    std::string file;
    int line;
    Counts counts;
};

struct KernelCounts {
    std::string kernel;
    uint64_t launches = 0, blocks = 0, warps = 0;
    uint64_t divergent_warps = 0; /* number of warps that were split by any branch */
    Counts all;
    std::vector<LineCounts> lines; /* counts per source line, in source order */
};

/* Returns the counts of each kernel, in the order of their first launch. Instances of a template
 * with other arguments are other kernels. */
std::vector<KernelCounts> counts();
void clear_counts();

} // namespace emulator

#endif
