/* The inner loops of SSIM, compiled for x86-64-v3. They may be called only if img_cpu_level()
 * allows it. */
#define SSIM_LOOPS img_ssim_avx2
#include "kernels/compare/ssim_source.h"
