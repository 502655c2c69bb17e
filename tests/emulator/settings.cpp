/* For programs that know nothing of the emulator: options from the environment.
 *   EMULATOR_ORDER=forward|reverse|random   EMULATOR_SEED=N   EMULATOR_COUNTS=1 (printed at the
 * end)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/emulator/emulator.h"

namespace
{

/* In the order of the columns of print_counts, comma-separated. */
void print_launch()
{
    for (const emulator::KernelCounts &kernel : emulator::counts()) {
        const emulator::Counts &c = kernel.all;
        printf("COUNTS,\"%s\"", kernel.kernel.c_str());
        for (uint64_t value :
             {c.requests[0], c.wavefronts[0], c.requests[1], c.wavefronts[1], c.global_requests[0],
              c.global_sectors[0], c.global_requests[1], c.global_sectors[1], c.divergent_branches})
            printf(",%llu", (unsigned long long)value);
        printf("\n");
    }
    emulator::clear_counts();
}

struct Settings {
    Settings()
    {
        const char *order = getenv("EMULATOR_ORDER"), *seed = getenv("EMULATOR_SEED");
        if (order != nullptr && strcmp(order, "reverse") == 0)
            emulator::options().order = emulator::REVERSE;
        if (order != nullptr && strcmp(order, "random") == 0)
            emulator::options().order = emulator::RANDOM;
        if (seed != nullptr)
            emulator::options().seed = strtoull(seed, nullptr, 0);
        const char *counts = getenv("EMULATOR_COUNTS");
        if (counts == nullptr)
            return;
        emulator::options().counting = true;
        if (strcmp(counts, "launches") == 0)
            emulator::options().after_launch = print_launch;
        else
            atexit(emulator::print_counts);
    }
} settings;

} // namespace
