/* Private to the decoder: unfilters a few rows at a time and passes them to a sink, so that the
 * whole picture is never in memory. */
#ifndef IMGTOOL_IO_PNG_DECODE_BAND_H
#define IMGTOOL_IO_PNG_DECODE_BAND_H

#include "io/png/decode/pixels.h"
#include "kernels/core/row_sink.h"

/* Initialise with zeros, free with img_band_free. */
typedef struct ImgBand {
    ImgImage rows; /* buffer; its first row is the one above the next rows */
    ImgPixels pixels;
    const ImgRowSink *sink; /* borrowed */
    int32_t next, height;   /* unfiltered rows of the picture, total rows */
    int32_t passed;         /* rows already passed to the sink, also before a restart */
} ImgBand;

/* Allocates the buffer for a picture of that shape. May fail with IMG_E_MEMORY. */
ImgStatus img_band_make(ImgShape shape, const ImgRowSink *sink, ImgBand *band, ImgError *err);
void img_band_free(ImgBand *band);

/* Returns the bytes of memory that a band needs. */
uint64_t img_band_bytes(ImgShape shape);

/* Prepares for decoding again from the first row. Rows that the sink already has are not passed
 * again. */
void img_band_restart(ImgBand *band);

/* Unfilters the next `count` rows and passes on those that the next row does not refer to. Returns
 * false for an unknown filter type, or if the sink wants no more rows. */
bool img_band_unfilter(ImgBand *band, const uint8_t *filtered, int32_t count);

#endif
