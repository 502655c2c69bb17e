/* The inner loops of SSIM, compiled for what every processor of this architecture has. */
#define SSIM_LOOPS img_ssim_portable
#include "kernels/compare/ssim_source.h"
