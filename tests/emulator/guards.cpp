/* For programs of libFuzzer, whose runtime has functions of its own for guards of edges, which only
 * say that they are no longer used: the linker leads calls of them to these, which do what the
 * emulator's do (app/bench/model/emulator/trace_clang.cpp). The fuzzer counts in another way. */
#include "app/bench/model/emulator/state.h"

using namespace emulator;

extern "C" {

void __wrap___sanitizer_cov_trace_pc_guard_init(uint32_t *, uint32_t *);
void __wrap___sanitizer_cov_trace_pc_guard(uint32_t *);

void __wrap___sanitizer_cov_trace_pc_guard_init(uint32_t *, uint32_t *)
{
}

void __wrap___sanitizer_cov_trace_pc_guard(uint32_t *)
{
    if (block.running != nullptr)
        record(ENTER, __builtin_return_address(0), 0, 0);
}
}
