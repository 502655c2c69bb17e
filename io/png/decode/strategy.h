/* Private: the strategies of the PNG decoder. */
#ifndef IMGTOOL_IO_PNG_DECODE_STRATEGY_H
#define IMGTOOL_IO_PNG_DECODE_STRATEGY_H

/* The strategies for decoding; all of them give the same pixels. */
typedef enum ImgPngStrategy {
    IMG_PNG_BY_LIBPNG, /* libpng: decodes every file, and alone decides whether a file is damaged */
    /* One thread inflates portions, and unfilters each while it is in the cache. */
    IMG_PNG_IN_SEQUENCE,
    IMG_PNG_PIPELINED, /* one thread inflates, others unfilter */
    IMG_PNG_BY_STRIPS, /* strips in parallel; an index in the file lists them */
    /* Pieces in parallel, from likely block starts, which are verified afterwards. */
    IMG_PNG_SPECULATIVE,
    /* On a GPU, which verifies the result (device.h); img_png_decode does not use it. */
    IMG_PNG_ON_DEVICE,
} ImgPngStrategy;

#endif
