/* Random steps with random parameters, written as a user would type them. */
#ifndef IMGTOOL_TESTS_MEMORY_STEPS_H
#define IMGTOOL_TESTS_MEMORY_STEPS_H

#include "kernels/core/op.h"
#include "tests/checkkernels/fill.h"

enum { STEPS_TEXT = 8192 };

/* Paths of the files that steps can name. */
typedef struct StepFiles {
    const char *cube, *kernel, *picture;
} StepFiles;

/* Draws a step of any operation that accepts a picture of this shape. Its result is not much
 * larger, and it takes at most about `seconds` on one core. *shape becomes the shape of the result.
 * Returns false if no step was found. */
bool step_draw(const StepFiles *files, ImgShape *shape, double seconds, Random *random,
               ImgStep *step);

/* Writes up to `most` random steps to `text`, such as "rotate angle=90 | blur sigma=2". Returns
 * their number. */
size_t steps_draw(const StepFiles *files, ImgShape shape, size_t most, Random *random,
                  char text[STEPS_TEXT]);

#endif
