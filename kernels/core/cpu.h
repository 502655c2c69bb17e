/* Instruction set levels for which this project compiles code, and the detection of the processor's
 * level at run time. */
#ifndef IMGTOOL_KERNELS_CORE_CPU_H
#define IMGTOOL_KERNELS_CORE_CPU_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgCpuLevel {
    IMG_CPU_PORTABLE, /* the baseline that the compiler assumes for this architecture */
    IMG_CPU_NEON,     /* NEON, which every 64-bit ARM processor has */
    IMG_CPU_AVX2,     /* x86-64-v3: AVX2, BMI, FMA and older extensions */
    IMG_CPU_AVX512,   /* x86-64-v4: AVX-512 F, BW, CD, DQ and VL */
} ImgCpuLevel;

ImgCpuLevel img_cpu_level(void);

/* Returns "portable", "NEON", "AVX2" or "AVX-512". */
const char *img_cpu_level_name(ImgCpuLevel level);

#ifdef __cplusplus
}
#endif
#endif
