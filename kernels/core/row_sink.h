/* Where rows of a picture go as they are made, from whoever makes them to whoever needs no more
 * than some at a time. */
#ifndef IMGTOOL_KERNELS_CORE_ROW_SINK_H
#define IMGTOOL_KERNELS_CORE_ROW_SINK_H

#include "kernels/core/image.h"

typedef struct ImgRowSink {
    /* Rows of the picture from number `first` on, all of its columns, which follow those that came
     * before. They are the giver's, and read during the call only. Calls may come from different
     * threads, one after another. */
    void (*take)(void *context, const ImgView *rows, int32_t first);
    void *context;
    /* Set by `take`, where that is given: no more rows are wanted, and the giver fails. */
    const bool *stopped;
} ImgRowSink;

#endif
