/* A picture that is read in order, some rows at a time, so that it need not be in memory. */
#ifndef IMGTOOL_KERNELS_CORE_ROW_SOURCE_H
#define IMGTOOL_KERNELS_CORE_ROW_SOURCE_H

#include "kernels/core/row_sink.h"

/* Numbers of rows in the first band of a result and in the others; the last one may have fewer. */
typedef struct ImgBandHeights {
    int32_t first, rest;
} ImgBandHeights;

typedef struct ImgRowSource {
    ImgShape shape; /* of the whole picture */
    /* Sets *view to `count` rows (at least 1) from row `first` on, which are valid until the next
     * call. A request may overlap the previous one, but neither its first nor its last row may lie
     * before that of the previous one. Calls may come from different threads, but one at a time.
     * After a failure there must be no further call. */
    ImgStatus (*rows)(void *context, int32_t first, int32_t count, ImgView *view, ImgError *err);
    /* Gives all rows to a sink, instead of any call of `rows`. For a source that can do this with
     * less work, such as a decoder with several threads; NULL otherwise. */
    ImgStatus (*all)(void *context, const ImgRowSink *sink, ImgError *err);
    void *context;
} ImgRowSource;

#endif
