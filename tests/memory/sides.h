/* Random sides of pictures. Half of the pictures have usual sides. The others are long in one
 * direction, where memory proportional to a side is large. */
#ifndef IMGTOOL_TESTS_MEMORY_SIDES_H
#define IMGTOOL_TESTS_MEMORY_SIDES_H

#include "kernels/core/image.h"

/* A function that returns a random number below `bound`. */
typedef uint32_t DrawBelow(void *context, uint32_t bound);

/* Returns a shape whose sides are at most `usual`, or one of whose sides may have any order of
 * magnitude. The caller sets the format. */
static inline ImgShape draw_sides(DrawBelow *below, void *context, uint32_t usual)
{
    enum { LONG = 4 << 20, ORDERS = 18, THIN = 4 };
    const uint32_t kind = below(context, 4);
    const uint32_t order = below(context, ORDERS);
    const uint32_t longer = 1 + below(context, LONG >> order);
    const uint32_t other = 1 + below(context, longer > LONG / 16 ? THIN : 4 * THIN);
    const uint32_t width = 1 + below(context, usual), height = 1 + below(context, usual);
    if (kind == 0)
        return (ImgShape){.width = (int32_t)longer, .height = (int32_t)other};
    if (kind == 1)
        return (ImgShape){.width = (int32_t)other, .height = (int32_t)longer};
    return (ImgShape){.width = (int32_t)width, .height = (int32_t)height};
}

#endif
