/* Converts code addresses to source lines with the program addr2line of binutils. */
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <map>

#include "app/bench/model/emulator/state.h"

namespace emulator
{

namespace
{

int take_first_base(struct dl_phdr_info *info, size_t, void *base)
{
    *(uintptr_t *)base = info->dlpi_addr;
    return 1;
}

/* Returns the address at which the program was loaded. An address in memory minus the load address
 * is the address in the file. */
uintptr_t load_base()
{
    uintptr_t base = 0;
    dl_iterate_phdr(take_first_base, &base);
    return base;
}

/* Returns the name and "file:line" of each function whose code is at `address`. Inlined functions
 * come first, the innermost one at the front. */
std::vector<std::pair<std::string, std::string>> frames_at(uintptr_t address)
{
    char program[4096], command[4352], line[4096];
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    program[size > 0 ? size : 0] = '\0';
    snprintf(command, sizeof command, "addr2line -C -f -i -e '%s' 0x%zx", program,
             (size_t)(address - load_base()));
    std::vector<std::string> lines;
    FILE *output = popen(command, "r");
    while (output != nullptr && fgets(line, sizeof line, output) != nullptr)
        lines.push_back(std::string(line, strcspn(line, "\n")));
    if (output != nullptr)
        pclose(output);
    std::vector<std::pair<std::string, std::string>> frames;
    for (size_t i = 0; i + 1 < lines.size(); i += 2)
        frames.push_back({lines[i], lines[i + 1]});
    return frames;
}

Place parse(const std::pair<std::string, std::string> &frame)
{
    size_t colon = frame.second.rfind(':');
    return {frame.first, frame.second.substr(0, colon), atoi(frame.second.c_str() + colon + 1)};
}

std::string without_prefix(std::string text, const char *prefix)
{
    size_t at;
    while ((at = text.find(prefix)) != std::string::npos)
        text.erase(at, strlen(prefix));
    return text;
}

} // namespace

const Place &place_of(const void *site)
{
    static auto &known =
        *new std::map<const void *, Place>(); /* never destroyed, because exit handlers use it */
    auto at = known.find(site);
    if (at != known.end())
        return at->second;
    Place place = {"?", "?", 0};
    for (const auto &frame :
         frames_at((uintptr_t)site - 1)) { /* minus 1: a return address is after its call */
        place = parse(frame);
        if (place.file.find("/emulator/cuda/") == std::string::npos)
            break;
    }
    return known[site] = place;
}

std::string kernel_name(const void *kernel)
{
    static auto &known = *new std::map<const void *, std::string>();
    std::string &name = known[kernel];
    if (name.empty()) {
        auto frames = frames_at((uintptr_t)kernel);
        name =
            frames.empty() ? "?" : without_prefix(frames.back().first, "(anonymous namespace)::");
        name = without_prefix(name, "void ");
        name = name.substr(0, name.find('('));
    }
    return name;
}

} // namespace emulator
