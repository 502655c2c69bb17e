/* Runs the threads of a block as fibers (context.h), one at a time. If a thread must wait for
 * others, its fiber switches to the scheduler, which resumes another one. */
#include <sys/mman.h>

#include <memory>
#include <random>

#include "app/bench/model/emulator/state.h"

/* Functions of AddressSanitizer. They announce which stack is in use, and that a stack is empty
 * again. NULL in a program without AddressSanitizer. */
extern "C" {
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void *, size_t);
__attribute__((weak)) void __sanitizer_start_switch_fiber(void **fake, const void *, size_t);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(void *fake, const void **, size_t *);
}

dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace emulator
{

Block block;
std::mutex turn;

namespace
{

constexpr size_t STACK_BYTES = 64 << 10;
constexpr int MOST_THREADS = 1024;

Context scheduler;
void *scheduler_fake_stack;
const void *scheduler_stack;
size_t scheduler_stack_bytes;
const std::function<void()> *body;
/* all threads with their stacks; later blocks use them again */
std::vector<std::unique_ptr<Thread>> pool;
std::vector<Thread *> threads; /* threads of the running block, by index */
std::mt19937_64 random_order;
Options all_options;

/* STRIDE is the distance of the stacks in bytes. A guard page precedes each stack, so that an
 * overflow is detected. */
constexpr size_t PAGE = 4096, STRIDE = STACK_BYTES + PAGE;
uint8_t *stacks;

bool prepare_stacks()
{
    if (stacks != nullptr)
        return true;
    void *memory = mmap(nullptr, STRIDE * MOST_THREADS, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    for (int i = 0; i < MOST_THREADS; i++)
        if (mprotect((uint8_t *)memory + (size_t)i * STRIDE + PAGE, STACK_BYTES,
                     PROT_READ | PROT_WRITE))
            return false;
    stacks = (uint8_t *)memory;
    return true;
}

void *stack_of(int index)
{
    return stacks + (size_t)index * STRIDE + PAGE;
}

void enter_scheduler(Thread *thread)
{
    if (__sanitizer_start_switch_fiber != nullptr)
        __sanitizer_start_switch_fiber(thread->state == DONE ? nullptr : &thread->fake_stack,
                                       scheduler_stack, scheduler_stack_bytes);
    context_switch(&thread->context, &scheduler);
    if (__sanitizer_finish_switch_fiber != nullptr)
        __sanitizer_finish_switch_fiber(thread->fake_stack, nullptr, nullptr);
}

void thread_main()
{
    Thread *self = block.running;
    if (__sanitizer_finish_switch_fiber != nullptr)
        __sanitizer_finish_switch_fiber(nullptr, &scheduler_stack, &scheduler_stack_bytes);
    (*body)();
    self->state = DONE;
    enter_scheduler(self);
}

void resume(Thread *thread)
{
    block.running = thread;
    threadIdx = thread->id;
    thread->state = READY;
    if (__sanitizer_start_switch_fiber != nullptr)
        __sanitizer_start_switch_fiber(&scheduler_fake_stack, stack_of(thread->index), STACK_BYTES);
    context_switch(&scheduler, &thread->context);
    if (__sanitizer_finish_switch_fiber != nullptr)
        __sanitizer_finish_switch_fiber(scheduler_fake_stack, nullptr, nullptr);
    block.running = nullptr;
}

void wait_as(ThreadState state, const void *site)
{
    Thread *self = block.running;
    self->state = state;
    self->site = site;
    enter_scheduler(self);
}

void start_thread(int index)
{
    if ((size_t)index >= pool.size())
        pool.push_back(std::make_unique<Thread>());
    Thread *thread = pool[(size_t)index].get();
    threads.push_back(thread);
    thread->index = index;
    thread->id = dim3((unsigned)index % block.size.x, (unsigned)index / block.size.x % block.size.y,
                      (unsigned)index / (block.size.x * block.size.y));
    thread->fake_stack = nullptr;
    thread->trace.clear();
    /* An earlier thread on this stack was abandoned, so AddressSanitizer still treats parts of the
     * stack as inaccessible. */
    if (thread->state != DONE && __asan_unpoison_memory_region != nullptr)
        __asan_unpoison_memory_region(stack_of(index), STACK_BYTES);
    thread->state = READY;
    context_make(&thread->context, stack_of(index), STACK_BYTES, thread_main);
}

std::vector<int> ordered(int count)
{
    std::vector<int> order((size_t)count);
    for (int i = 0; i < count; i++)
        order[(size_t)i] = options().order == REVERSE ? count - 1 - i : i;
    if (options().order == RANDOM)
        std::shuffle(order.begin(), order.end(), random_order);
    return order;
}

/* --- Warp-wide operations --------------------------------------------------------------------- */

uint64_t combined(const std::vector<Thread *> &lanes, const Thread &self)
{
    const WarpRequest &r = self.request;
    int lane = self.index % WARP, first = lane / r.width * r.width, from = lane;
    uint64_t result = r.operation == MINIMUM ? UINT64_MAX : 0;
    switch (r.operation) {
    case SHUFFLE:
        from = first + (r.operand & (r.width - 1));
        break;
    case SHUFFLE_UP:
        from = lane - r.operand < first ? lane : lane - r.operand;
        break;
    case SHUFFLE_DOWN:
        from = lane + r.operand >= first + r.width ? lane : lane + r.operand;
        break;
    case SHUFFLE_XOR:
        from = (lane ^ r.operand) >= first + r.width ? lane : lane ^ r.operand;
        break;
    default:
        for (const Thread *other : lanes) {
            uint64_t v = other->request.value;
            if (r.operation == BALLOT)
                result |= v << other->index % WARP;
            if (r.operation == ADD)
                result = (uint32_t)(result + v);
            if (r.operation == MINIMUM)
                result = min(result, v);
            if (r.operation == MAXIMUM)
                result = max(result, v);
        }
        return result;
    }
    for (const Thread *other : lanes)
        if (other->index % WARP == from)
            return other->request.value;
    return r.value; /* The source lane is inactive. On a GPU the result is then undefined. */
}

/* Returns the lanes that synchronise with `thread`, if all of them have arrived at the same place.
 * Otherwise returns an empty list. */
std::vector<Thread *> assembled(const Thread &thread)
{
    std::vector<Thread *> lanes;
    int first = thread.index / WARP * WARP, end = min(first + WARP, block.threads);
    for (int i = first; i < end; i++) {
        Thread *other = threads[(size_t)i];
        if (!(thread.request.mask >> i % WARP & 1) || other->state == DONE)
            continue;
        if (other->state != AT_WARP || other->site != thread.site)
            return {};
        lanes.push_back(other);
    }
    return lanes;
}

bool release_warps()
{
    bool any = false;
    for (int i = 0; i < block.threads; i++) {
        if (threads[(size_t)i]->state != AT_WARP)
            continue;
        std::vector<Thread *> lanes = assembled(*threads[(size_t)i]);
        if (lanes.empty())
            continue;
        if (lanes[0]->request.exchanging) {
            std::vector<uint64_t> results;
            results.reserve(lanes.size());
            for (const Thread *lane : lanes)
                results.push_back(combined(lanes, *lane));
            for (size_t k = 0; k < lanes.size(); k++)
                lanes[k]->request.value = results[k];
        }
        for (Thread *lane : lanes)
            lane->state = READY;
        block.warp_syncs[(size_t)i / WARP]++;
        any = true;
    }
    return any;
}

/* --- Barriers --------------------------------------------------------------------------------- */

void report_stuck(const Thread &waiting, const Thread &other)
{
    std::string what = "waits for thread (" + std::to_string(other.id.x) + ", " +
                       std::to_string(other.id.y) + ", " + std::to_string(other.id.z) + "), which ";
    if (other.state == DONE)
        what += "has ended";
    else if (place_of(other.site).file.empty())
        what += "waits elsewhere";
    else
        what += "waits at " + place_of(other.site).file + ":" +
                std::to_string(place_of(other.site).line);
    report(BARRIER, waiting.site, waiting, what);
}

/* Releases the threads if all of them wait at the same barrier. Otherwise they would wait forever.
 * The function then reports a fault and returns false, and the block is abandoned. Call it only if
 * at least one thread is not done. */
bool release_barrier()
{
    size_t i = 0;
    while (threads[i]->state == DONE)
        i++;
    const Thread &first = *threads[i];
    for (const Thread *other : threads) {
        if (other != &first && (other->state != AT_BARRIER || other->site != first.site)) {
            report_stuck(first, *other);
            return false;
        }
    }
    if (first.state != AT_BARRIER) {
        report(BARRIER, first.site, first, "waits for lanes that its mask names wrongly");
        return false;
    }
    for (Thread *thread : threads)
        thread->state = READY;
    block.barriers++;
    return true;
}

bool all_done()
{
    for (const Thread *thread : threads)
        if (thread->state != DONE)
            return false;
    return true;
}

void run_block(dim3 id)
{
    block.id = blockIdx = id;
    block.serial++;
    block.barriers = 0;
    block.warp_syncs.assign((size_t)(block.threads + WARP - 1) / WARP, 0);
    begin_block_memory();
    threads.clear();
    for (int i = 0; i < block.threads; i++)
        start_thread(i);
    for (;;) {
        for (int i : ordered(block.threads))
            if (threads[(size_t)i]->state == READY)
                resume(threads[(size_t)i]);
        if (all_done())
            break;
        if (!release_warps() && !release_barrier())
            return;
    }
    if (options().counting)
        count_block(threads);
}

} // namespace

Options &options()
{
    return all_options;
}

void record(EventKind kind, const void *site, uintptr_t address, int size)
{
    if (options().counting)
        block.running->trace.push_back({site, address, (uint8_t)size, kind, 0});
}

uint64_t warp_exchange(WarpOperation operation, unsigned mask, uint64_t value, int operand,
                       int width)
{
    block.running->request = {operation, true, mask, value, operand, width};
    wait_as(AT_WARP, __builtin_return_address(0));
    return block.running->request.value;
}

void launch(const void *kernel, dim3 grid, dim3 block_size, size_t dynamic_bytes,
            const std::function<void()> &thread)
{
    if (has_failed()) /* After a failure, launches do nothing, like IMG_LAUNCH on a GPU. */
        return;
    const cudaError_t refused = options().refuse != nullptr ? options().refuse() : cudaSuccess;
    if (refused != cudaSuccess) {
        fail_launch(refused);
        return;
    }
    std::lock_guard<std::mutex> lock(turn);
    begin_launch_faults();
    if (!prepare_stacks() || !prepare_memory()) {
        fail_launch(cudaErrorMemoryAllocation);
        return;
    }
    int64_t blocks = (int64_t)grid.x * grid.y * grid.z;
    int64_t size = (int64_t)block_size.x * block_size.y * block_size.z;
    if (size < 1 || size > MOST_THREADS || blocks < 1 || blocks > INT32_MAX) {
        fail_launch(cudaErrorInvalidConfiguration);
        return;
    }
    body = &thread;
    block.kernel = kernel;
    block.grid = gridDim = grid;
    block.size = blockDim = block_size;
    block.threads = (int)size;
    block.dynamic_bytes = dynamic_bytes;
    random_order.seed(options().seed);
    if (options().counting)
        count_launch(kernel);
    for (int i : ordered((int)blocks))
        run_block(dim3((unsigned)i % grid.x, (unsigned)i / grid.x % grid.y,
                       (unsigned)i / (grid.x * grid.y)));
}

} // namespace emulator

void __syncthreads()
{
    emulator::wait_as(emulator::AT_BARRIER, __builtin_return_address(0));
}

void __syncwarp(unsigned mask)
{
    emulator::block.running->request = {emulator::SHUFFLE, false, mask, 0, 0, 32};
    emulator::wait_as(emulator::AT_WARP, __builtin_return_address(0));
}
