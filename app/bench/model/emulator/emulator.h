/* The emulator's interface: in which order it runs, what it found, what it counted.
 * One emulator per process; threads that launch take turns. What is found and counted is not for
 * several threads at once. */
#ifndef IMGTOOL_APP_BENCH_MODEL_EMULATOR_EMULATOR_H
#define IMGTOOL_APP_BENCH_MODEL_EMULATOR_EMULATOR_H

#include <functional>
#include <stdint.h>
#include <string>
#include <vector>

#include "app/bench/model/cuda/cuda_runtime_api.h"

namespace emulator
{

/* Blocks of a grid, and threads of a block between two barriers. */
enum Order { FORWARD, REVERSE, RANDOM };

struct Options {
    Order order = FORWARD;
    uint64_t seed = 1;      /* of the random order */
    bool counting = false;  /* traces and merges warps: several times slower */
    bool reporting = false; /* faults on standard error, as they are found */
    /* Asked before each launch; NULL: nobody is. An error is what becomes of that launch. */
    cudaError_t (*refuse)() = nullptr;
};

Options &options();

/* --- Faults ---------------------------------------------------------------------------------- */

enum FaultKind {
    OUT_OF_RANGE_GLOBAL,
    OUT_OF_RANGE_SHARED,
    UNINITIALISED_SHARED,
    RACE,
    BARRIER, /* not all threads reach it, or not all the same one */
};

const char *fault_name(FaultKind kind);

struct Fault {
    FaultKind kind;
    std::string kernel, file; /* file as the compiler was given it; both may be "", unknown */
    int line;
    std::string text; /* the whole message, with block and thread */
};

/* All since the last clear, each place of the code once per launch. */
const std::vector<Fault> &faults();
void clear_faults();

/* --- Counts ---------------------------------------------------------------------------------- */

/* A request is one instruction of one warp. A wavefront is one pass through the 32 banks of shared
 * memory; a sector is 32 bytes of global memory. Reads and writes; atomics count as writes. */
struct Counts {
    uint64_t requests[2] = {0, 0}, wavefronts[2] = {0, 0}; /* shared memory */
    uint64_t global_requests[2] = {0, 0}, global_sectors[2] = {0, 0};
    uint64_t divergent_branches = 0; /* branches that split a warp, once each time */
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
    uint64_t divergent_warps = 0; /* warps that any branch split */
    Counts all;
    std::vector<LineCounts> lines; /* in the order of the source */
};

/* One entry per kernel, template arguments included, in the order of the first launch. */
std::vector<KernelCounts> counts();
void clear_counts();

} // namespace emulator

#endif
