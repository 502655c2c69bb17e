/* Experiments that are no image operation: what shared memory, guards and access patterns cost.
 * Every launcher works on device memory of the caller and returns when the launch is queued.
 *
 * Sources: Cheng, Grossman, McKercher, "Professional CUDA C Programming", chapter 5 (square and
 * rectangular shared memory); Hwu, Kirk, El Hajj, "Programming Massively Parallel Processors",
 * chapters 3, 4 and 10 (guards, divergence, reduction); CUDA C++ Programming Guide, "Shared
 * Memory". */
#ifndef IMGTOOL_KERNELS_LAB_LAB_H
#define IMGTOOL_KERNELS_LAB_LAB_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a tile of shared memory is written and read back. By rows a warp meets 32 banks, by columns
 * of a square one. */
typedef enum LabTile {
    LAB_ROW_ROW,       /* write by rows, read by rows */
    LAB_COLUMN_COLUMN, /* write by columns, read by columns */
    LAB_ROW_COLUMN,    /* write by rows, read by columns: a transpose */
    LAB_ROW_COLUMN_DYNAMIC,
    LAB_ROW_COLUMN_PADDED,
    LAB_ROW_COLUMN_PADDED_DYNAMIC,
    LAB_TILES,
} LabTile;

extern const char *const lab_tile_names[LAB_TILES];

/* One block of 32 x 32 threads passes its thread numbers through a square of shared memory to
 * `out`, 1024 words; padded to rows of 33. */
ImgStatus lab_square(LabTile variant, int32_t *out, void *stream, ImgError *err);

/* The same with a rectangle 32 wide and 16 high, 512 words. Read back transposed: thread (x, y)
 * takes word (idx / 16, idx % 16) of the rectangle, idx = y * 32 + x; padded by two words. */
ImgStatus lab_rectangle(LabTile variant, int32_t *out, void *stream, ImgError *err);

/* out[y * width + x] = 2 * in[y * width + x] by blocks of 16 x 16 threads, each guarded by
 * `x < width && y < height`: warps over an edge diverge. */
ImgStatus lab_guard(const uint8_t *in, uint8_t *out, int width, int height, void *stream,
                    ImgError *err);

/* One warp reads elements of `bytes` bytes (1, 2, 4, 8, 16) of shared memory, `stride` elements
 * apart (0: all the same); 1 <= stride <= 33, or 0. out: 32 words. */
ImgStatus lab_stride(int bytes, int stride, uint32_t *out, void *stream, ImgError *err);

/* The steps of a parallel sum, by blocks of LAB_SUM_THREADS threads. */
typedef enum LabSum {
    LAB_SUM_NEIGHBOURS, /* neighbouring pairs: warps diverge in every round */
    LAB_SUM_SEQUENTIAL, /* sequential addressing: only the last warp diverges */
    LAB_SUM_FIRST_ADD,  /* the same, two elements a thread on load */
    LAB_SUM_SHUFFLE,    /* two elements a thread, warps by shuffles */
    LAB_SUM_VECTOR,     /* 16 elements a thread in loads of 16 bytes, warps by shuffles */
    LAB_SUMS,
} LabSum;

enum { LAB_SUM_THREADS = 512, LAB_SUM_ROUNDS = 9 };

extern const char *const lab_sum_names[LAB_SUMS];

/* Blocks that a variant takes for so many elements. */
size_t lab_sum_blocks(LabSum variant, size_t count);

/* out[b] = the sum of the elements of block b; `in` starts at a multiple of 16 bytes. The first two
 * variants stop after `rounds` of their LAB_SUM_ROUNDS rounds, so that one can be counted alone;
 * out is right after all of them. */
ImgStatus lab_sum(LabSum variant, const float *in, size_t count, int rounds, float *out,
                  void *stream, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
