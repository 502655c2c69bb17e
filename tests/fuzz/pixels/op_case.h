/* Makes cases from a fuzzer's input: an operation, its parameters and a picture. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_OP_CASE_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_OP_CASE_H

#include "kernels/core/op.h"
#include "tests/checkkernels/cases.h"
#include "tests/fuzz/pixels/choices.h"

/* Limits that keep cases fast. */
typedef struct CaseLimits {
    int32_t side;   /* width and height of the picture */
    int64_t pixels; /* pixels of the picture; the result may have four times as many */
    double seconds; /* cost on one core, as estimated for `auto` */
} CaseLimits;

/* Returns any picture format, but not a table of counts. */
ImgFormat choose_format(Choices *choices);

/* Returns a shape with any width and height within the limits. Small sizes are as likely as all
 * others together. */
ImgShape choose_shape(Choices *choices, const CaseLimits *limits);

/* Returns an operation, or with `counted` an operation or a measurement. */
const ImgOp *choose_op(Choices *choices, bool counted);

/* Returns facts that operations use from a file's metadata: orientation and transfer function. */
ImgFacts choose_facts(Choices *choices);

/* Chooses the parameters of `op`, binds them, and halves `shape` until it is within the limits.
 * Sets `step` and `result`; for an operation that measures, `result` is the largest possible shape.
 * Returns false if the operation rejects the parameters or its result is too large. Aborts if a
 * rejection has no message, or if the operation's estimates are not valid. */
bool choose_step(Choices *choices, const ImgOp *op, const CaseLimits *limits, ImgShape *shape,
                 ImgStep *step, ImgShape *result);

/* Makes a whole case. An operation that measures has measured the picture. Returns false as
 * choose_step does. */
bool choose_case(Choices *choices, const CaseLimits *limits, Case *one);

/* Counts a case. If the environment variable IMGTOOL_FUZZ_COUNTS is set, the program prints at its
 * end how many cases of each operation ran and were rejected. */
void count_case(const ImgOp *op, bool refused);

/* --- Parameters ------------------------------------------------------------------------------- */

/* Sets each parameter, or leaves its default. Aborts if a value out of range is accepted, if a
 * rejection has no message or changes parameters, or if an accepted value reads differently after
 * it is printed. The contents of file parameters are generated, and stay valid for the steps of one
 * pipeline. */
void choose_params(Choices *choices, const ImgOp *op, ImgShape shape, ImgParams *params);

#endif
