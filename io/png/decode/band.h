/* Private to the decoder: unfilters some rows (a band) at a time and passes them to a sink, so that
 * the whole picture is never in memory. */
#ifndef IMGTOOL_IO_PNG_DECODE_BAND_H
#define IMGTOOL_IO_PNG_DECODE_BAND_H

#include "io/png/decode/pixels.h"
#include "kernels/core/row_sink.h"

/* The state of decoding to a sink. Must start as zeros; freed by img_band_free. */
typedef struct ImgBand {
    ImgImage rows; /* buffer; its first row is the row above the next ones */
    ImgPixels pixels;
    const ImgRowSink *sink; /* borrowed */
    int32_t next, height;   /* index of the next row to unfilter; rows of the picture */
    int32_t passed;         /* number of rows passed to the sink; not reset by a restart */
} ImgBand;

/* Allocates the buffer for a picture of shape `shape`. May fail with IMG_E_MEMORY. */
ImgStatus img_band_make(ImgShape shape, const ImgRowSink *sink, ImgBand *band, ImgError *err);
void img_band_free(ImgBand *band);

/* Returns the memory in bytes that a band needs. */
uint64_t img_band_bytes(ImgShape shape);

/* Prepares for decoding again from the first row. Rows that the sink has received are not passed
 * again. */
void img_band_restart(ImgBand *band);

/* Unfilters the next `count` rows, and passes rows to the sink as soon as no later row refers to
 * them. Returns false if a filter type is unknown, or if the sink wants no more rows. */
bool img_band_unfilter(ImgBand *band, const uint8_t *filtered, int32_t count);

#endif
