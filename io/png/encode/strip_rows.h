/* Private: which rows of a picture are a strip. */
#ifndef IMGTOOL_IO_PNG_ENCODE_STRIP_ROWS_H
#define IMGTOOL_IO_PNG_ENCODE_STRIP_ROWS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ImgStrip {
    int32_t from, to; /* rows */
    bool last;        /* the stream ends with it; others end with a full flush */
} ImgStrip;

#endif
