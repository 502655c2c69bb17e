/* From the traces of 32 threads to what their warp did together.
 *
 * A warp runs one instruction for all lanes that are at it. Which lanes meet where is found by
 * always letting the lanes at the first place of the code go on, so that those ahead wait for those
 * behind (Collange 2011, "Stack-less SIMT reconvergence at low cost"); it needs the code in the
 * order of its control flow (flow.h). */
#include <algorithm>
#include <map>

#include "kernels/emulator/flow.h"

namespace emulator
{

namespace
{

constexpr int BANKS = 32, WORD = 4, SECTOR = 32;

struct KernelTally {
    uint64_t launches = 0, blocks = 0, warps = 0, divergent_warps = 0;
    std::map<const void *, Counts> sites;
    Flow flow;
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
    /* The event that leads to the next piece of code, from the piece entered at `from`: its index,
     * or that of the end. */
    size_t next_entry(size_t from) const
    {
        size_t i = from + 1;
        while (i < trace->size() && (*trace)[i].kind != ENTER)
            i++;
        return i;
    }
    const void *piece_at(size_t i) const
    {
        return i < trace->size() ? (*trace)[i].site : nullptr;
    }
};

/* The pieces of code that a lane enters next, up to the first that touches memory, the end (NULL)
 * or SHORT_WAY of them. */
constexpr size_t SHORT_WAY = 4;
using Way = std::vector<const void *>;

Way way_of(const Lane &lane)
{
    Way way;
    size_t at = lane.next_entry(lane.next);
    bool touches = false;
    while (way.size() < SHORT_WAY && !touches) {
        way.push_back(lane.piece_at(at));
        if (way.back() == nullptr)
            break;
        size_t next = lane.next_entry(at);
        touches = next > at + 1;
        at = next;
    }
    return way;
}

/* Lanes that meet again before any of them has touched memory have not parted: what lies between is
 * a part of a condition, or short enough for predicates, and compilers, nvcc among them, differ in
 * the branches that they make of it. */
bool ways_part(const std::vector<Way> &ways)
{
    Way common = ways[0];
    for (const Way &way : ways) {
        auto elsewhere = [&](const void *piece) {
            return std::find(way.begin(), way.end(), piece) == way.end();
        };
        common.erase(std::remove_if(common.begin(), common.end(), elsewhere), common.end());
    }
    return common.empty();
}

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
            step(*next);
        tally_->warps++;
        tally_->divergent_warps += diverged_;
    }

  private:
    static bool before(const Event &a, const Event &b)
    {
        return a.rank != b.rank ? a.rank < b.rank : a.site < b.site;
    }

    /* The event at the first place. */
    const Event *behind_all() const
    {
        const Event *least = nullptr;
        for (const Lane &lane : lanes_)
            if (lane.now() != nullptr && (least == nullptr || before(*lane.now(), *least)))
                least = lane.now();
        return least;
    }

    void step(const Event &at)
    {
        std::vector<const Event *> events(WARP, nullptr);
        for (size_t i = 0; i < (size_t)WARP; i++)
            if (lanes_[i].now() != nullptr && lanes_[i].now()->site == at.site &&
                lanes_[i].now()->rank == at.rank)
                events[i] = lanes_[i].now();
        if (at.kind == ENTER)
            enter(at.site, events);
        else
            count_request(tally_->sites[at.site], at.kind, events);
        for (size_t i = 0; i < (size_t)WARP; i++)
            if (events[i] != nullptr)
                lanes_[i].next++;
    }

    /* Lanes that enter a piece of code together and leave it for different ones diverge, at the
     * last event of the piece. */
    void enter(const void *site, const std::vector<const Event *> &events)
    {
        std::vector<Way> ways;
        const void *branch = site;
        for (size_t i = 0; i < (size_t)WARP; i++) {
            if (events[i] == nullptr)
                continue;
            ways.push_back(way_of(lanes_[i]));
            branch = lanes_[i].piece_at(lanes_[i].next_entry(lanes_[i].next) - 1);
        }
        if (ways_part(ways)) {
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
    tally.flow.rank(threads);
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

} // namespace emulator
