/* Random steps with random parameters, as a user would type them. */
#ifndef IMGTOOL_TESTS_MEMORY_STEPS_H
#define IMGTOOL_TESTS_MEMORY_STEPS_H

#include "kernels/core/op.h"
#include "tests/checkkernels/fill.h"

enum { STEPS_TEXT = 8192 };

/* Files that steps may name. */
typedef struct StepFiles {
    const char *cube, *kernel, *picture;
} StepFiles;

/* One step of any operation that takes a picture of that shape, whose result is not much larger and
 * takes no more than about so many seconds of a core; *shape becomes that of the result. False:
 * none was found. */
bool step_draw(const StepFiles *files, ImgShape *shape, double seconds, Random *random,
               ImgStep *step);

/* Up to `most` of them as text: "rotate angle=90 | blur sigma=2". Returns how many. */
size_t steps_draw(const StepFiles *files, ImgShape shape, size_t most, Random *random,
                  char text[STEPS_TEXT]);

#endif
