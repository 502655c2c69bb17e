/* See canny_follow.h. */
#include "kernels/edge/canny_follow.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/edge/canny.h"

typedef struct Pixel {
    int32_t x, y;
} Pixel;

/* The rows within which edges are followed, and pixels whose neighbours are still to be seen. */
typedef struct Search {
    const ImgView *classes;
    int32_t first, end;
    Pixel *stack;
    size_t count, room;
} Search;

static uint8_t *row_of(const Search *search, int32_t y)
{
    return search->classes->data + (size_t)y * search->classes->stride;
}

static bool push(Search *search, int32_t x, int32_t y)
{
    if (search->count == search->room) {
        const size_t room = search->room > 0 ? 2 * search->room : 1024;
        Pixel *stack = realloc(search->stack, room * sizeof *stack);
        if (stack == NULL)
            return false;
        search->stack = stack;
        search->room = room;
    }
    search->stack[search->count++] = (Pixel){x, y};
    return true;
}

/* Makes the weak ones around a pixel strong, and puts them on the stack. */
static bool strengthen(Search *search, int32_t x, int32_t y)
{
    const int32_t top = y > search->first ? y - 1 : y, left = x > 0 ? x - 1 : x;
    const int32_t bottom = y + 1 < search->end ? y + 1 : y;
    const int32_t right = x + 1 < search->classes->width ? x + 1 : x;
    for (int32_t line = top; line <= bottom; line++) {
        uint8_t *row = row_of(search, line);
        for (int32_t column = left; column <= right; column++)
            if (row[column] == IMG_CANNY_WEAK) {
                row[column] = IMG_CANNY_STRONG;
                if (!push(search, column, line))
                    return false;
            }
    }
    return true;
}

static bool follow_from(Search *search, int32_t x, int32_t y)
{
    bool ready = strengthen(search, x, y);
    while (ready && search->count > 0) {
        const Pixel pixel = search->stack[--search->count];
        ready = strengthen(search, pixel.x, pixel.y);
    }
    return ready;
}

/* From the strong pixels of a row, most of which are black. */
static bool follow_row(Search *search, int32_t y)
{
    const uint8_t *row = row_of(search, y);
    const int32_t width = search->classes->width;
    bool ready = true;
    for (int32_t x = 0; ready && x < width; x++) {
        uint64_t eight = 1;
        if (x + (int32_t)sizeof eight <= width)
            memcpy(&eight, row + x, sizeof eight);
        if (eight == 0)
            x += (int32_t)sizeof eight - 1;
        else if (row[x] == IMG_CANNY_STRONG)
            ready = follow_from(search, x, y);
    }
    return ready;
}

static bool follow_rows(const ImgView *classes, int32_t first, int32_t end, int32_t from,
                        int32_t to)
{
    Search search = {classes, first, end, NULL, 0, 0};
    bool ready = true;
    for (int32_t y = from; ready && y < to; y++)
        ready = follow_row(&search, y);
    free(search.stack);
    return ready;
}

bool img_canny_follow(const ImgView *classes, int32_t first, int32_t end)
{
    return follow_rows(classes, first, end, first, end);
}

bool img_canny_follow_across(const ImgView *classes, int32_t seam)
{
    return follow_rows(classes, 0, classes->height, seam - 1, seam + 1);
}
