/* Private to the executor: plans for many pictures. A kind is a step, or a run of adjacent point
 * operations, for pictures of one shape. Pictures of one kind share its plan and constants, which
 * are kept from call to call. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_MANY_KINDS_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_MANY_KINDS_H

#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/exec/many.h"

typedef struct ImgKind {
    uint64_t hash;  /* of the steps and the shape */
    ImgStep *steps; /* owned */
    size_t step_count;
    ImgShape shape, after; /* before and after the steps */
    ImgPlan plan;
    bool is_planned;
    size_t number; /* index among all kinds */
    /* for each pass, the implementation for many pictures; NULL: each picture has its own call */
    const ImgImpl **together; /* owned */
    ImgError failure;
} ImgKind;

/* Finds the kind of the first of `count` steps for a picture of shape `src`, or adds it. Sets *used
 * to the number of its steps. Returns NULL when memory is short, or if a step cannot follow; then
 * fills `err`. */
ImgKind *img_kinds_find(ImgManyKinds *kinds, const ImgStep *steps, size_t count, ImgShape src,
                        size_t *used, ImgError *err);

/* Makes the plans of the kinds that were added, with `threads` threads. */
ImgStatus img_kinds_plan(ImgManyKinds *kinds, ImgTeam *team, int threads, ImgError *err);

size_t img_kinds_count(const ImgManyKinds *kinds);
const ImgKind *img_kinds_get(const ImgManyKinds *kinds, size_t number);

/* Ends a call: keeps the kinds for later calls, as far as that is allowed and there are not too
 * many. Forgets the kinds that were added if `has_failed`. */
void img_kinds_keep(ImgManyKinds *kinds, bool has_failed);

#endif
