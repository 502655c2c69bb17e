/* Private to canny on CUDA: connected components of edges.
 *
 * A forest joins nodes, which are pixels or runs of pixels, to components. Each node stores the
 * label of another node of its component, its parent. A root is a node that has its own label.
 * Labels of strong nodes are smaller than labels of weak nodes, and the root has the smallest label
 * of its component. So the root is strong if any node of its component is strong.
 *
 * The parent of a node only decreases, by an atomic operation that returns the previous value. A
 * thread that reads an outdated parent needs more steps to reach the root, but it still reaches it.
 * Sources: V. M. A. Oliveira, R. A. Lotufo, "A study on connected components labeling algorithms
 * using GPUs", SIBGRAPI 2010; D. P. Playne, K. Hawick, "A new algorithm for parallel
 * connected-component labelling on GPUs", IEEE Trans. PDS 29 (2018). */
#ifndef IMGTOOL_KERNELS_EDGE_CUDA_CANNY_FOREST_CUH
#define IMGTOOL_KERNELS_EDGE_CUDA_CANNY_FOREST_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/edge/canny.h"

/* --- Functions that all CUDA files of canny use ----------------------------------------------- */

inline const ImgCanny &canny_of(const ImgCall *call)
{
    return *static_cast<const ImgCanny *>(call->constants.bytes);
}

/* Returns the gray of pixel (x, y), which may be beyond the edges of the picture. */
__device__ inline int32_t canny_gray_at(const ImgCanny &canny, const ImgView &src, int64_t x,
                                        int64_t y)
{
    const int32_t column = img_border_place(x, src.width, canny.border);
    const int32_t line = img_border_place(y, src.height, canny.border);
    if (column < 0 || line < 0)
        return canny.background;
    const uint8_t *row = src.data + (size_t)line * src.stride;
    const size_t first = (size_t)column * canny.channels;
    uint32_t sample[4] = {0, 0, 0, 0};
#pragma unroll
    for (int c = 0; c < 4; c++)
        if (c < canny.channels)
            sample[c] = src.format.bits == 16 ? reinterpret_cast<const uint16_t *>(row)[first + c]
                                              : row[first + c];
    return img_canny_gray(&canny, sample);
}

/* --- The forest ------------------------------------------------------------------------------- */

constexpr uint32_t CANNY_WEAK_LABEL = 1u << 31;

/* Returns the label of the node with index `node`, which must be below 2^31. The label has the bits
 * of this index in reverse order. So if each of many neighbours is joined to its predecessor, the
 * tree stays shallow instead of becoming a list. */
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

/* A forest in global memory. Its reads may use outdated values from the first-level cache. Without
 * this cache, all nodes of a large component would read the same root in the second-level cache,
 * and would wait for each other. */
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

/* A forest in shared memory. Its reads are atomic, because other threads change the values at the
 * same time. */
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

/* Returns the label of the root of the component that contains `label`. On the way, it gives nodes
 * parents that are nearer to the root. */
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

/* Joins the components of two nodes to one component. */
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

/* Nodes of the fast version are runs: adjacent set bits in a word of 32 pixels. A bit is set if the
 * pixel is a ridge above the low threshold. Two runs cannot begin at neighbouring pixels, so a word
 * has at most CANNY_NODES runs. Runs within a tile are joined in shared memory; then the tiles are
 * joined with each other. */
constexpr int CANNY_WORD = 32, CANNY_NODES = 16;
constexpr int CANNY_TILE_ROWS = 32, CANNY_TILE_WORDS = 2;

struct CannyRuns {
    uint32_t *words; /* one bit per pixel; `across` words per row */
    /* CANNY_NODES labels per word, one for each pair of bits; undefined for a pair in which no run
     * begins */
    CannyForest forest;
    int32_t across, height;
};

__device__ inline uint32_t canny_node(uint32_t word, int start)
{
    return word * CANNY_NODES + (uint32_t)start / 2;
}

/* The first run of a word, as bits, and the remaining bits of the word. */
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

/* Returns the index of the first bit of the run that contains bit `column` of a word. */
__device__ inline int canny_run_start(uint32_t word, int column)
{
    const uint32_t gaps = ~word & ((1u << column) - 1);
    return CANNY_WORD - __clz((int)gaps);
}

/* The word above a word, and the words to the left and right of it. A word that does not exist, or
 * must not be joined, is 0. */
struct CannyAbove {
    uint32_t left, middle, right;
};

/* Joins the runs of a word, which has the bits `own` and the index `word`, with the runs in the row
 * above. `across` is the number of words per row. Does not join a run with its continuation in the
 * next word: canny_join_beside does. Each run is joined only once with each run above it. */
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

/* Joins the first run of a word with the last run of the word to its left, if they touch. `own` and
 * `before` are the bits of the two words. */
template <typename Forest>
__device__ void canny_join_beside(const Forest &forest, uint32_t own, uint32_t word,
                                  uint32_t before)
{
    if ((own & before >> 31) != 0)
        canny_join(forest, canny_node(word, 0), canny_node(word - 1, canny_run_start(before, 31)));
}

/* Joins the tiles with each other. Then writes the result: white for the pixels of strong
 * components, and black for all others. */
ImgStatus canny_follow_runs(const ImgCall *call, const CannyRuns &runs, ImgError *err);

#endif
