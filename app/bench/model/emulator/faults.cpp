/* Records faults, at most one of a kind per launch and place of the code. */
#include <stdio.h>

#include <set>

#include "app/bench/model/emulator/state.h"

/* Registers a function that a sanitizer calls before it ends the program. NULL in a program without
 * a sanitizer. */
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*)(void));

namespace emulator
{

namespace
{

std::vector<Fault> found;
/* kind and place of each fault of the current launch; further faults of the same kind and place are
 * not reported */
std::set<std::pair<FaultKind, const void *>> reported;
constexpr size_t MOST_PRINTED = 20;

std::string where(const Thread &thread)
{
    char text[120];
    snprintf(text, sizeof text, "block (%u, %u, %u), thread (%u, %u, %u)", block.id.x, block.id.y,
             block.id.z, thread.id.x, thread.id.y, thread.id.z);
    std::string kernel = kernel_name(block.kernel);
    return kernel.empty() ? text : "kernel " + kernel + ": " + text;
}

/* Prints the kernel's thread that was running. The reports of AddressSanitizer and UBSan do not
 * contain it. */
void print_running_thread()
{
    if (block.running != nullptr)
        fprintf(stderr, "That was in %s\n", where(*block.running).c_str());
}

struct DeathNotice {
    DeathNotice()
    {
        if (__sanitizer_set_death_callback != nullptr)
            __sanitizer_set_death_callback(print_running_thread);
    }
} death_notice;

} // namespace

const char *fault_name(FaultKind kind)
{
    switch (kind) {
    case OUT_OF_RANGE_GLOBAL:
        return "out-of-range global access";
    case OUT_OF_RANGE_SHARED:
        return "out-of-range shared access";
    case UNINITIALISED_SHARED:
        return "uninitialised shared read";
    case RACE:
        return "race";
    case BARRIER:
        return "barrier that not all threads reach";
    }
    return "?";
}

void report(FaultKind kind, const void *site, const Thread &thread, const std::string &what)
{
    if (!reported.insert({kind, site}).second)
        return;
    const Place &place = place_of(site);
    Fault fault = {kind, kernel_name(block.kernel), place.file, place.line, ""};
    if (!place.file.empty())
        fault.text = place.file + ":" + std::to_string(place.line) + ": ";
    fault.text += std::string(fault_name(kind)) + " in " + where(thread) + " " + what;
    if (options().reporting && found.size() < MOST_PRINTED)
        fprintf(stderr, "%s\n", fault.text.c_str());
    found.push_back(fault);
}

void begin_launch_faults()
{
    reported.clear();
}

bool faulted_since_launch()
{
    return !reported.empty();
}

const std::string &last_fault()
{
    static const std::string none;
    return found.empty() ? none : found.back().text;
}

const std::vector<Fault> &faults()
{
    return found;
}

void clear_faults()
{
    found.clear();
    reported.clear();
}

} // namespace emulator
