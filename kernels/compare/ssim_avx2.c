/* The inner loops of SSIM, compiled for x86-64-v3; only called where img_cpu_level() says so. */
#define SSIM_LOOPS img_ssim_avx2
#include "kernels/compare/ssim_source.h"
