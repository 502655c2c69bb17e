/* The filter types of PNG. A filtered row begins with one of these numbers. */
#ifndef IMGTOOL_IO_PNG_FILTER_FILTER_TYPE_H
#define IMGTOOL_IO_PNG_FILTER_FILTER_TYPE_H

typedef enum ImgFilter {
    IMG_FILTER_NONE,
    IMG_FILTER_SUB,
    IMG_FILTER_UP,
    IMG_FILTER_AVERAGE,
    IMG_FILTER_PAETH,
    IMG_FILTERS,
} ImgFilter;

#endif
