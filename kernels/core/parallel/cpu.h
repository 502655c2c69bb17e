/* Instruction set levels for which this project compiles code, and the detection of the processor's
 * level at run time. */
#ifndef IMGTOOL_KERNELS_CORE_PARALLEL_CPU_H
#define IMGTOOL_KERNELS_CORE_PARALLEL_CPU_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgCpuLevel {
    IMG_CPU_PORTABLE, /* the baseline of the architecture: SSE2 on x86-64, NEON on 64-bit ARM */
    IMG_CPU_AVX2,     /* x86-64-v3: AVX2, BMI, FMA and older extensions */
    IMG_CPU_AVX512,   /* x86-64-v4: AVX-512 F, BW, CD, DQ and VL */
} ImgCpuLevel;

ImgCpuLevel img_cpu_level(void);

/* Returns "portable" ("NEON" on 64-bit ARM), "AVX2" or "AVX-512". */
const char *img_cpu_level_name(ImgCpuLevel level);

/* --- Variants -----------------------------------------------------------------------------------
 * The function imgtool_per_cpu() of CMakeLists.txt compiles a file several times: once for the
 * baseline of the architecture, and once for each level that the call names. Each result is a
 * variant. The build defines IMG_VARIANT_AVX2, IMG_VARIANT_AVX512 or, for AVX-512 with VBMI,
 * IMG_VARIANT_VBMI; the portable variant has none of them. Call a variant only if img_cpu_level()
 * allows it. */

/* IMG_VARIANT(name) is the name of a function or table in the variant that is being compiled, for
 * example img_filter_avx2 for img_filter. */
#if defined IMG_VARIANT_VBMI
#define IMG_VARIANT(name) name##_vbmi
#elif defined IMG_VARIANT_AVX512
#define IMG_VARIANT(name) name##_avx512
#elif defined IMG_VARIANT_AVX2
#define IMG_VARIANT(name) name##_avx2
#else
#define IMG_VARIANT(name) name##_portable
#endif

#ifdef __cplusplus
}
#endif
#endif
