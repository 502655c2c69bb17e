/* The inflate loops, compiled with the bit instructions (BMI2) of x86-64-v3. */
#define INFLATE_CODE img_inflate_avx2
#include "io/png/inflate/inflate_code.h"
