/* For programs with libFuzzer. Its runtime defines functions for edge guards that only report that
 * they are no longer used. The linker redirects calls of them to these functions, which do the same
 * as those of the emulator (app/bench/model/emulator/trace_clang.cpp). The fuzzer itself counts
 * edges in another way. */
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
