/* The inflate loops, compiled for x86-64-v3 with its bit instructions (BMI2). */
#define INFLATE_CODE img_inflate_avx2
#include "io/png/inflate/inflate_code.h"
