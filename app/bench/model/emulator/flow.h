/* Finds the control-flow order of a kernel's basic blocks, which does not depend on the order in
 * which the compiler placed them. The order is derived from the paths that the threads took. */
#ifndef IMGTOOL_APP_BENCH_MODEL_EMULATOR_FLOW_H
#define IMGTOOL_APP_BENCH_MODEL_EMULATOR_FLOW_H

#include <unordered_map>

#include "app/bench/model/emulator/state.h"

namespace emulator
{

class Flow
{
  public:
    /* Gives every event the rank of its basic block. A block ranks after all its predecessors,
     * apart from the back edges of loops. The code after a loop ranks after the whole loop. */
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
    /* number of the group of each node; the nodes of a group are ranked together */
    std::vector<int> group_;
    int groups_ = 0;
    std::vector<uint32_t> ranks_;
    uint32_t ranked_ = 0;
    bool changed_ = false;
};

} // namespace emulator

#endif
