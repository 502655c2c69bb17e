/* What the processor offers, found at run time, in the steps that this project compiles for. */
#ifndef IMGTOOL_KERNELS_CORE_CPU_H
#define IMGTOOL_KERNELS_CORE_CPU_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgCpuLevel {
    IMG_CPU_PORTABLE, /* what the compiler takes for granted on this architecture */
    IMG_CPU_NEON,     /* every 64-bit ARM, and no other */
    IMG_CPU_AVX2,     /* x86-64-v3: AVX2 with SSSE3, BMI and their like */
    IMG_CPU_AVX512,   /* x86-64-v4: AVX-512 F, BW, CD, DQ and VL */
} ImgCpuLevel;

ImgCpuLevel img_cpu_level(void);

/* "portable", "NEON", "AVX2", "AVX-512". */
const char *img_cpu_level_name(ImgCpuLevel level);

#ifdef __cplusplus
}
#endif
#endif
