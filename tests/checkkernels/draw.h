/* Random values of parameters. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_DRAW_H
#define IMGTOOL_TESTS_CHECKKERNELS_DRAW_H

#include "kernels/core/params.h"
#include "tests/checkkernels/fill.h"

/* Writes a random value for a picture of this shape, as a user would type it. `defaults` are those
 * of the operation. Must not be used for choices, which are tried in turn, or for files
 * (draw_file). */
void draw_value(const ImgParam *param, ImgShape shape, const ImgParams *defaults, Random *random,
                char text[IMG_PARAM_TEXT]);

/* Sets the parameter, of type IMG_PARAM_FILE, to one of a few files. They are made in memory and
 * kept until the program ends. */
void draw_file(const ImgOp *op, const ImgParam *param, Random *random, ImgParams *params);

#endif
