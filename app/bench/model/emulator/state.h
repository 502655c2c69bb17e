/* State and functions that several source files of the emulator use. */
#ifndef IMGTOOL_APP_BENCH_MODEL_EMULATOR_STATE_H
#define IMGTOOL_APP_BENCH_MODEL_EMULATOR_STATE_H

#include <mutex>

#include "app/bench/model/cuda/cuda_runtime.h"
#include "app/bench/model/emulator/context.h"
#include "app/bench/model/emulator/emulator.h"

namespace emulator
{

constexpr int WARP = 32;

/* Kinds of events in the trace of a thread: it enters a basic block, or accesses memory. A trace
 * has its events in program order. */
enum EventKind : uint8_t { ENTER, SHARED_READ, SHARED_WRITE, GLOBAL_READ, GLOBAL_WRITE };

struct Event {
    const void *site; /* address of the instruction in the code */
    uintptr_t address;
    uint8_t size;
    EventKind kind;
    uint32_t rank; /* rank of the basic block that contains the instruction (flow.h) */
};

enum ThreadState { READY, AT_BARRIER, AT_WARP, DONE };

struct WarpRequest {
    WarpOperation operation;
    /* true for an operation that exchanges values between lanes; false for __syncwarp */
    bool exchanging;
    unsigned mask;
    uint64_t value;
    int operand, width;
};

struct Thread {
    Context context;
    void *fake_stack; /* AddressSanitizer's fake stack of this thread, while another thread runs */
    int index;        /* index of the thread in its block; its lane is index % 32 */
    dim3 id;
    ThreadState state = DONE;
    const void *site; /* address in the code of the barrier at which the thread waits */
    WarpRequest request;
    std::vector<Event> trace;
};

/* State of the block that is running. */
struct Block {
    const void *kernel = nullptr;
    /* serial number of the block, counted over all launches; never 0 while a block runs */
    uint32_t serial = 0;
    dim3 grid, size, id;
    int threads = 0;
    size_t dynamic_bytes = 0;
    /* number of __syncthreads barriers that the block has passed */
    uint32_t barriers = 0;
    std::vector<uint32_t> warp_syncs; /* number of warp-wide operations that each warp has passed */
    /* thread that runs; NULL between threads and outside launches */
    Thread *running = nullptr;
};

extern Block block;

/* Held during a launch, an allocation and a query of the last error, so that only one of them runs
 * at a time. */
extern std::mutex turn;

/* Implemented in launch.cpp. Appends an event to the trace of the running thread. */
void record(EventKind kind, const void *site, uintptr_t address, int size);

/* Implemented in memory.cpp. Checks and records an access of the running thread, if the address is
 * in device or shared memory. Other memory belongs to the thread alone and needs no check. */
void touch(const void *address, int size, bool writes, bool atomic, const void *site);
/* Allocates the emulator's memory on the first call. Returns false if memory is short. */
bool prepare_memory();
void begin_block_memory();
void *device_allocate(size_t size); /* Returns NULL if there is no free memory of this size. */
void device_release(void *memory);

/* Implemented in runtime.cpp. fail_launch sets the result of the next cudaGetLastError. has_failed
 * returns true if that result is an error. */
void fail_launch(cudaError_t code);
bool has_failed();

/* Implemented in faults.cpp. Records a fault of `thread` at the code address `site`. */
void report(FaultKind kind, const void *site, const Thread &thread, const std::string &what);
bool faulted_since_launch();
void begin_launch_faults();
const std::string &last_fault();

/* Implemented in count.cpp. Adds the counts that follow from the traces of a block's threads. */
void count_block(const std::vector<Thread *> &threads);
void count_launch(const void *kernel);

/* Source position of a code address. For inlined code it is the innermost frame outside the
 * emulator's headers. place_of is implemented in sites_unknown.cpp and, for tests, in
 * tests/emulator/sites.cpp. */
struct Place {
    std::string function, file;
    int line;
};
const Place &place_of(const void *site);
std::string kernel_name(const void *kernel);

} // namespace emulator

#endif
