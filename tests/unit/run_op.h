/* For tests of operations: one by its name and options, on a picture, by every implementation that
 * this processor runs, which must agree. */
#ifndef IMGTOOL_TESTS_UNIT_RUN_OP_H
#define IMGTOOL_TESTS_UNIT_RUN_OP_H

#include "kernels/core/op.h"

/* `options`: "sigma=2 border=wrap". Samples follow each other without gaps. Fails the test where
 * something is refused; the result is the caller's, for free(). */
void *run_op(const char *name, const char *options, ImgShape src, const void *samples,
             ImgShape *result);

/* Sample `c` of a pixel of such a picture. */
uint32_t sample_of(const void *samples, ImgShape shape, int32_t x, int32_t y, int c);

/* The largest distance of samples of two pictures of the same shape. */
uint32_t farthest(const void *a, const void *b, ImgShape shape);

/* Random samples of all values of the depth, for free(). */
void *random_picture(ImgShape shape, uint32_t seed);

#endif
