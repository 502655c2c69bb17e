/* Files for operations that read one. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_DRAW_FILE_H
#define IMGTOOL_TESTS_CHECKKERNELS_DRAW_FILE_H

#include "kernels/core/op.h"
#include "tests/checkkernels/fill.h"

/* Sets the parameter, of type IMG_PARAM_FILE, to one of a few files. They are made in memory and
 * kept until the program ends. */
void draw_file(const ImgOp *op, const ImgParam *param, Random *random, ImgParams *params);

#endif
