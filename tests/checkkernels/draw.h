/* Draws random values of parameters. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_DRAW_H
#define IMGTOOL_TESTS_CHECKKERNELS_DRAW_H

#include "kernels/core/params.h"
#include "tests/checkkernels/fill.h"

/* Writes a random value of `param` to `text`, as a user would type it. The value suits a picture of
 * this shape. `defaults` are the default parameters of the operation. Choices are tried in turn and
 * files are made by draw_file, so neither may be drawn here. */
void draw_value(const ImgParam *param, ImgShape shape, const ImgParams *defaults, Random *random,
                char text[IMG_PARAM_TEXT]);

/* Sets a parameter of type IMG_PARAM_FILE to one of a few files. The files are made in memory and
 * stay there until the program ends. */
void draw_file(const ImgOp *op, const ImgParam *param, Random *random, ImgParams *params);

#endif
