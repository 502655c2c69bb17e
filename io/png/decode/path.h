/* The ways in which a PNG's pixels are decoded. */
#ifndef IMGTOOL_IO_PNG_DECODE_PATH_H
#define IMGTOOL_IO_PNG_DECODE_PATH_H

/* Every strategy gives the same pixels. */
typedef enum ImgPngPath {
    IMG_PNG_BY_LIBPNG,   /* everything, and whatever looks damaged: its verdict counts */
    IMG_PNG_IN_SEQUENCE, /* one thread: inflated by portions, which are undone while in the cache */
    IMG_PNG_PIPELINED,   /* one thread inflates, others undo */
    IMG_PNG_BY_STRIPS,   /* the file says where it can be entered */
    IMG_PNG_SPECULATIVE, /* entered where blocks seem to start, and proved afterwards */
    IMG_PNG_ON_DEVICE,   /* by a GPU (device.h), and proved there: none of img_png_decode */
} ImgPngPath;

#endif
