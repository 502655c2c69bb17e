/* Computes the instructions of a warp from the traces of its 32 threads.
 *
 * A warp runs an instruction once for all lanes that have reached it. Lanes that took different
 * branches reconverge by a simple rule. The lanes at the earliest place of the code run first, and
 * the other lanes wait for them. (Collange 2011, "Stack-less SIMT reconvergence at low cost".) The
 * rule requires that the code is in the order of its control flow (flow.h). */
#include <stdlib.h>

#include <algorithm>
#include <map>

#include "app/bench/model/emulator/flow.h"

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

struct Tallies {
    std::map<const void *, KernelTally> by_kernel;
    std::vector<const void *> launched; /* kernels in the order of their first launch */
};

/* The tables of counts are created on first use, because a program that does not count needs no
 * memory for them. They are never destroyed, because the program may print them at its very end. */
Tallies &tallies()
{
    static Tallies &only = *new Tallies();
    return only;
}

/* A list of at most MOST values that allocates no memory, because counting makes several lists for
 * each request of a warp. */
template <typename T, size_t MOST> class ShortList
{
  public:
    T *begin()
    {
        return values_;
    }
    T *end()
    {
        return values_ + count_;
    }
    const T *begin() const
    {
        return values_;
    }
    const T *end() const
    {
        return values_ + count_;
    }
    size_t size() const
    {
        return count_;
    }
    void push_back(T value)
    {
        if (count_ == MOST)
            /* This cannot happen, because the lists below have room for the values of a whole
             * warp. */
            abort();
        values_[count_++] = value;
    }
    void cut(const T *from)
    {
        count_ = (size_t)(from - values_);
    }
    bool has(T value) const
    {
        return std::find(begin(), end(), value) != end();
    }

  private:
    T values_[MOST];
    size_t count_ = 0;
};

/* --- Wavefronts and sectors of a request ------------------------------------------------------ */

/* The current event of each lane at one place of the code. NULL: the lane is at another place. */
using Events = const Event *[WARP];

/* Maximum size of an access in bytes. At any address, an access of this size touches at most five
 * words and two sectors. */
constexpr size_t ACCESS_BYTES = 16;
using Words = ShortList<uintptr_t, WARP *(ACCESS_BYTES / WORD + 1)>;
using Sectors = ShortList<uintptr_t, WARP * 2>;

/* Returns the words that the lanes from `first` to `end - 1` access, sorted and without
 * duplicates. */
Words words_of(const Events &lanes, int first, int end)
{
    Words words;
    for (int lane = first; lane < end; lane++) {
        const Event *event = lanes[lane];
        if (event == nullptr)
            continue;
        uintptr_t last = (event->address + event->size - 1) / WORD;
        for (uintptr_t word = event->address / WORD; word <= last; word++)
            words.push_back(word);
    }
    std::sort(words.begin(), words.end());
    words.cut(std::unique(words.begin(), words.end()));
    return words;
}

/* Returns the number of wavefronts that an access to `words` takes. In one wavefront each bank
 * delivers one word, to any number of lanes. */
uint64_t deepest_bank(const Words &words)
{
    uint64_t depth[BANKS] = {0}, most = 0;
    for (uintptr_t word : words)
        most = max(most, ++depth[word % BANKS]);
    return most;
}

/* Returns the number of wavefronts of a request. Accesses of 8 bytes per lane take place by
 * half-warps, and accesses of 16 bytes by quarter-warps. If two neighbouring halves or quarters
 * access the same words, they share their wavefronts (measured, see MEASUREMENTS.md). */
uint64_t wavefronts_of(const Events &lanes)
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
        if (!std::equal(words.begin(), words.end(), next.begin(), next.end()))
            total += deepest_bank(next);
    }
    return total;
}

uint64_t sectors_of(const Events &lanes)
{
    Sectors sectors;
    for (const Event *event : lanes) {
        if (event == nullptr)
            continue;
        for (uintptr_t s = event->address / SECTOR;
             s <= (event->address + event->size - 1) / SECTOR; s++)
            if (!sectors.has(s))
                sectors.push_back(s);
    }
    return sectors.size();
}

void count_request(Counts &counts, EventKind kind, const Events &lanes)
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

