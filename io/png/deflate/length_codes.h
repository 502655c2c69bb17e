/* Private: the codes of match lengths and distances, and their extra bits (RFC 1951, 3.2.5). */
#ifndef IMGTOOL_IO_PNG_DEFLATE_LENGTH_CODES_H
#define IMGTOOL_IO_PNG_DEFLATE_LENGTH_CODES_H

#include "io/png/deflate/logarithm.h"

enum {
    IMG_LENGTH_CODES = 29,
    IMG_LENGTH_LEAST = 3,
    IMG_LENGTH_MOST = 258,
    IMG_DISTANCE_MOST = 1 << 15,
};

/* A code, counted from the first code of lengths or of distances, with its extra bits. */
typedef struct ImgPart {
    unsigned code, extra_bits, extra;
} ImgPart;

/* Returns the code of a match length, and its extra bits. From length 11 upwards there are four
 * codes for each power of two. */
static inline ImgPart img_part_of_length(uint32_t length)
{
    const unsigned above = length - IMG_LENGTH_LEAST, bits = img_top_bit(above | 4) - 2;
    if (length == IMG_LENGTH_MOST)
        return (ImgPart){IMG_LENGTH_CODES - 1, 0, 0};
    return (ImgPart){4 * bits + (above >> bits), bits, above & ((1U << bits) - 1)};
}

/* Returns the code of a distance, and its extra bits. From distance 5 upwards there are two codes
 * for each power of two. */
static inline ImgPart img_part_of_distance(uint32_t distance)
{
    const unsigned above = distance - 1, bits = img_top_bit(above | 2) - 1;
    return (ImgPart){2 * bits + (above >> bits), bits, above & ((1U << bits) - 1)};
}

#endif
