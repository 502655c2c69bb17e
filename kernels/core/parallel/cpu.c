#include "kernels/core/parallel/cpu.h"

ImgCpuLevel img_cpu_level(void)
{
#ifdef IMGTOOL_X86
    /* A level requires all features that the compiler may use in code for that level.
     * __builtin_cpu_supports also checks that the operating system has enabled the wide
     * registers. */
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("fma"))
        return IMG_CPU_PORTABLE;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return IMG_CPU_AVX2;
    return IMG_CPU_AVX512;
#else
    return IMG_CPU_PORTABLE;
#endif
}

const char *img_cpu_level_name(ImgCpuLevel level)
{
    switch (level) {
    case IMG_CPU_PORTABLE:
#ifdef IMGTOOL_NEON
        return "NEON";
#else
        return "portable";
#endif
    case IMG_CPU_AVX2:
        return "AVX2";
    case IMG_CPU_AVX512:
        return "AVX-512";
    }
    return "?";
}
