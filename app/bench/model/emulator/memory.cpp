/* Device memory and shared memory of the emulator. Every access is checked: it must be within an
 * allocation. A byte of shared memory must be written before it is read. If two threads access the
 * same byte, a barrier must order their accesses. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <map>
#include <new>

#include "app/bench/model/emulator/state.h"

namespace emulator
{

namespace
{

/* A gap of DEVICE_GAP bytes follows each array. The gaps are mapped but belong to no array, so a
 * stray access there is harmless, and is detected. */
constexpr size_t DEVICE_BYTES = (size_t)4 << 30, DEVICE_GAP = 64 << 10, DEVICE_ALIGNMENT = 512;
/* SHARED_BYTES is the total size of shared memory. SHARED_GAP is the alignment of its arrays, a
 * multiple of 128 bytes (32 banks). */
constexpr size_t SHARED_BYTES = 1 << 20, SHARED_GAP = 4096;

struct Arena {
    /* start address and size in bytes; both 0: the system had no memory */
    uintptr_t start = 0, size = 0;
    explicit Arena(size_t bytes)
    {
        void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            return;
        start = (uintptr_t)memory;
        size = bytes;
    }
    void *base() const
    {
        if (start == 0) { /* Without memory no kernel can run, so the program ends. */
            if (std::get_new_handler() != nullptr)
                std::get_new_handler()();
            abort();
        }
        return (void *)start;
    }
    bool holds(uintptr_t address) const
    {
        return address - start < size;
    }
};

Arena &device_arena()
{
    static Arena arena(DEVICE_BYTES);
    return arena;
}

Arena &shared_arena()
{
    static Arena arena(SHARED_BYTES);
    return arena;
}

/* size in bytes of each allocation of device memory, by its start address */
std::map<uintptr_t, size_t> allocations;

/* --- Shared memory ---------------------------------------------------------------------------- */

struct SharedArray {
    const void *site; /* place of the array's declaration in the code; NULL: the dynamic array */
    uintptr_t start;
    size_t size;
};
std::vector<SharedArray> arrays;
uintptr_t shared_end;

/* An access to a byte of shared memory: its thread, and the number of barriers that the thread had
 * passed before. */
struct Access {
    /* Serial number of the block that made the access. If it differs from the serial number of the
     * running block, the entry is out of date and counts as no access. */
    uint32_t block = 0;
    uint32_t barriers = 0, warp_syncs = 0;
    uint16_t thread = 0;
    bool atomic = false;
};

/* The last accesses to a byte of shared memory: the last write, and two reads that represent all
 * reads since then. The two reads are from different warps if possible, otherwise from different
 * threads. */
struct SharedByte {
    Access write, read, other_read;
};

/* Returns the SharedByte records of all bytes of shared memory. A record of zeros means that the
 * byte was not accessed. */
Arena &shared_notes()
{
    static Arena arena(SHARED_BYTES * sizeof(SharedByte));
    return arena;
}

Access access_of(const Thread &thread, bool atomic)
{
    return {block.serial, block.barriers, block.warp_syncs[(size_t)thread.index / WARP],
            (uint16_t)thread.index, atomic};
}

/* Returns true if `earlier` and `now` cannot conflict: they have the same thread, both are atomic,
 * a barrier is between them (for threads of a warp also __syncwarp), or `earlier` is of another
 * block. */
bool in_order(const Access &earlier, const Access &now)
{
    return earlier.block != now.block || earlier.thread == now.thread ||
           earlier.barriers != now.barriers || (earlier.atomic && now.atomic) ||
           (earlier.thread / WARP == now.thread / WARP && earlier.warp_syncs != now.warp_syncs);
}

void remember_read(SharedByte &byte, const Access &now)
{
    bool concurrent = byte.read.block == now.block && byte.read.thread != now.thread &&
                      byte.read.barriers == now.barriers;
    bool other_warp = byte.read.thread / WARP != now.thread / WARP;
    bool keeps_other = byte.other_read.block == now.block &&
                       byte.other_read.barriers == now.barriers &&
                       byte.other_read.thread / WARP != now.thread / WARP;
    if (concurrent && (other_warp || !keeps_other))
        byte.other_read = byte.read;
    byte.read = now;
}

std::string thread_name(int index)
{
    unsigned i = (unsigned)index, x = block.size.x, y = block.size.y;
    return "(" + std::to_string(i % x) + ", " + std::to_string(i / x % y) + ", " +
           std::to_string(i / (x * y)) + ")";
}

void check_shared_byte(SharedByte &byte, const Access &now, bool writes, const void *site)
{
    const Access *conflict = nullptr;
    if (!in_order(byte.write, now))
        conflict = &byte.write;
    if (writes && !in_order(byte.read, now))
        conflict = &byte.read;
    if (writes && !in_order(byte.other_read, now))
        conflict = &byte.other_read;
    if (conflict != nullptr)
        report(RACE, site, *block.running,
               std::string(writes ? "writes" : "reads") + " a shared word that thread " +
                   thread_name(conflict->thread) + (conflict == &byte.write ? " wrote" : " read") +
                   ", with no barrier between");
    if (!writes && byte.write.block != now.block)
        report(UNINITIALISED_SHARED, site, *block.running,
               "reads a shared word that no thread has written");
    if (writes)
        byte.write = now;
    else
        remember_read(byte, now);
}

bool inside_shared_array(uintptr_t address, int size)
{
    for (const SharedArray &array : arrays)
        if (address >= array.start && address + (size_t)size <= array.start + array.size)
            return true;
    return false;
}

