/* A consumer of the rows of a picture, which takes them as they are produced. So only some rows
 * need to be in memory at a time. */
#ifndef IMGTOOL_KERNELS_CORE_ROW_SINK_H
#define IMGTOOL_KERNELS_CORE_ROW_SINK_H

#include "kernels/core/image.h"

typedef struct ImgRowSink {
    /* Takes the rows of a view, with all columns; the first of them is row `first` of the picture.
     * They follow the rows that were taken before. The caller owns them, and they are valid only
     * during the call. Calls may come from different threads, but one at a time. */
    void (*take)(void *context, const ImgView *rows, int32_t first);
    void *context;
    /* Becomes true when `take` needs no more rows; the producer must then stop and fail. May be
     * NULL. */
    const bool *stopped;
} ImgRowSink;

#endif
