/* A consumer of the rows of a picture, which takes them as they are produced. It needs only some
 * rows at a time. */
#ifndef IMGTOOL_KERNELS_CORE_ROW_SINK_H
#define IMGTOOL_KERNELS_CORE_ROW_SINK_H

#include "kernels/core/image.h"

typedef struct ImgRowSink {
    /* Takes the rows from number `first` on, with all columns; they follow those taken before. The
     * caller owns them, and they are valid during the call only. Calls may come from different
     * threads, one at a time. */
    void (*take)(void *context, const ImgView *rows, int32_t first);
    void *context;
    /* Set by `take` to stop: no more rows are needed, and the producer fails. May be NULL. */
    const bool *stopped;
} ImgRowSink;

#endif
