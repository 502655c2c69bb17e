/* Chooses parameters of operations from a fuzzer's input: usual values, limits of their ranges, and
 * values out of range, which must be rejected. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_OP_PARAMS_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_OP_PARAMS_H

#include "kernels/core/op.h"
#include "tests/fuzz/pixels/choices.h"

/* Sets each parameter, or leaves its default. Aborts if a value out of range is accepted, if a
 * rejection has no message or changes parameters, or if an accepted value reads differently after
 * it is printed. The contents of file parameters are generated, and stay valid for the steps of one
 * pipeline. */
void choose_params(Choices *choices, const ImgOp *op, ImgShape shape, ImgParams *params);

#endif
