/* Edge guards for programs that contain libFuzzer.
 * The runtime of libFuzzer defines these functions only to print that they are obsolete. The linker
 * redirects calls to the functions below (--wrap). They do the same as the emulator's own in
 * app/bench/model/emulator/trace_clang.cpp. The fuzzer counts edges by other means. */
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
