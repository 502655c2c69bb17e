/* The inner loops of SSIM, compiled for the baseline of this architecture. */
#define SSIM_LOOPS img_ssim_portable
#include "kernels/compare/ssim_source.h"
