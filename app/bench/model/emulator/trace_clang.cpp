/* Functions that traced code calls at the start of every basic block and before every memory
 * access. Clang adds these calls with -fsanitize-coverage=trace-pc-guard,trace-loads,trace-stores.
 * Clang's documentation of SanitizerCoverage defines the functions. */
#include "app/bench/model/emulator/state.h"

using namespace emulator;

extern "C" {

void __tsan_init();
void __sanitizer_cov_trace_pc_guard_init(uint32_t *, uint32_t *);
void __sanitizer_cov_trace_pc_guard(uint32_t *);

/* Does nothing. Kernels are compiled with -fsanitize=thread only because clang then keeps the
 * structure of the code as written (see CMakeLists.txt). */
void __tsan_init()
{
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *, uint32_t *)
{
}

void __sanitizer_cov_trace_pc_guard(uint32_t *)
{
    if (block.running != nullptr)
        record(ENTER, __builtin_return_address(0), 0, 0);
}

#define DEFINE_ACCESS(BYTES)                                                                       \
    void __sanitizer_cov_load##BYTES(const void *address);                                         \
    void __sanitizer_cov_load##BYTES(const void *address)                                          \
    {                                                                                              \
        touch(address, BYTES, false, false, __builtin_return_address(0));                          \
    }                                                                                              \
    void __sanitizer_cov_store##BYTES(const void *address);                                        \
    void __sanitizer_cov_store##BYTES(const void *address)                                         \
    {                                                                                              \
        touch(address, BYTES, true, false, __builtin_return_address(0));                           \
    }

DEFINE_ACCESS(1)
DEFINE_ACCESS(2)
DEFINE_ACCESS(4)
DEFINE_ACCESS(8)
DEFINE_ACCESS(16)
}
