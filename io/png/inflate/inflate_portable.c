/* The inflate loops, compiled for the baseline of the architecture. */
#define INFLATE_CODE img_inflate_portable
#include "io/png/inflate/inflate_code.h"
