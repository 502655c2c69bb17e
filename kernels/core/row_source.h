/* A picture that is read some rows at a time, and a consumer of rows. */
#ifndef IMGTOOL_KERNELS_CORE_ROW_SOURCE_H
#define IMGTOOL_KERNELS_CORE_ROW_SOURCE_H

#include "kernels/core/image.h"

/* Numbers of rows per band of a result: `first` for the first band, `rest` for each other band. The
 * last band may have fewer rows. If `first` is 0, the result is collected in memory or in a store.
 * All bands then have `rest` rows or, if that is 0, as many rows as suit the size of the result. */
typedef struct ImgBandHeights {
    int32_t first, rest;
} ImgBandHeights;

/* A consumer that gets the rows of a picture as they are produced. So only some rows need to be in
 * memory at a time. */
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

/* A source of pixels, of one of two kinds. Either `image` is a picture in memory. Or `rows` and
 * `all` deliver rows in order, for example from a decoder, so that the picture need not be in
 * memory. */
typedef struct ImgRowSource {
    ImgShape shape; /* shape of the whole picture */
    /* The whole picture, of which any part can be read at any time; borrowed. NULL: rows come in
     * order, from the functions below. */
    const ImgImage *image;
    /* Sets *view to `count` rows (at least 1) from row `first` on, which are valid until the next
     * call. The rows may overlap those of the previous call. Neither `first` nor the last row may
     * be smaller than in the previous call. Calls may come from different threads, but one at a
     * time. After a failure there must be no further call. */
    ImgStatus (*rows)(void *context, int32_t first, int32_t count, ImgView *view, ImgError *err);
    /* Delivers all rows of the picture to `sink`. If it is called, `rows` must not be called. It is
     * for a source that can deliver all rows with less work, such as a decoder with several
     * threads. NULL for other sources. */
    ImgStatus (*all)(void *context, const ImgRowSink *sink, ImgError *err);
    void *context;
} ImgRowSource;

#endif
