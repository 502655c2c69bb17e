/* Selects the fastest inner loops for runs that the processor supports. */
#include "io/png/deflate/runs.h"

#include "kernels/core/cpu.h"

const ImgRunsLoops *img_runs_loops(void)
{
#ifdef IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX512 && __builtin_cpu_supports("avx512vbmi"))
        return &img_runs_vbmi;
    if (img_cpu_level() >= IMG_CPU_AVX2)
        return &img_runs_avx2;
#endif
    return &img_runs_portable;
}
