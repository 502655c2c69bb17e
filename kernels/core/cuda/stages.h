/* Callbacks that mark where each part of a series of GPU work begins, so that the parts can be
 * timed.
 *
 * This is plain C: no CUDA is needed to include it. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_STAGES_H
#define IMGTOOL_KERNELS_CORE_CUDA_STAGES_H

typedef struct ImgStages {
    /* Marks the beginning of a part. The GPU work that follows belongs to `name`, a static text. */
    void (*begin)(void *context, const char *name);
    void *context;
} ImgStages;

/* Calls `begin` of `stages`. Does nothing if `stages` is NULL, because then nothing is timed. */
static inline void img_stage(const ImgStages *stages, const char *name)
{
    if (stages != (const ImgStages *)0)
        stages->begin(stages->context, name);
}

#endif
