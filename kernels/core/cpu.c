#include "kernels/core/cpu.h"

#include <time.h>

ImgCpuLevel img_cpu_level(void)
{
#ifdef IMGTOOL_X86
    /* The features of x86-64-v3 that the compiler may use; the operating system's consent to the
     * wide registers is part of what __builtin_cpu_supports checks. */
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma"))
        return IMG_CPU_AVX2;
#endif
    return IMG_CPU_PORTABLE;
}

const char *img_cpu_level_name(ImgCpuLevel level)
{
    return level == IMG_CPU_AVX2 ? "AVX2" : "portable";
}

double img_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
