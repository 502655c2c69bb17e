/* Interface of the emulator: execution order, faults and counts. One emulator per process; threads
 * that launch take turns. Reading faults and counts is not thread-safe. */
#ifndef IMGTOOL_APP_BENCH_MODEL_EMULATOR_EMULATOR_H
#define IMGTOOL_APP_BENCH_MODEL_EMULATOR_EMULATOR_H

#include <functional>
#include <stdint.h>
#include <string>
#include <vector>

#include "app/bench/model/cuda/cuda_runtime_api.h"

namespace emulator
{

/* Order of the blocks of a grid, and of the threads of a block between two barriers. */
enum Order { FORWARD, REVERSE, RANDOM };

struct Options {
    Order order = FORWARD;
    uint64_t seed = 1;      /* seed of RANDOM */
    bool counting = false;  /* records traces and merges warps: several times slower */
    bool reporting = false; /* prints faults on standard error when they are found */
    /* Called before each launch; an error becomes the result of the launch. NULL: not called. */
    cudaError_t (*refuse)() = nullptr;
};

Options &options();

/* --- Faults ----------------------------------------------------------------------------------- */

enum FaultKind {
    OUT_OF_RANGE_GLOBAL,
    OUT_OF_RANGE_SHARED,
    UNINITIALISED_SHARED,
    RACE,
    BARRIER, /* not all threads reach it, or they wait at different ones */
};

const char *fault_name(FaultKind kind);

struct Fault {
    FaultKind kind;
    std::string kernel, file; /* file as passed to the compiler; both may be empty */
    int line;
    std::string text; /* the whole message, with block and thread */
};

/* Returns all faults since the last clear, each place of the code once per launch. */
const std::vector<Fault> &faults();
void clear_faults();

/* --- Counts ----------------------------------------------------------------------------------- */

/* A request is one instruction of one warp. A wavefront is one pass through the 32 banks of shared
 * memory; a sector is 32 bytes of global memory. Index 0 counts reads, index 1 writes and
 * atomics. */
struct Counts {
    uint64_t requests[2] = {0, 0}, wavefronts[2] = {0, 0}; /* shared memory */
    uint64_t global_requests[2] = {0, 0}, global_sectors[2] = {0, 0};
    uint64_t divergent_branches = 0; /* executions of branches that split a warp */
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
    std::vector<LineCounts> lines; /* in source order */
};

/* Returns one entry per kernel, with template arguments, in the order of the first launch. */
std::vector<KernelCounts> counts();
void clear_counts();

} // namespace emulator

#endif
