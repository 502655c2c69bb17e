/* Implements hysteresis on the CPU, see canny_cpu_priv.h. */
#include "kernels/edge/canny_cpu_priv.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/edge/canny.h"

typedef struct Pixel {
    int32_t x, y;
} Pixel;

enum { STACK_MOST = IMG_CANNY_FOLLOW_BYTES / sizeof(Pixel) };

/* State while edges are followed within the rows `first` to `end` - 1. The stack has the pixels
 * whose neighbours must still be examined. `left_some` is set if a pixel did not fit the stack; in
 * this case all rows are searched again. */
typedef struct Search {
    const ImgView *classes;
    int32_t first, end;
    Pixel *stack;
    size_t count;
    bool left_some;
} Search;

static uint8_t *row_of(const Search *search, int32_t y)
{
    return search->classes->data + (size_t)y * search->classes->stride;
}

static void push(Search *search, int32_t x, int32_t y)
{
    if (search->count < STACK_MOST)
        search->stack[search->count++] = (Pixel){x, y};
    else
        search->left_some = true;
}

/* Makes the weak pixels around (x, y) strong, and pushes them on the stack. */
static void strengthen(Search *search, int32_t x, int32_t y)
{
    const int32_t top = y > search->first ? y - 1 : y, left = x > 0 ? x - 1 : x;
    const int32_t bottom = y + 1 < search->end ? y + 1 : y;
    const int32_t right = x + 1 < search->classes->width ? x + 1 : x;
    for (int32_t line = top; line <= bottom; line++) {
        uint8_t *row = row_of(search, line);
        for (int32_t column = left; column <= right; column++)
            if (row[column] == IMG_CANNY_WEAK) {
                row[column] = IMG_CANNY_STRONG;
                push(search, column, line);
            }
    }
}

static void follow_from(Search *search, int32_t x, int32_t y)
{
    strengthen(search, x, y);
    while (search->count > 0) {
        const Pixel pixel = search->stack[--search->count];
        strengthen(search, pixel.x, pixel.y);
    }
}

/* Follows edges from the strong pixels of row `y`. Most pixels are black, so it skips eight black
 * pixels at a time. */
static void follow_row(Search *search, int32_t y)
{
    const uint8_t *row = row_of(search, y);
    const int32_t width = search->classes->width;
    for (int32_t x = 0; x < width; x++) {
        uint64_t eight = 1;
        if (x + (int32_t)sizeof eight <= width)
            memcpy(&eight, row + x, sizeof eight);
        if (eight == 0)
            x += (int32_t)sizeof eight - 1;
        else if (row[x] == IMG_CANNY_STRONG)
            follow_from(search, x, y);
    }
}

/* Follows edges that begin in the rows `from` to `to` - 1, but only within the rows `first` to
 * `end` - 1. If pixels do not fit the stack, searches all rows `first` to `end` - 1 again, until
 * all pixels fit. Returns false when memory is short. */
static bool follow_rows(const ImgView *classes, int32_t first, int32_t end, int32_t from,
                        int32_t to)
{
    Search search = {.classes = classes, .first = first, .end = end};
    search.stack = malloc(STACK_MOST * sizeof *search.stack);
    if (search.stack == NULL)
        return false;
    do {
        search.left_some = false;
        for (int32_t y = from; y < to; y++)
            follow_row(&search, y);
        from = first;
        to = end;
    } while (search.left_some);
    free(search.stack);
    return true;
}

bool img_canny_follow(const ImgView *classes, int32_t first, int32_t end)
{
    return follow_rows(classes, first, end, first, end);
}

bool img_canny_follow_across(const ImgView *classes, int32_t seam)
{
    return follow_rows(classes, 0, classes->height, seam - 1, seam + 1);
}
