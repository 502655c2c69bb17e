/* Reads settings from the environment, for programs that have no options for the emulator:
 *   EMULATOR_ORDER=forward|reverse|random   order of blocks and threads
 *   EMULATOR_SEED=N                         seed of the random order
 *   EMULATOR_COUNTS=1                       prints counts of accesses when the program ends */
#include "tests/emulator/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/model/emulator/emulator.h"

namespace
{

void print_row(const char *name, const emulator::Counts &c)
{
    printf("  %-44s %8llu %8llu %8llu %8llu %8llu %8llu %8llu %8llu %8llu\n", name,
           (unsigned long long)c.requests[0], (unsigned long long)c.wavefronts[0],
           (unsigned long long)c.requests[1], (unsigned long long)c.wavefronts[1],
           (unsigned long long)c.global_requests[0], (unsigned long long)c.global_sectors[0],
           (unsigned long long)c.global_requests[1], (unsigned long long)c.global_sectors[1],
           (unsigned long long)c.divergent_branches);
}

void print_counts()
{
    printf("requests and wavefronts of shared memory, requests and sectors of global memory, each "
           "read then written; branches that split a warp\n");
    printf("  %-44s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "", "sh.read", "wavefr.", "sh.write",
           "wavefr.", "read", "sectors", "write", "sectors", "split");
    for (const emulator::KernelCounts &kernel : emulator::counts()) {
        printf("%s: %llu launches, %llu blocks, %llu warps, %llu of them split\n",
               kernel.kernel.c_str(), (unsigned long long)kernel.launches,
               (unsigned long long)kernel.blocks, (unsigned long long)kernel.warps,
               (unsigned long long)kernel.divergent_warps);
        print_row("all", kernel.all);
        for (const emulator::LineCounts &line : kernel.lines) {
            size_t slash = line.file.rfind('/');
            std::string name = line.file.substr(slash == std::string::npos ? 0 : slash + 1);
            print_row((name + ":" + std::to_string(line.line)).c_str(), line.counts);
        }
    }
}

struct Settings {
    Settings()
    {
        emulator::options().reporting = true;
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
        atexit(print_counts);
    }
} settings;

} // namespace

void emulator_set_order(int order, uint64_t seed)
{
    static const emulator::Order orders[] = {emulator::FORWARD, emulator::REVERSE,
                                             emulator::RANDOM};
    emulator::options().order = orders[order];
    emulator::options().seed = seed;
}

uint64_t emulator_faults(void)
{
    return emulator::faults().size();
}
