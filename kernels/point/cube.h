/* Reads lookup tables for colours from text files in the format Cube LUT Specification 1.0 (Adobe,
 * 2013). */
#ifndef IMGTOOL_KERNELS_POINT_CUBE_H
#define IMGTOOL_KERNELS_POINT_CUBE_H

#include "kernels/core/op.h"

enum { IMG_CUBE_1D_MOST = 65536, IMG_CUBE_3D_MOST = 129, IMG_CUBE_CHANNELS = 4 };

/* A lookup table. It contains no pointers, so it can be copied to a GPU as it is. */
typedef struct ImgCube {
    int32_t dimensions; /* 1: a curve for each colour; 3: a lattice of colours */
    /* number of entries of a curve, or along each edge of a lattice; at least 2 */
    int32_t size;
    /* input values of the first and the last entry for each colour, in millionths */
    int32_t least[3], most[3];
    /* Values that the entries 0 and 65535 stand for, in millionths. They are 0 and 1, unless the
     * table has values outside this range. */
    int32_t low, high;
    /* red, green, blue and 0 for each entry; in a lattice, the index of red changes fastest */
    uint16_t entries[];
} ImgCube;

/* Unit of values, and largest magnitude of a value. Values are clamped to -8..8 when the table is
 * read, and to 0..1 after interpolation. */
enum { IMG_CUBE_UNIT = 1000000, IMG_CUBE_VALUE_MOST = 8 };

/* Parses `size` bytes of text into an ImgCube. Numbers have a decimal point, whatever the locale.
 * They are rounded to the nearest 65535th of the range low..high. Returns IMG_E_FORMAT if the text
 * is invalid; the message names the line, the mistake and the valid form. */
ImgStatus img_cube_read(const char *text, size_t size, ImgConstants *content, ImgError *err);

#endif
