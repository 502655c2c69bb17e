/* Private: amounts of memory as people read them. */
#ifndef IMGTOOL_IO_HUMAN_H
#define IMGTOOL_IO_HUMAN_H

#include <stdint.h>

typedef struct ImgSizeText {
    char text[32]; /* "3.2 GiB" */
} ImgSizeText;

/* Two amounts that are compared: in bytes where rounding would make them look equal. */
void img_size_texts(uint64_t a, uint64_t b, ImgSizeText texts[2]);

#endif
