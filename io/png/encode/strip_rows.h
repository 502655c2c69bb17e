/* Private: the rows of a picture that form a strip. */
#ifndef IMGTOOL_IO_PNG_ENCODE_STRIP_ROWS_H
#define IMGTOOL_IO_PNG_ENCODE_STRIP_ROWS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ImgStrip {
    int32_t from, to; /* first row, and the one after the last */
    bool last;        /* the stream ends with this strip; other strips end with a full flush */
} ImgStrip;

#endif
