/* Functions that traced code calls before every memory access and at the start of every basic
 * block. GCC adds these calls with -fsanitize=thread and -fsanitize-coverage=trace-pc. No other
 * function of the thread sanitizer is called, so its library is not linked. GCC's file
 * sanitizer.def has the names. */
#include "app/bench/model/emulator/state.h"

using namespace emulator;

namespace
{

/* Records an access to a range of `size` bytes, such as the copy of a structure. A GPU would make
 * one access for each naturally aligned part of the range. */
void touch_range(const void *memory, size_t size, bool writes, const void *site)
{
    auto *part = (const uint8_t *)memory;
    while (size > 0) {
        int bytes = 16;
        while ((size_t)bytes > size || (uintptr_t)part % (unsigned)bytes != 0)
            bytes /= 2;
        touch(part, bytes, writes, false, site);
        part += bytes;
        size -= (size_t)bytes;
    }
}

} // namespace

extern "C" {

void __tsan_init();
void __tsan_func_entry(void *);
void __tsan_func_exit(void *);
void __tsan_read_range(const void *, size_t);
void __tsan_write_range(const void *, size_t);
void __sanitizer_cov_trace_pc();

void __tsan_init()
{
}

void __tsan_func_entry(void *)
{
}

void __tsan_func_exit(void *)
{
}

void __tsan_read_range(const void *memory, size_t size)
{
    touch_range(memory, size, false, __builtin_return_address(0));
}

void __tsan_write_range(const void *memory, size_t size)
{
    touch_range(memory, size, true, __builtin_return_address(0));
}

void __sanitizer_cov_trace_pc()
{
    if (block.running != nullptr)
        record(ENTER, __builtin_return_address(0), 0, 0);
}

#define DEFINE_ACCESS(BYTES)                                                                       \
    void __tsan_read##BYTES(const void *address);                                                  \
    void __tsan_read##BYTES(const void *address)                                                   \
    {                                                                                              \
        touch(address, BYTES, false, false, __builtin_return_address(0));                          \
    }                                                                                              \
    void __tsan_write##BYTES(const void *address);                                                 \
    void __tsan_write##BYTES(const void *address)                                                  \
    {                                                                                              \
        touch(address, BYTES, true, false, __builtin_return_address(0));                           \
    }

DEFINE_ACCESS(1)
DEFINE_ACCESS(2)
DEFINE_ACCESS(4)
DEFINE_ACCESS(8)
DEFINE_ACCESS(16)
}
