/* Random values of parameters. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_DRAW_H
#define IMGTOOL_TESTS_CHECKKERNELS_DRAW_H

#include "kernels/core/params.h"
#include "tests/checkkernels/fill.h"

/* Writes a value for a picture of that shape, as a user would type it. `defaults`: of the
 * operation. Not for choices, of which each gets its turn, and files (draw_file.h).
 */
void draw_value(const ImgParam *param, ImgShape shape, const ImgParams *defaults, Random *random,
                char text[IMG_PARAM_TEXT]);

#endif
