/* Inflate's inner loops for any processor. */
#define INFLATE_CODE img_inflate_portable
#include "io/png/inflate/inflate_code.h"
