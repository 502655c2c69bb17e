/* Private: what canny's CUDA files share. */
#ifndef IMGTOOL_KERNELS_EDGE_CANNY_CUDA_CUH
#define IMGTOOL_KERNELS_EDGE_CANNY_CUDA_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/edge/canny.h"

inline const ImgCanny &canny_of(const ImgCall *call)
{
    return *static_cast<const ImgCanny *>(call->constants.bytes);
}

/* The gray of a place, wherever it is. */
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

/* --- Components ------------------------------------------------------------------------------- */

/* Nodes, pixels or runs of them, are joined to components by a forest: parents[node] is the label
 * of a node of the same component, or the node's own label where it is a root. Labels of strong
 * nodes are less than those of weak ones, and a root is the least of its component: so that is
 * strong where any node is. A parent only ever becomes less, by atomicMin, which tells what it was
 * before: what reads an older parent goes a detour, and no node is lost. (V. M. A. Oliveira, R. A.
 * Lotufo, "A study on connected components labeling algorithms using GPUs", SIBGRAPI 2010; D. P.
 * Playne, K. Hawick, "A new algorithm for parallel connected-component labelling on GPUs", IEEE
 * Trans. PDS 29 (2018).) */
constexpr uint32_t CANNY_WEAK_LABEL = 1u << 31;

__device__ inline uint32_t canny_label(uint32_t node, bool is_strong)
{
    return is_strong ? node : node | CANNY_WEAK_LABEL;
}

__device__ inline bool canny_is_strong(uint32_t label)
{
    return (label & CANNY_WEAK_LABEL) == 0;
}

__device__ inline uint32_t canny_parent(const uint32_t *parents, uint32_t label)
{
    return *static_cast<const volatile uint32_t *>(parents + (label & ~CANNY_WEAK_LABEL));
}

/* Of a node or a label. */
__device__ inline uint32_t canny_root(const uint32_t *parents, uint32_t label)
{
    uint32_t parent = canny_parent(parents, label);
    while (parent != label) {
        label = parent;
        parent = canny_parent(parents, label);
    }
    return label;
}

/* Makes one component of those of two nodes. */
__device__ inline void canny_join(uint32_t *parents, uint32_t one, uint32_t other)
{
    one = canny_root(parents, one);
    other = canny_root(parents, other);
    while (one != other) {
        const uint32_t less = min(one, other), more = max(one, other);
        const uint32_t before = atomicMin(parents + (more & ~CANNY_WEAK_LABEL), less);
        if (before == more)
            return;
        one = canny_root(parents, before);
        other = canny_root(parents, less);
    }
}

/* --- Runs ------------------------------------------------------------------------------------- */

/* The fast way's nodes: pixels beside each other in a word of 32, a bit for each pixel that is not
 * suppressed and passes the low threshold. Two runs cannot begin at neighbouring pixels, so that a
 * word has no more than CANNY_NODES. */
constexpr int CANNY_WORD = 32, CANNY_NODES = 16;

struct CannyRuns {
    uint32_t *words;   /* `across` to a row */
    uint32_t *parents; /* CANNY_NODES to a word; undefined where no run begins */
    int32_t across, height;
};

__device__ inline uint32_t canny_node(uint32_t word, int start)
{
    return word * CANNY_NODES + (uint32_t)start / 2;
}

/* Joins runs that touch, and writes white where a component is strong. */
ImgStatus canny_follow_runs(const ImgCall *call, const CannyRuns &runs, ImgError *err);

#endif
