/* Instruction sets of the processor, detected at run time, as the levels that this project compiles
 * for. */
#ifndef IMGTOOL_KERNELS_CORE_CPU_H
#define IMGTOOL_KERNELS_CORE_CPU_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgCpuLevel {
    IMG_CPU_PORTABLE, /* the baseline that the compiler assumes for this architecture */
    IMG_CPU_NEON,     /* every 64-bit ARM processor, and no other */
    IMG_CPU_AVX2,     /* x86-64-v3: AVX2 with SSSE3, BMI and the rest of that level */
    IMG_CPU_AVX512,   /* x86-64-v4: AVX-512 F, BW, CD, DQ and VL */
} ImgCpuLevel;

ImgCpuLevel img_cpu_level(void);

/* Returns "portable", "NEON", "AVX2" or "AVX-512". */
const char *img_cpu_level_name(ImgCpuLevel level);

#ifdef __cplusplus
}
#endif
#endif
