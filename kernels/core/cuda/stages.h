/* Who times work that is put into a stream part by part is told where each part begins.
 *
 * Plain C: no CUDA is needed to include it. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_STAGES_H
#define IMGTOOL_KERNELS_CORE_CUDA_STAGES_H

typedef struct ImgStages {
    void (*begin)(void *context, const char *name); /* static text; what follows belongs to it */
    void *context;
} ImgStages;

/* Harmless on NULL: nobody asked. */
static inline void img_stage(const ImgStages *stages, const char *name)
{
    if (stages != (const ImgStages *)0)
        stages->begin(stages->context, name);
}

#endif
