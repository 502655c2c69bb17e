/* Look-up tables as text: Cube LUT Specification 1.0 (Adobe, 2013). */
#ifndef IMGTOOL_KERNELS_POINT_CUBE_H
#define IMGTOOL_KERNELS_POINT_CUBE_H

#include "kernels/core/op.h"

enum { IMG_CUBE_1D_MOST = 65536, IMG_CUBE_3D_MOST = 129, IMG_CUBE_CHANNELS = 4 };

/* Without pointers. */
typedef struct ImgCube {
    int32_t dimensions;        /* 1: a curve per colour; 3: a lattice */
    int32_t size;              /* entries of a curve, or along an edge: at least 2 */
    int32_t least[3], most[3]; /* what the first and the last entry stand for, in millionths */
    uint16_t entries[]; /* red, green, blue and 0, of which 65535 is one; red changes fastest */
} ImgCube;

/* Makes an ImgCube of `size` bytes of text. Numbers are decimal, whatever the locale, and rounded
 * to the nearest 65535th, those below 0 and above 1 to these. IMG_E_FORMAT names the line, what is
 * wrong and what is right. */
ImgStatus img_cube_read(const char *text, size_t size, ImgConstants *content, ImgError *err);

#endif