/* --- A warp ----------------------------------------------------------------------------------- */

struct Lane {
    const std::vector<Event> *trace = nullptr;
    size_t next = 0;

    const Event *now() const
    {
        return trace != nullptr && next < trace->size() ? &(*trace)[next] : nullptr;
    }
    /* Returns the index of the next event after `from` that enters a basic block. If there is none,
     * returns the number of events. */
    size_t next_entry(size_t from) const
    {
        size_t i = from + 1;
        while (i < trace->size() && (*trace)[i].kind != ENTER)
            i++;
        return i;
    }
    const void *block_at(size_t i) const
    {
        return i < trace->size() ? (*trace)[i].site : nullptr;
    }
};

/* A path is a list of the basic blocks that a lane enters next. It ends with the first block that
 * accesses memory, with the end of the thread (NULL), or after SHORT_PATH blocks. */
constexpr size_t SHORT_PATH = 4;
using Path = ShortList<const void *, SHORT_PATH>;
using Paths = ShortList<Path, WARP>;

Path path_of(const Lane &lane)
{
    Path path;
    size_t at = lane.next_entry(lane.next);
    bool touches = false;
    while (path.size() < SHORT_PATH && !touches) {
        const void *basic_block = lane.block_at(at);
        path.push_back(basic_block);
        if (basic_block == nullptr)
            break;
        size_t next = lane.next_entry(at);
        touches = next > at + 1;
        at = next;
    }
    return path;
}

/* Returns true if no basic block is on all paths. Lanes that meet again before they access memory
 * thus do not count as diverged. The code between the branch and the place where they meet belongs
 * to a condition, or is so short that predicates replace the branch. Compilers, also nvcc, generate
 * different branches for such code. */
bool paths_diverge(const Paths &paths)
{
    auto on_every_path = [&](const void *basic_block) {
        return std::all_of(paths.begin(), paths.end(),
                           [&](const Path &path) { return path.has(basic_block); });
    };
    const Path &first = *paths.begin();
    return std::none_of(first.begin(), first.end(), on_every_path);
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
        while (const Event *next = first_event())
            step(*next);
        tally_->warps++;
        tally_->divergent_warps += diverged_;
    }

  private:
    static bool before(const Event &a, const Event &b)
    {
        return a.rank != b.rank ? a.rank < b.rank : a.site < b.site;
    }

    /* Returns the current event of a lane that is at the earliest place of the code; NULL if all
     * threads have ended. */
    const Event *first_event() const
    {
        const Event *least = nullptr;
        for (const Lane &lane : lanes_)
            if (lane.now() != nullptr && (least == nullptr || before(*lane.now(), *least)))
                least = lane.now();
        return least;
    }

    void step(const Event &at)
    {
        Events events = {};
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

    /* Processes lanes that enter a basic block together. If their paths from this block diverge,
     * the branch counts as divergent. */
    void enter(const void *site, const Events &events)
    {
        Paths paths;
        const void *branch = site;
        for (size_t i = 0; i < (size_t)WARP; i++) {
            if (events[i] == nullptr)
                continue;
            paths.push_back(path_of(lanes_[i]));
            branch = lanes_[i].block_at(lanes_[i].next_entry(lanes_[i].next) - 1);
        }
        if (paths_diverge(paths)) {
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
    Tallies &all = tallies();
    if (all.by_kernel.find(kernel) == all.by_kernel.end())
        all.launched.push_back(kernel);
    all.by_kernel[kernel].launches++;
}

void count_block(const std::vector<Thread *> &threads)
{
    KernelTally &tally = tallies().by_kernel[block.kernel];
    tally.blocks++;
    tally.flow.rank(threads);
    for (size_t first = 0; first < threads.size(); first += WARP)
        Warp(&tally, threads, first).run();
}

std::vector<KernelCounts> counts()
{
    std::vector<KernelCounts> result;
    Tallies &all = tallies();
    result.reserve(all.launched.size());
    for (const void *kernel : all.launched)
        result.push_back(by_line(kernel, all.by_kernel[kernel]));
    return result;
}

void clear_counts()
{
    tallies().by_kernel.clear();
    tallies().launched.clear();
}

} // namespace emulator
