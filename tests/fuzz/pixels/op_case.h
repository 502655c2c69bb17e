/* An operation with parameters on a picture, as a fuzzer's input has them. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_OP_CASE_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_OP_CASE_H

#include "tests/checkkernels/cases.h"
#include "tests/fuzz/pixels/choices.h"

/* What a case may take. */
typedef struct CaseLimits {
    int32_t side;   /* of the picture */
    int64_t pixels; /* of the picture; of the result four times as many */
    double seconds; /* that `auto` believes one core takes for it */
} CaseLimits;

/* Any format that a picture can have; a table of counts is none. */
ImgFormat choose_format(Choices *choices);

/* Sides that a tile or a vector does not divide, lines among them. */
ImgShape choose_shape(Choices *choices, const CaseLimits *limits);

/* An operation; where they are `counted`, or a measurement. */
const ImgOp *choose_op(Choices *choices, bool counted);

/* What a file may say, to be bound to. */
ImgFacts choose_facts(Choices *choices);

/* Sets the parameters of an operation, and makes the shape smaller where that would take too long.
 * Of one that measures the result is the largest that there may be. False: it is refused, or the
 * result would be too large. Ends the program where a refusal has no reason, or what the operation
 * says of itself makes no sense. */
bool choose_step(Choices *choices, const ImgOp *op, const CaseLimits *limits, ImgShape *shape,
                 ImgStep *step, ImgShape *result);

/* All of a case; what measures has measured. False: as above. */
bool choose_case(Choices *choices, const CaseLimits *limits, Case *one);

/* For whoever wants to see whether all operations come: cases that ran and that were refused,
 * printed at the end of the program where IMGTOOL_FUZZ_COUNTS is set. */
void count_case(const ImgOp *op, bool refused);

#endif
