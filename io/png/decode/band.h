/* Private to the decoder: rows that are undone a few at a time and handed on, so that the picture
 * is never in memory as a whole. */
#ifndef IMGTOOL_IO_PNG_DECODE_BAND_H
#define IMGTOOL_IO_PNG_DECODE_BAND_H

#include "io/png/decode/pixels.h"
#include "kernels/core/row_sink.h"

/* Start from zeros; ends with img_band_free. */
typedef struct ImgBand {
    ImgImage rows; /* the first is the row above those that come next */
    ImgPixels pixels;
    const ImgRowSink *sink; /* borrowed */
    int32_t next, height;   /* rows of the picture that are undone, and all */
    int32_t handed;         /* rows that were handed on, before a restart too */
} ImgBand;

/* Of a picture of that shape. IMG_E_MEMORY. */
ImgStatus img_band_make(ImgShape shape, const ImgRowSink *sink, ImgBand *band, ImgError *err);
void img_band_free(ImgBand *band);

/* Bytes that it takes. */
uint64_t img_band_bytes(ImgShape shape);

/* All rows come again, from the first on. Those that were handed on are not, again. */
void img_band_restart(ImgBand *band);

/* Undoes the next `count` filtered rows, and hands on those that the row below does not need any
 * more. False where a filter type is unknown, or no more rows are wanted. */
bool img_band_undo(ImgBand *band, const uint8_t *filtered, int32_t count);

#endif
