/* Parameters of operations as a fuzzer's input has them: usual ones, the ends of their ranges, and
 * what lies beyond and must be refused. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_OP_PARAMS_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_OP_PARAMS_H

#include "kernels/core/op.h"
#include "tests/fuzz/pixels/choices.h"

/* Sets each parameter or leaves its default. Ends the program where a value outside the range is
 * taken, a refusal has no message or changes something, or a value that was taken is printed so
 * that it reads otherwise. Files are made up; what they hold is valid until the next call. */
void choose_params(Choices *choices, const ImgOp *op, ImgShape shape, ImgParams *params);

#endif
