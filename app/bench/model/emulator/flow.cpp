#include "app/bench/model/emulator/flow.h"

#include <map>
#include <numeric>
#include <set>

namespace emulator
{

namespace
{

/* Finds loops, which are the strongly connected components of the basic blocks. Uses Tarjan's
 * algorithm ("Depth-first search and linear graph algorithms", 1972). */
class Loops
{
  public:
    Loops(const std::vector<std::vector<int>> &next, const std::vector<int> &group, int mark,
          int header)
        : next_(next), group_(group), mark_(mark), header_(header)
    {
    }

    void visit(int node)
    {
        if (number_.count(node) > 0)
            return;
        int lowest = number_[node] = (int)number_.size();
        low_[node] = lowest;
        stack_.push_back(node);
        open_.insert(node);
        for (int to : next_[(size_t)node]) {
            if (!inside(to))
                continue;
            visit(to);
            if (open_.count(to) > 0)
                low_[node] = std::min(low_[node], low_[to]);
        }
        if (low_[node] == lowest)
            close(node);
    }

    /* Returns true if an edge to node `to` is part of the search. Edges back to the header of the
     * loop are not. */
    bool inside(int to) const
    {
        return to != header_ && group_[(size_t)to] == mark_;
    }

    std::vector<std::vector<int>> found;
    std::map<int, int> found_of; /* index in `found` of the component that contains the node */

  private:
    void close(int first)
    {
        found.emplace_back();
        int node;
        do {
            node = stack_.back();
            stack_.pop_back();
            open_.erase(node);
            found.back().push_back(node);
            found_of[node] = (int)found.size() - 1;
        } while (node != first);
    }

    const std::vector<std::vector<int>> &next_;
    const std::vector<int> &group_;
    int mark_, header_;
    std::map<int, int> number_, low_;
    std::vector<int> stack_;
    std::set<int> open_;
};

} // namespace

int Flow::node_of(const void *site)
{
    auto added = index_.insert({site, (int)sites_.size()});
    if (added.second) {
        sites_.push_back(site);
        next_.emplace_back();
        group_.push_back(0);
        changed_ = true;
    }
    return added.first->second;
}

int Flow::successor(int from, const void *site)
{
    for (int to : next_[(size_t)from])
        if (sites_[(size_t)to] == site)
            return to;
    int to = node_of(site);
    next_[(size_t)from].push_back(to);
    changed_ = true;
    return to;
}

void Flow::follow(std::vector<Event> &trace)
{
    int at = -1;
    for (Event &event : trace) {
        if (event.kind == ENTER)
            at = at < 0 ? node_of(event.site) : successor(at, event.site);
        event.rank = (uint32_t)std::max(at, 0);
    }
}

/* Returns the header of a loop: the basic block through which the loop is entered. Block 0, the
 * first of the kernel, is always a header, because the launch enters it. If a loop is entered
 * through several blocks, returns the one with the lowest address. */
int Flow::header_of(const std::vector<int> &loop) const
{
    std::set<int> members(loop.begin(), loop.end()), entered;
    for (size_t from = 0; from < next_.size(); from++)
        for (int to : next_[from])
            if (members.count((int)from) == 0 && members.count(to) > 0)
                entered.insert(to);
    if (members.count(0) > 0)
        return 0;
    const std::set<int> &from = entered.empty() ? members : entered;
    return *std::min_element(from.begin(), from.end(), [this](int a, int b) {
        return sites_[(size_t)a] < sites_[(size_t)b];
    });
}

/* Gives each basic block in `nodes` its rank. `header` is the header of the loop that consists of
 * these nodes; -1: they are all blocks of the kernel. Blocks without a path between them are ranked
 * by their addresses. */
void Flow::arrange(const std::vector<int> &nodes, int header)
{
    int mark = ++groups_;
    for (int node : nodes)
        group_[(size_t)node] = mark;
    Loops loops(next_, group_, mark, header);
    for (int node : nodes)
        loops.visit(node);

    std::vector<std::set<int>> leads_to(loops.found.size());
    std::vector<int> waits_for(loops.found.size(), 0);
    for (int from : nodes)
        for (int to : next_[(size_t)from]) {
            if (!loops.inside(to) || loops.found_of[from] == loops.found_of[to])
                continue;
            if (leads_to[(size_t)loops.found_of[from]].insert(loops.found_of[to]).second)
                waits_for[(size_t)loops.found_of[to]]++;
        }
    /* The components whose predecessors are all ranked. The key is the lowest address of a block in
     * the component, the value the index of the component. The component with the lowest key is
     * ranked next. */
    std::map<const void *, int> ready;
    auto make_ready = [&](int which) {
        const void *first = nullptr;
        for (int node : loops.found[(size_t)which])
            if (first == nullptr || sites_[(size_t)node] < first)
                first = sites_[(size_t)node];
        ready[first] = which;
    };
    for (size_t i = 0; i < waits_for.size(); i++)
        if (waits_for[i] == 0)
            make_ready((int)i);
    while (!ready.empty()) {
        int which = ready.begin()->second;
        ready.erase(ready.begin());
        const std::vector<int> &members = loops.found[(size_t)which];
        if (members.size() == 1)
            ranks_[(size_t)members[0]] = ranked_++;
        else
            arrange(members, header_of(members));
        for (int to : leads_to[(size_t)which])
            if (--waits_for[(size_t)to] == 0)
                make_ready(to);
    }
}

void Flow::rank(const std::vector<Thread *> &threads)
{
    for (Thread *thread : threads)
        follow(thread->trace);
    if (sites_.empty())
        return;
    if (changed_) {
        std::vector<int> all(sites_.size());
        std::iota(all.begin(), all.end(), 0);
        ranks_.assign(sites_.size(), 0);
        ranked_ = 0;
        arrange(all, -1);
        changed_ = false;
    }
    for (Thread *thread : threads)
        for (Event &event : thread->trace)
            event.rank = ranks_[event.rank];
}

} // namespace emulator
