/* The functions that clang's -fsanitize-coverage=trace-pc-guard calls, for programs that contain
 * libFuzzer. The runtime of libFuzzer defines these functions, too, but its versions only print
 * that they are obsolete. So the linker redirects the calls to the functions below (--wrap), which
 * do the same as those in app/bench/model/emulator/trace_clang.cpp. libFuzzer itself counts edges
 * by other means. */
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
