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
    int32_t low, high;         /* what entries of 0 and of 65535 stand for, in millionths: 0 and 1
                                * unless there are values outside */
    uint16_t entries[];        /* red, green, blue and 0; red changes fastest */
} ImgCube;

/* Values of a table are clamped to -8..8 when it is read, and after interpolation to 0..1. */
enum { IMG_CUBE_UNIT = 1000000, IMG_CUBE_VALUE_MOST = 8 };

/* Makes an ImgCube of `size` bytes of text. Numbers are decimal, whatever the locale, and rounded
 * to the nearest 65535th of the range low..high. IMG_E_FORMAT names the line, what is wrong and
 * what is right. */
ImgStatus img_cube_read(const char *text, size_t size, ImgConstants *content, ImgError *err);

#endif
