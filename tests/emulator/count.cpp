/* From the traces of 32 threads to what their warp did together.
 *
 * A warp runs one instruction for all lanes that are at it. Which lanes meet where is found by
 * always letting the lanes at the smallest place of the code go on, so that those ahead wait for
 * those behind (Collange 2011, "Stack-less SIMT reconvergence at low cost"); it needs the code of a
 * kernel in one piece, in the order of its control flow. */
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <map>

#include "tests/emulator/state.h"

namespace emulator
{

namespace
{

constexpr int BANKS = 32, WORD = 4, SECTOR = 32;

struct KernelTally {
    uint64_t launches = 0, blocks = 0, warps = 0, divergent_warps = 0;
    std::map<const void *, Counts> sites;
};

/* Never destroyed: they may be printed at the very end of the program. */
std::map<const void *, KernelTally> &tallies = *new std::map<const void *, KernelTally>();
std::vector<const void *> &launched = *new std::vector<const void *>(); /* by first launch */

/* --- What a request costs -------------------------------------------------------------------- */

using Words = std::vector<uintptr_t>;

/* The words that lanes [first, end) want, each once. */
Words words_of(const std::vector<const Event *> &lanes, int first, int end)
{
    Words words;
    for (int lane = first; lane < end; lane++) {
        const Event *event = lanes[(size_t)lane];
        if (event == nullptr)
            continue;
        uintptr_t last = (event->address + event->size - 1) / WORD;
        for (uintptr_t word = event->address / WORD; word <= last; word++)
            words.push_back(word);
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
}

/* A bank gives one word a wavefront, to as many lanes as want it. */
uint64_t deepest_bank(const Words &words)
{
    uint64_t depth[BANKS] = {0}, most = 0;
    for (uintptr_t word : words)
        most = max(most, ++depth[word % BANKS]);
    return most;
}

/* 8-byte accesses go by halves of the warp, 16-byte accesses by quarters, one after the other;
 * but two neighbours that want the same words are served together (measured: README.md). */
uint64_t wavefronts_of(const std::vector<const Event *> &lanes)
{
    int bytes = WORD;
    for (const Event *event : lanes)
        if (event != nullptr)
            bytes = max(bytes, (int)event->size);
    int together = WARP * WORD / bytes;
    uint64_t total = 0;
    for (int first = 0; first < WARP; first += 2 * together) {
        Words words = words_of(lanes, first, min(first + together, WARP));
        Words next = words_of(lanes, first + together, min(first + 2 * together, WARP));
        total += deepest_bank(words);
        if (next != words)
            total += deepest_bank(next);
    }
    return total;
}

uint64_t sectors_of(const std::vector<const Event *> &lanes)
{
    std::vector<uintptr_t> sectors;
    for (const Event *event : lanes) {
        if (event == nullptr)
            continue;
        for (uintptr_t s = event->address / SECTOR;
             s <= (event->address + event->size - 1) / SECTOR; s++)
            if (std::find(sectors.begin(), sectors.end(), s) == sectors.end())
                sectors.push_back(s);
    }
    return sectors.size();
}

void count_request(Counts &counts, EventKind kind, const std::vector<const Event *> &lanes)
{
    bool writes = kind == SHARED_WRITE || kind == GLOBAL_WRITE;
    if (kind == SHARED_READ || kind == SHARED_WRITE) {
        counts.requests[writes]++;
        counts.wavefronts[writes] += wavefronts_of(lanes);
    } else {
        counts.global_requests[writes]++;
        counts.global_sectors[writes] += sectors_of(lanes);
    }
}

/* --- A warp ---------------------------------------------------------------------------------- */

struct Lane {
    const std::vector<Event> *trace = nullptr;
    size_t next = 0;

    const Event *now() const
    {
        return trace != nullptr && next < trace->size() ? &(*trace)[next] : nullptr;
    }
    /* The piece of code that this thread enters after the one it enters now; NULL: it ends. The
     * place of the branch, the last event of this piece, goes to `branch`. */
    const void *entered_after(const void **branch) const
    {
        for (size_t i = next + 1; i < trace->size(); i++) {
            if ((*trace)[i].kind == ENTER)
                return (*trace)[i].site;
            *branch = (*trace)[i].site;
        }
        return nullptr;
    }
};

class Warp
{
  public:
    Warp(KernelTally *tally, const std::vector<Thread *> &threads, size_t first) : tally_(tally)
    {
        for (size_t i = 0; i < (size_t)WARP && first + i < threads.size(); i++)
            lanes_[i].trace = &threads[first + i]->trace;
    }

    void run()
    {
        while (const Event *next = behind_all())
            step(next->site, next->kind);
        tally_->warps++;
        tally_->divergent_warps += diverged_;
    }

  private:
    /* The event at the smallest place. */
    const Event *behind_all() const
    {
        const Event *least = nullptr;
        for (const Lane &lane : lanes_)
            if (lane.now() != nullptr && (least == nullptr || lane.now()->site < least->site))
                least = lane.now();
        return least;
    }

    void step(const void *site, EventKind kind)
    {
        std::vector<const Event *> events(WARP, nullptr);
        for (size_t i = 0; i < (size_t)WARP; i++)
            if (lanes_[i].now() != nullptr && lanes_[i].now()->site == site)
                events[i] = lanes_[i].now();
        if (kind == ENTER)
            enter(site, events);
        else
            count_request(tally_->sites[site], kind, events);
        for (size_t i = 0; i < (size_t)WARP; i++)
            if (events[i] != nullptr)
                lanes_[i].next++;
    }

    /* Lanes that enter a piece of code together and leave it for different ones diverge. */
    void enter(const void *site, const std::vector<const Event *> &events)
    {
        bool first = true, differs = false;
        const void *target = nullptr, *branch = site;
        for (size_t i = 0; i < (size_t)WARP; i++) {
            if (events[i] == nullptr)
                continue;
            const void *goes = lanes_[i].entered_after(&branch);
            differs |= !first && goes != target;
            target = goes;
            first = false;
        }
        if (differs) {
            tally_->sites[branch].divergent_branches++;
            diverged_ = true;
        }
    }

    KernelTally *tally_;
    Lane lanes_[WARP];
    bool diverged_ = false;
};

KernelCounts by_line(const void *kernel, const KernelTally &tally)
{
    KernelCounts result;
    result.kernel = kernel_name(kernel);
    result.launches = tally.launches;
    result.blocks = tally.blocks;
    result.warps = tally.warps;
    result.divergent_warps = tally.divergent_warps;
    std::map<std::pair<std::string, int>, Counts> lines;
    for (const auto &site : tally.sites) {
        const Place &place = place_of(site.first);
        lines[{place.file, place.line}].add(site.second);
        result.all.add(site.second);
    }
    for (const auto &line : lines)
        result.lines.push_back({line.first.first, line.first.second, line.second});
    return result;
}

void print_row(const char *name, const Counts &c)
{
    printf("  %-44s %8llu %8llu %8llu %8llu %8llu %8llu %8llu %8llu %8llu\n", name,
           (unsigned long long)c.requests[0], (unsigned long long)c.wavefronts[0],
           (unsigned long long)c.requests[1], (unsigned long long)c.wavefronts[1],
           (unsigned long long)c.global_requests[0], (unsigned long long)c.global_sectors[0],
           (unsigned long long)c.global_requests[1], (unsigned long long)c.global_sectors[1],
           (unsigned long long)c.divergent_branches);
}

} // namespace

void Counts::add(const Counts &other)
{
    for (int i = 0; i < 2; i++) {
        requests[i] += other.requests[i];
        wavefronts[i] += other.wavefronts[i];
        global_requests[i] += other.global_requests[i];
        global_sectors[i] += other.global_sectors[i];
    }
    divergent_branches += other.divergent_branches;
}

void count_launch(const void *kernel)
{
    if (tallies.find(kernel) == tallies.end())
        launched.push_back(kernel);
    tallies[kernel].launches++;
}

void count_block(const std::vector<Thread *> &threads)
{
    KernelTally &tally = tallies[block.kernel];
    tally.blocks++;
    for (size_t first = 0; first < threads.size(); first += WARP)
        Warp(&tally, threads, first).run();
}

std::vector<KernelCounts> counts()
{
    std::vector<KernelCounts> result;
    result.reserve(launched.size());
    for (const void *kernel : launched)
        result.push_back(by_line(kernel, tallies[kernel]));
    return result;
}

void clear_counts()
{
    tallies.clear();
    launched.clear();
}

void print_counts()
{
    printf("requests and wavefronts of shared memory, requests and sectors of global memory, each "
           "read then written; branches that split a warp\n");
    printf("  %-44s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "", "sh.read", "wavefr.", "sh.write",
           "wavefr.", "read", "sectors", "write", "sectors", "split");
    for (const KernelCounts &kernel : counts()) {
        printf("%s: %llu launches, %llu blocks, %llu warps, %llu of them split\n",
               kernel.kernel.c_str(), (unsigned long long)kernel.launches,
               (unsigned long long)kernel.blocks, (unsigned long long)kernel.warps,
               (unsigned long long)kernel.divergent_warps);
        print_row("all", kernel.all);
        for (const LineCounts &line : kernel.lines) {
            size_t slash = line.file.rfind('/');
            std::string name = line.file.substr(slash == std::string::npos ? 0 : slash + 1);
            print_row((name + ":" + std::to_string(line.line)).c_str(), line.counts);
        }
    }
}

} // namespace emulator
