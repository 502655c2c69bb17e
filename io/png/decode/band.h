/* Private to the decoder: unfilters a band, which is a group of rows, at a time and passes the rows
 * to a sink. So the whole picture is never in memory. */
#ifndef IMGTOOL_IO_PNG_DECODE_BAND_H
#define IMGTOOL_IO_PNG_DECODE_BAND_H

#include "io/png/decode/pixels.h"
#include "kernels/core/row_source.h"

/* The state of a decoder that passes rows to a sink. Must be initialised with zeros; img_band_free
 * frees it. */
typedef struct ImgBand {
    /* Row buffer. Its first row is the row above the rows that will be unfiltered next; that row is
     * already unfiltered. */
    ImgImage rows;
    ImgPixels pixels;
    const ImgRowSink *sink; /* receives the unfiltered rows; borrowed */
    /* `next`: index of the next row to unfilter. `height`: number of rows of the picture. */
    int32_t next, height;
    /* Number of rows that the sink has received. img_band_restart does not reset it. */
    int32_t passed;
} ImgBand;

/* Allocates the row buffer for a picture of this shape. Fails with IMG_E_MEMORY if memory is
 * short. */
ImgStatus img_band_make(ImgShape shape, const ImgRowSink *sink, ImgBand *band, ImgError *err);
void img_band_free(ImgBand *band);

/* Returns the size in bytes of the row buffer for a picture of this shape. */
uint64_t img_band_bytes(ImgShape shape);

/* Prepares the band for decoding the picture again from its first row. Rows that the sink has
 * already received are not passed to it again. */
void img_band_restart(ImgBand *band);

/* Unfilters the next `count` rows of the picture. Passes each row to the sink when no later row
 * refers to it. Returns false if a filter type is unknown, or if the sink needs no more rows. */
bool img_band_unfilter(ImgBand *band, const uint8_t *filtered, int32_t count);

#endif
