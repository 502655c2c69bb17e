/* For tests of operations: one by its name and options, on a picture, by every implementation that
 * this processor runs, and in every way in which it takes rows, which must agree. */
#ifndef IMGTOOL_TESTS_UNIT_RUN_OP_H
#define IMGTOOL_TESTS_UNIT_RUN_OP_H

#include "kernels/core/op.h"

/* `options`: "sigma=2 border=wrap". Samples follow each other without gaps. A palette has two
 * colours: black and red. Fails the test where
 * something is refused; the result is the caller's, for free(). */
void *run_op(const char *name, const char *options, ImgShape src, const void *samples,
             ImgShape *result);

/* Sample `c` of a pixel of such a picture. */
uint32_t sample_of(const void *samples, ImgShape shape, int32_t x, int32_t y, int c);

/* The same of any place, by the border mode; 0 where that is constant. */
double sample_beyond(const void *samples, ImgShape shape, int32_t x, int32_t y, int c,
                     int32_t border);

/* The border modes as options name them, by their numbers. */
extern const char *const border_names[4];

/* Runs a filter that has a border on an opaque RGBA picture and on its RGB: samples may differ by
 * `most`, and what is opaque stays so. */
void expect_opaque_alike(const char *name, const char *options, int bits, uint32_t most);

/* The largest distance of samples of two pictures of the same shape. */
uint32_t farthest(const void *a, const void *b, ImgShape shape);

/* Random samples of all values of the depth, for free(). */
void *random_picture(ImgShape shape, uint32_t seed);

#endif
