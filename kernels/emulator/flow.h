/* The order in which a kernel's pieces of straight code follow each other, whatever the compiler's
 * layout: found from the ways that threads have taken through them. */
#ifndef IMGTOOL_KERNELS_EMULATOR_FLOW_H
#define IMGTOOL_KERNELS_EMULATOR_FLOW_H

#include <unordered_map>

#include "kernels/emulator/state.h"

namespace emulator
{

class Flow
{
  public:
    /* Gives every event the rank of its piece: a piece comes behind all that lead to it, but for
     * the way back of a loop, and what follows a loop comes behind the whole of it. */
    void rank(const std::vector<Thread *> &threads);

  private:
    int node_of(const void *site);
    int successor(int from, const void *site);
    void follow(std::vector<Event> &trace);
    void arrange(const std::vector<int> &nodes, int header);
    int header_of(const std::vector<int> &loop) const;

    std::unordered_map<const void *, int> index_;
    std::vector<const void *> sites_;
    std::vector<std::vector<int>> next_;
    std::vector<int> group_; /* nodes that are arranged together have the same number */
    int groups_ = 0;
    std::vector<uint32_t> ranks_;
    uint32_t ranked_ = 0;
    bool changed_ = false;
};

} // namespace emulator

#endif
