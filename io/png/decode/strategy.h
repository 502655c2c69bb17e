/* Private: the strategies by which a PNG can be decoded. */
#ifndef IMGTOOL_IO_PNG_DECODE_STRATEGY_H
#define IMGTOOL_IO_PNG_DECODE_STRATEGY_H

/* The strategies of the decoder. All of them produce the same pixels. */
typedef enum ImgPngStrategy {
    /* The library libpng decodes. It supports every file, and only its verdict decides that a file
     * is damaged. */
    IMG_PNG_BY_LIBPNG,
    /* One thread inflates a part of the stream, unfilters it while it is in the cache, and goes on
     * with the next part. */
    IMG_PNG_IN_SEQUENCE,
    IMG_PNG_PIPELINED, /* One thread inflates while other threads unfilter. */
    IMG_PNG_BY_STRIPS, /* Threads decode strips, which an index in the file lists, in parallel. */
    /* Threads inflate pieces in parallel from likely block starts, which are verified
     * afterwards. */
    IMG_PNG_SPECULATIVE,
    /* A GPU decodes and verifies the result (device.h). img_png_decode does not use this
     * strategy. */
    IMG_PNG_ON_DEVICE,
} ImgPngStrategy;

/* Value of ImgPngDecodeOptions.room for decoding with the least memory and processor time: never
 * speculatively, so several threads save few seconds. */
enum { IMG_PNG_LEAST_ROOM = 1 };

#endif
