/* Makes cases from a fuzzer's input. A case is an operation, its parameters and a picture. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_OP_CASE_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_OP_CASE_H

#include "kernels/core/op.h"
#include "tests/checkkernels/cases.h"
#include "tests/fuzz/pixels/choices.h"

/* Limits that keep cases fast. */
typedef struct CaseLimits {
    int32_t side;   /* largest width and height of the picture, in pixels */
    int64_t pixels; /* largest picture, in pixels; the result may have four times as many */
    double seconds; /* largest estimated time on one core, in seconds */
} CaseLimits;

/* Returns any picture format. Tables of counts are not picture formats. */
ImgFormat choose_format(Choices *choices);

/* Returns a shape with width and height within the limits. Sizes up to 70 pixels are as likely as
 * all others together. */
ImgShape choose_shape(Choices *choices, const CaseLimits *limits);

/* Returns an operation. If `counted` is set, it may also be a measurement. */
const ImgOp *choose_op(Choices *choices, bool counted);

/* Returns the facts of a file's metadata that operations use: orientation and transfer function. */
ImgFacts choose_facts(Choices *choices);

/* Chooses and binds the parameters of `op`, and halves `shape` until it is within the limits. Sets
 * `step` and `result`. For an operation that measures, `result` is the largest possible shape.
 * Returns false if the operation rejects the parameters or its result is too large. Aborts if a
 * rejection has no message, or if the operation's estimates are not valid. */
bool choose_step(Choices *choices, const ImgOp *op, const CaseLimits *limits, ImgShape *shape,
                 ImgStep *step, ImgShape *result);

/* Chooses an operation, its parameters and a picture. If the operation depends on a measurement,
 * measures the picture too. Returns false if choose_step returns false. */
bool choose_case(Choices *choices, const CaseLimits *limits, Case *one);

/* Counts a case of `op`, which ran or was `refused`. If the environment variable
 * IMGTOOL_FUZZ_COUNTS is set, the program prints the counts of each operation when it ends. */
void count_case(const ImgOp *op, bool refused);

/* --- Parameters ------------------------------------------------------------------------------- */

/* Sets each parameter, or leaves its default.
 * Aborts if a value out of range is accepted, or if a rejection has no message or changes
 * parameters. Also aborts if an accepted value differs after it is printed and read again.
 * The contents of file parameters are generated. They stay valid for the steps of one pipeline. */
void choose_params(Choices *choices, const ImgOp *op, ImgShape shape, ImgParams *params);

#endif
