/* Private: connected components of edges, on CUDA.
 *
 * Nodes (pixels or runs of pixels) are joined to components by a forest. Each node has the label of
 * another node of its component, its parent; a root has its own label. Labels of strong nodes are
 * less than those of weak ones, and a root is the least of its component. So a root is strong if
 * any node of its component is. A parent only decreases, by an atomic operation that returns its
 * previous value. A thread that reads an older parent takes a detour, but no node is lost. (V. M.
 * A. Oliveira, R. A. Lotufo, "A study on connected components labeling algorithms using GPUs",
 * SIBGRAPI 2010; D. P. Playne, K. Hawick, "A new algorithm for parallel connected-component
 * labelling on GPUs", IEEE Trans. PDS 29 (2018).) */
#ifndef IMGTOOL_KERNELS_EDGE_CANNY_FOREST_CUH
#define IMGTOOL_KERNELS_EDGE_CANNY_FOREST_CUH

#include "kernels/edge/canny_cuda.cuh"

constexpr uint32_t CANNY_WEAK_LABEL = 1u << 31;

/* Returns the label of a node below 2^31: its bits in reverse order. Chains of neighbours, each
 * joined to the one before, then become shallow trees instead of lists. */
__device__ inline uint32_t canny_label(uint32_t node, bool is_strong)
{
    return __brev(node) >> 1 | (is_strong ? 0 : CANNY_WEAK_LABEL);
}

__device__ inline uint32_t canny_node_of(uint32_t label)
{
    return __brev(label << 1);
}

__device__ inline bool canny_is_strong(uint32_t label)
{
    return (label & CANNY_WEAK_LABEL) == 0;
}

/* A forest in global memory. Reads come from the first-level cache and may be stale. All nodes of a
 * large component read the same root, and would wait for each other in the second-level cache. */
struct CannyForest {
    uint32_t *parents;

    __device__ uint32_t parent(uint32_t node) const
    {
        return parents[node];
    }
    __device__ uint32_t lower(uint32_t node, uint32_t label) const
    {
        return atomicMin(parents + node, label);
    }
};

/* A forest in shared memory. Reads are atomic too, because other threads change the values. */
struct CannySharedForest {
    uint32_t *parents;

    __device__ uint32_t parent(uint32_t node) const
    {
        return atomicOr(parents + node, 0);
    }
    __device__ uint32_t lower(uint32_t node, uint32_t label) const
    {
        return atomicMin(parents + node, label);
    }
};

/* Returns the root of a label. Nodes on the path get a parent nearer to the root. */
template <typename Forest> __device__ uint32_t canny_root(const Forest &forest, uint32_t label)
{
    uint32_t parent = forest.parent(canny_node_of(label));
    while (parent != label) {
        const uint32_t next = forest.parent(canny_node_of(parent));
        if (next != parent)
            (void)forest.lower(canny_node_of(label), next);
        label = parent;
        parent = next;
    }
    return label;
}

/* Joins the components of two nodes. */
template <typename Forest>
__device__ void canny_join(const Forest &forest, uint32_t one_node, uint32_t other_node)
{
    uint32_t one = canny_root(forest, forest.parent(one_node));
    uint32_t other = canny_root(forest, forest.parent(other_node));
    while (one != other) {
        const uint32_t less = min(one, other), more = max(one, other);
        const uint32_t before = forest.lower(canny_node_of(more), less);
        if (before == more)
            return;
        one = canny_root(forest, before);
        other = canny_root(forest, less);
    }
}

/* --- Runs ------------------------------------------------------------------------------------- */

/* Nodes of the fast version: runs of adjacent set bits in a word of 32 pixels. A bit is set if the
 * pixel is a ridge and passes the low threshold. Two runs cannot begin at neighbouring pixels, so a
 * word has at most CANNY_NODES. Runs within a tile are joined in shared memory, then tiles are
 * joined with each other. */
constexpr int CANNY_WORD = 32, CANNY_NODES = 16;
constexpr int CANNY_TILE_ROWS = 32, CANNY_TILE_WORDS = 2;

struct CannyRuns {
    uint32_t *words;    /* `across` words per row */
    CannyForest forest; /* CANNY_NODES per word; undefined where no run begins */
    int32_t across, height;
};

__device__ inline uint32_t canny_node(uint32_t word, int start)
{
    return word * CANNY_NODES + (uint32_t)start / 2;
}

/* The first run of a word, and the rest of the word. */
struct CannyRun {
    uint64_t bits;
    uint32_t rest;
    int start;

    __device__ explicit CannyRun(uint32_t word)
    {
        const uint64_t all = word, carried = all + (all & (0 - all));
        bits = all & ~carried;
        rest = (uint32_t)(all & carried);
        start = __ffs((int)word) - 1;
    }
};

/* Returns the start of the run that contains bit `column` of a word. */
__device__ inline int canny_run_start(uint32_t word, int column)
{
    const uint32_t gaps = ~word & ((1u << column) - 1);
    return CANNY_WORD - __clz((int)gaps);
}

/* The words above a word and on either side of that. They are 0 where there is none, or none that
 * is to be joined. */
struct CannyAbove {
    uint32_t left, middle, right;
};

/* Joins the runs of a word with those above, `across` words before it. A run that continues from
 * one word above to the next is joined elsewhere, so one contact per run is enough. */
template <typename Forest>
__device__ void canny_join_above(const Forest &forest, uint32_t own, uint32_t word, uint32_t across,
                                 const CannyAbove &above)
{
    const uint64_t bits =
        (uint64_t)(above.right & 1) << 33 | (uint64_t)above.middle << 1 | above.left >> 31;
    const uint32_t upper = word - across;
    while (own != 0) {
        const CannyRun run(own);
        uint64_t touching = bits & (run.bits | run.bits << 1 | run.bits << 2);
        while (touching != 0) {
            const int bit = __ffsll((long long)touching) - 1;
            const uint32_t other = bit == 0 ? canny_node(upper - 1, canny_run_start(above.left, 31))
                                   : bit > CANNY_WORD
                                       ? canny_node(upper + 1, 0)
                                       : canny_node(upper, canny_run_start(above.middle, bit - 1));
            canny_join(forest, canny_node(word, run.start), other);
            touching &= (bits >> bit << bit) + (touching & (0 - touching));
        }
        own = run.rest;
    }
}

/* Joins the first run of a word with the last run of the word before, if they touch. */
template <typename Forest>
__device__ void canny_join_beside(const Forest &forest, uint32_t own, uint32_t word,
                                  uint32_t before)
{
    if ((own & before >> 31) != 0)
        canny_join(forest, canny_node(word, 0), canny_node(word - 1, canny_run_start(before, 31)));
}

/* Joins tiles, and writes white for strong components. */
ImgStatus canny_follow_runs(const ImgCall *call, const CannyRuns &runs, ImgError *err);

#endif
