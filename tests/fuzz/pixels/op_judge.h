/* Compares the implementations of an operation, or a pipeline, with the reference
 * implementations. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_OP_JUDGE_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_OP_JUDGE_H

#include "tests/checkkernels/check.h"
#include "tests/fuzz/pixels/op_case.h"

/* Aborts unless every implementation of the backend gives the reference's bytes and leaves the
 * guard bytes around the pictures unchanged. Skips implementations that this build or processor
 * cannot run. `device` is NULL for the CPU. Pictures begin at addresses that are multiples of
 * `alignment` bytes. If `tight`, buffers on the device have no guard bytes, so that a checker of
 * memory finds every access past a picture. */
void judge_implementations(const Case *one, ImgBackend backend, ImgDevice *device, size_t alignment,
                           bool tight);

/* Does the same as judge_implementations for implementations that read a picture row by row. They
 * get `rows` rows per call. */
void judge_by_rows(const Case *one, int32_t rows);

/* Checks what the operation says about itself. If its does_nothing returns true, the result must
 * equal the source. The rectangle of the source that img_op_part returns must be enough to compute
 * the rows `wanted` of the result. The rectangle that img_op_tile returns must be enough to compute
 * a tile in these rows. */
void judge_part(const Case *one, ImgRows wanted);

/* Chooses a few steps and runs them with the executor, once from a view and once from rows. The
 * result must equal that of the reference implementations when they run one after another. If a
 * step does not apply, the executor must fail. */
void judge_pipeline(Choices *choices, const CaseLimits *limits);

/* case_source returns the source picture of a case, case_result the reference's result for
 * `source`. The caller frees them with img_image_free. */
ImgImage case_source(const Case *one);
ImgImage case_result(const Case *one, const ImgView *source);

#endif
