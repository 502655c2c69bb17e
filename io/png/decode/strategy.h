/* Private: the strategies of the PNG decoder. */
#ifndef IMGTOOL_IO_PNG_DECODE_STRATEGY_H
#define IMGTOOL_IO_PNG_DECODE_STRATEGY_H

/* The strategies for decoding; all of them give the same pixels. */
typedef enum ImgPngStrategy {
    IMG_PNG_BY_LIBPNG,   /* libpng: handles every file, and has the verdict about damaged ones */
    IMG_PNG_IN_SEQUENCE, /* one thread inflates portions and unfilters them while they are in the
                          * cache */
    IMG_PNG_PIPELINED,   /* one thread inflates, others unfilter */
    IMG_PNG_BY_STRIPS,   /* strips in parallel, from an index in the file */
    IMG_PNG_SPECULATIVE, /* pieces in parallel, from likely block starts that are verified
                          * afterwards */
    IMG_PNG_ON_DEVICE,   /* decoded and verified by a GPU (device.h); not used by img_png_decode */
} ImgPngStrategy;

#endif
