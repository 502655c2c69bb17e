/* What must hold of a case and of several steps. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_OP_JUDGE_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_OP_JUDGE_H

#include "tests/checkkernels/check.h"
#include "tests/fuzz/pixels/op_case.h"

/* Ends the program unless every implementation of the backend that this build and processor run
 * gives what the reference gives, with guards around both pictures; `device` is for CUDA. */
void judge_implementations(const Case *one, ImgBackend backend, ImgDevice *device, size_t alignment,
                           bool tight);

/* The same of implementations that take rows as they come, so many at a time. */
void judge_by_rows(const Case *one, int32_t rows);

/* What an operation says of itself: that it does nothing, and which rows it needs for those. */
void judge_rows_needed(const Case *one, ImgRows wanted);

/* A few steps: the executor, from a view, or from rows that come one after another, gives what the
 * references give one after another, or fails where one of them does not apply. */
void judge_pipeline(Choices *choices, const CaseLimits *limits);

/* The whole source of a case, its pixels and what the reference makes of them; for img_image_free.
 */
ImgImage case_source(const Case *one);
ImgImage case_result(const Case *one, const ImgView *source);

#endif
