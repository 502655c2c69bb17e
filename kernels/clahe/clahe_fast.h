/* Private to clahe: how `cuda-fast` cuts a picture into pieces, one for each block of threads. */
#ifndef IMGTOOL_KERNELS_CLAHE_CLAHE_FAST_H
#define IMGTOOL_KERNELS_CLAHE_CLAHE_FAST_H

#include "kernels/clahe/clahe.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a block; rows and columns that a block of the second kernel has at the most. */
enum { CLAHE_THREADS = 512, CLAHE_ROWS_MAX = 256, CLAHE_COLUMNS_MAX = 1088 };

/* How many pieces of its width and of its height something is cut into. */
typedef struct ClaheCut {
    int32_t chunks, strips;
} ClaheCut;

typedef struct ClaheCuts {
    ClaheCut tile;    /* for counting */
    ClaheCut quarter; /* for new pixels: tiles are cut at their middles first */
} ClaheCuts;

/* Pixels that a thread takes at once: 16 bytes, or 48 where pixels have three samples. */
int32_t clahe_unit_pixels(ImgFormat format);

ClaheCuts clahe_cuts(const ImgClahePlan *plan, int32_t unit_pixels);

/* ImgImpl.applies: no unit may reach across two middles of tiles. */
bool clahe_fast_applies(const ImgOp *op, ImgShape src, const void *params);

#ifdef __cplusplus
}
#endif
#endif
