/* Lookup tables in text files: Cube LUT Specification 1.0 (Adobe, 2013). */
#ifndef IMGTOOL_KERNELS_POINT_CUBE_H
#define IMGTOOL_KERNELS_POINT_CUBE_H

#include "kernels/core/op.h"

enum { IMG_CUBE_1D_MOST = 65536, IMG_CUBE_3D_MOST = 129, IMG_CUBE_CHANNELS = 4 };

/* A lookup table. Contains no pointers. */
typedef struct ImgCube {
    int32_t dimensions;        /* 1: a curve for each colour; 3: a lattice */
    int32_t size;              /* entries of a curve, or per edge of a lattice; at least 2 */
    int32_t least[3], most[3]; /* input values of the first and the last entry, in millionths */
    /* values, in millionths, for which the entries 0 and 65535 stand: 0 and 1, unless the table has
     * values outside 0..1 */
    int32_t low, high;
    uint16_t entries[]; /* red, green, blue and 0 per entry; red changes fastest */
} ImgCube;

/* Values of a table are clamped to -8..8 when it is read, and to 0..1 after interpolation. */
enum { IMG_CUBE_UNIT = 1000000, IMG_CUBE_VALUE_MOST = 8 };

/* Parses `size` bytes of text to an ImgCube. Numbers are decimal, whatever the locale, and are
 * rounded to the nearest 65535th of the range low..high. Returns IMG_E_FORMAT if the text is wrong;
 * the message names the line, the mistake and what is valid. */
ImgStatus img_cube_read(const char *text, size_t size, ImgConstants *content, ImgError *err);

#endif
