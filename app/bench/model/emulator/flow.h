/* Sorts the basic blocks of a kernel by control flow, which the emulator observes in the paths of
 * the threads. The result does not depend on the order in which the compiler placed the blocks. */
#ifndef IMGTOOL_APP_BENCH_MODEL_EMULATOR_FLOW_H
#define IMGTOOL_APP_BENCH_MODEL_EMULATOR_FLOW_H

#include <unordered_map>

#include "app/bench/model/emulator/state.h"

namespace emulator
{

class Flow
{
  public:
    /* Sets the rank of every event to the rank of its basic block. A block ranks after all its
     * predecessors; back edges of loops do not count. The code after a loop ranks after all blocks
     * of the loop. */
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
    /* For each node, the index of the set of nodes with which it was ranked last. Such a set is,
     * for example, the body of a loop. */
    std::vector<int> group_;
    int groups_ = 0;
    std::vector<uint32_t> ranks_;
    uint32_t ranked_ = 0;
    bool changed_ = false;
};

} // namespace emulator

#endif
