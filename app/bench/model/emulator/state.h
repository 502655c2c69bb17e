/* State that the parts of the emulator share. */
#ifndef IMGTOOL_APP_BENCH_MODEL_EMULATOR_STATE_H
#define IMGTOOL_APP_BENCH_MODEL_EMULATOR_STATE_H

#include <mutex>

#include "app/bench/model/cuda/cuda_runtime.h"
#include "app/bench/model/emulator/context.h"
#include "app/bench/model/emulator/emulator.h"

namespace emulator
{

constexpr int WARP = 32;

/* An event in the trace of a thread: it entered a basic block or accessed memory. Events are in
 * program order. */
enum EventKind : uint8_t { ENTER, SHARED_READ, SHARED_WRITE, GLOBAL_READ, GLOBAL_WRITE };

struct Event {
    const void *site; /* address in the code */
    uintptr_t address;
    uint8_t size;
    EventKind kind;
    uint32_t rank; /* rank of the basic block that contains it (flow.h) */
};

enum ThreadState { READY, AT_BARRIER, AT_WARP, DONE };

struct WarpRequest {
    WarpOperation operation;
    bool exchanging; /* true for an operation that exchanges values, false for __syncwarp */
    unsigned mask;
    uint64_t value;
    int operand, width;
};

struct Thread {
    Context context;
    void *fake_stack; /* the fake stack that AddressSanitizer keeps while another thread runs */
    int index;        /* index in the block; the lane is index % 32 */
    dim3 id;
    ThreadState state = DONE;
    const void *site; /* place of the code where it waits */
    WarpRequest request;
    std::vector<Event> trace;
};

/* State of the running block. */
struct Block {
    const void *kernel = nullptr;
    uint32_t serial = 0; /* serial number over all launches; never 0 while a block runs */
    dim3 grid, size, id;
    int threads = 0;
    size_t dynamic_bytes = 0;
    uint32_t barriers = 0;            /* number of barriers that the block has passed */
    std::vector<uint32_t> warp_syncs; /* number of synchronisations that each warp has passed */
    /* the thread that runs; NULL between threads, and outside launches */
    Thread *running = nullptr;
};

extern Block block;

/* Only one launch, allocation or query of a launch's result runs at a time. */
extern std::mutex turn;

/* launch.cpp: appends an event to the trace of the running thread. */
void record(EventKind kind, const void *site, uintptr_t address, int size);

/* memory.cpp: checks and records an access of the running thread if the address is in device or
 * shared memory. Other memory is private to the thread. */
void touch(const void *address, int size, bool writes, bool atomic, const void *site);
bool prepare_memory(); /* false if memory is short */
void begin_block_memory();
void *device_allocate(size_t size); /* NULL if there is no space */
void device_release(void *memory);

/* runtime.cpp: set the result of cudaGetLastError, and return whether it is a failure. */
void fail_launch(cudaError_t code);
bool has_failed();

/* faults.cpp: records a fault. */
void report(FaultKind kind, const void *site, const Thread &thread, const std::string &what);
bool faulted_since_launch();
void begin_launch_faults();
const std::string &last_fault();

/* count.cpp: adds the counts that follow from the traces of a block's threads. */
void count_block(const std::vector<Thread *> &threads);
void count_launch(const void *kernel);

/* sites_unknown.cpp or tests/emulator/sites.cpp: returns the source position of a code address.
 * With inlined code it is the innermost frame outside the emulator's headers. */
struct Place {
    std::string function, file;
    int line;
};
const Place &place_of(const void *site);
std::string kernel_name(const void *kernel);

} // namespace emulator

#endif