void touch_shared(uintptr_t address, int size, bool writes, bool atomic, const void *site)
{
    if (!inside_shared_array(address, size)) {
        report(OUT_OF_RANGE_SHARED, site, *block.running,
               std::string(writes ? "writes " : "reads ") + std::to_string(size) +
                   " bytes outside every shared array");
        return;
    }
    Access now = access_of(*block.running, atomic);
    auto *bytes = (SharedByte *)shared_notes().base() + (address - shared_arena().start);
    for (int i = 0; i < size; i++) {
        if (atomic) /* An atomic operation reads the byte as well as writing it. */
            check_shared_byte(bytes[i], now, false, site);
        check_shared_byte(bytes[i], now, writes, site);
    }
    record(writes ? SHARED_WRITE : SHARED_READ, site, address, size);
}

void *add_shared_array(const void *site, size_t size)
{
    uintptr_t start = (shared_end + 2 * SHARED_GAP - 1) / SHARED_GAP * SHARED_GAP;
    if (start + size + SHARED_GAP > shared_arena().start + SHARED_BYTES)
        /* This cannot happen, because SHARED_BYTES is more shared memory than any GPU has. */
        abort();
    arrays.push_back({site, start, size});
    shared_end = start + size;
    return (void *)start;
}

/* --- Device memory ---------------------------------------------------------------------------- */

void touch_global(uintptr_t address, int size, bool writes, const void *site)
{
    auto next = allocations.upper_bound(address);
    if (next != allocations.begin()) {
        auto in = std::prev(next);
        if (address + (size_t)size <= in->first + in->second) {
            record(writes ? GLOBAL_WRITE : GLOBAL_READ, site, address, size);
            return;
        }
    }
    std::string what =
        std::string(writes ? "writes " : "reads ") + std::to_string(size) + " bytes ";
    if (next != allocations.begin())
        what += std::to_string(address - std::prev(next)->first) +
                " bytes after the start of an allocation of " +
                std::to_string(std::prev(next)->second);
    else
        what += "before every allocation";
    report(OUT_OF_RANGE_GLOBAL, site, *block.running, what);
}

} // namespace

bool prepare_memory()
{
    return device_arena().size > 0 && shared_arena().size > 0 && shared_notes().size > 0;
}

void begin_block_memory()
{
    arrays.clear();
    shared_end = shared_arena().start;
    /* Fills shared memory with 0xcd. With zeros, a read of uninitialised memory might give a
     * correct result. */
    memset(shared_arena().base(), 0xcd, SHARED_GAP + block.dynamic_bytes);
}

void touch(const void *address, int size, bool writes, bool atomic, const void *site)
{
    if (block.running == nullptr)
        return;
    uintptr_t at = (uintptr_t)address;
    if (shared_arena().holds(at))
        touch_shared(at, size, writes, atomic, site);
    else if (device_arena().holds(at))
        touch_global(at, size, writes, site);
}

void *shared_array(const void *site, size_t size)
{
    for (const SharedArray &array : arrays)
        if (array.site == site)
            return (void *)array.start;
    return add_shared_array(site, size);
}

void *dynamic_shared()
{
    return shared_array(nullptr, block.dynamic_bytes);
}

/* --- Atomics. Each is one access, and atomics need no order among each other ------------------ */

unsigned atomic32(AtomicOperation operation, unsigned *address, unsigned value)
{
    touch(address, sizeof *address, true, true, __builtin_return_address(0));
    unsigned old = *address;
    switch (operation) {
    case ATOMIC_ADD:
        *address = old + value;
        break;
    case ATOMIC_MIN:
        *address = min(old, value);
        break;
    case ATOMIC_MAX:
        *address = max(old, value);
        break;
    case ATOMIC_AND:
        *address = old & value;
        break;
    case ATOMIC_OR:
        *address = old | value;
        break;
    case ATOMIC_XOR:
        *address = old ^ value;
        break;
    case ATOMIC_EXCHANGE:
        *address = value;
        break;
    }
    return old;
}

unsigned long long atomic64(AtomicOperation operation, unsigned long long *address,
                            unsigned long long value)
{
    touch(address, sizeof *address, true, true, __builtin_return_address(0));
    unsigned long long old = *address;
    if (operation == ATOMIC_ADD)
        *address = old + value;
    else if (operation == ATOMIC_MAX)
        *address = value > old ? value : old;
    else
        abort(); /* This cannot happen: no kernel uses another 64-bit atomic. */
    return old;
}

float atomic_float_add(float *address, float value)
{
    touch(address, sizeof *address, true, true, __builtin_return_address(0));
    float old = *address;
    *address = old + value;
    return old;
}

unsigned compare_and_swap(unsigned *address, unsigned expected, unsigned value)
{
    touch(address, sizeof *address, true, true, __builtin_return_address(0));
    unsigned old = *address;
    if (old == expected)
        *address = value;
    return old;
}

/* Returns memory from the first gap between allocations that is large enough; NULL if there is
 * none. */
void *device_allocate(size_t size)
{
    uintptr_t start = device_arena().start + DEVICE_GAP, end = device_arena().start + DEVICE_BYTES;
    for (const auto &allocation : allocations) {
        if (start + size + DEVICE_GAP <= allocation.first)
            break;
        start = allocation.first + allocation.second + DEVICE_GAP;
        start = (start + DEVICE_ALIGNMENT - 1) / DEVICE_ALIGNMENT * DEVICE_ALIGNMENT;
    }
    if (device_arena().size == 0 || size > DEVICE_BYTES || start + size + DEVICE_GAP > end)
        return nullptr;
    allocations[start] = size;
    memset((void *)start, 0xcd, size);
    return (void *)start;
}

void device_release(void *memory)
{
    allocations.erase((uintptr_t)memory);
}

} // namespace emulator
