/* A consumer that gets the rows of a picture as they are produced. So only some rows need to be in
 * memory at a time. */
#ifndef IMGTOOL_KERNELS_CORE_ROW_SINK_H
#define IMGTOOL_KERNELS_CORE_ROW_SINK_H

#include "kernels/core/image.h"

typedef struct ImgRowSink {
    /* Processes the next rows of the picture, with all columns; `first` is the index of the first
     * one in the picture. The caller owns `rows`, which are valid only during the call. Calls may
     * come from different threads, but one at a time. */
    void (*take)(void *context, const ImgView *rows, int32_t first);
    void *context;
    /* Points to a flag that becomes true when `take` needs no more rows; the producer must then
     * stop and fail. May be NULL. */
    const bool *stopped;
} ImgRowSink;

#endif
