/* Interface of the emulator: the order of execution, faults and counts. There is one emulator per
 * process. Only one thread launches a kernel at a time; others wait. The functions that return
 * faults and counts are not thread-safe. */
#ifndef IMGTOOL_APP_BENCH_MODEL_EMULATOR_EMULATOR_H
#define IMGTOOL_APP_BENCH_MODEL_EMULATOR_EMULATOR_H

#include <functional>
#include <stdint.h>
#include <string>
#include <vector>

#include "app/bench/model/cuda/cuda_runtime_api.h"

namespace emulator
{

/* Order in which the blocks of a grid run, and also the threads of a block between two barriers. */
enum Order { FORWARD, REVERSE, RANDOM };

struct Options {
    Order order = FORWARD;
    uint64_t seed = 1; /* seed of the random order, if `order` is RANDOM */
    /* true: the emulator records traces, and counts the instructions of warps. It is then several
     * times slower */
    bool counting = false;
    /* true: the emulator prints each fault to stderr as soon as it is found */
    bool reporting = false;
    /* Called before each launch. If it returns an error, the launch fails with that error. NULL: no
     * function is called. */
    cudaError_t (*refuse)() = nullptr;
};

Options &options();

/* --- Faults ----------------------------------------------------------------------------------- */

enum FaultKind {
    OUT_OF_RANGE_GLOBAL,
    OUT_OF_RANGE_SHARED,
    UNINITIALISED_SHARED,
    RACE,
    /* A thread waits at a barrier, but another thread has ended or waits elsewhere. */
    BARRIER,
};

const char *fault_name(FaultKind kind);

struct Fault {
    FaultKind kind;
    /* Name of the kernel, and name of its source file as passed to the compiler; "" if unknown. */
    std::string kernel, file;
    int line;
    std::string text; /* whole message, including the block and the thread */
};

/* Returns all faults since the last call of clear_faults. Per launch and place in the code, only
 * the first fault of each kind is recorded. */
const std::vector<Fault> &faults();
void clear_faults();

/* --- Counts ----------------------------------------------------------------------------------- */

/* Counts of one kernel or one source line. A request is one memory instruction of one warp. A
 * wavefront is one pass through the 32 banks of shared memory. A sector is 32 bytes of global
 * memory. Index 0 counts reads; index 1 counts writes and atomics. */
struct Counts {
    /* requests and wavefronts of shared memory */
    uint64_t requests[2] = {0, 0}, wavefronts[2] = {0, 0};
    uint64_t global_requests[2] = {0, 0}, global_sectors[2] = {0, 0};
    uint64_t divergent_branches = 0; /* number of times that a branch divided the lanes of a warp */
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
    /* number of warps whose lanes were divided by at least one branch */
    uint64_t divergent_warps = 0;
    Counts all;
    std::vector<LineCounts> lines; /* counts of each source line, sorted by file and line */
};

/* Returns the counts of each kernel, in the order of the first launches. Two instances of a
 * template are two kernels. */
std::vector<KernelCounts> counts();
void clear_counts();

} // namespace emulator

#endif
