/* Divides the cells of a picture into boxes: the box whose division lowers the squared error most
 * is divided at the best place along the best axis, again and again. After X. Wu, "Efficient
 * statistical computations for optimal color quantization", Graphics Gems II (1991), with exact
 * means instead of a grid.
 *
 * Errors are doubles, computed from whole numbers in a fixed order, so that all builds give the
 * same. */
#include <string.h>

#include "kernels/quantize/quantize.h"

enum { PLACES = 256 }; /* largest number of places that are tried along an axis */

/* A way to divide a box. Cells with (mean - least) >> shift <= place form the first part. */
typedef struct Division {
    double gain; /* fall of the squared error; 0: the box cannot be divided */
    int axis, shift;
    int32_t least, place;
    ImgColorSums first; /* sums of the first part */
} Division;

/* Cells number `from` to `end` - 1 of the order. */
typedef struct Box {
    uint32_t from, end;
    ImgColorSums sums;
    Division best;
} Box;

typedef struct Cut {
    const ImgCells *cells;
    const int16_t (*means)[4];
    uint32_t *order;
    Box boxes[IMG_PALETTE_MAX];
} Cut;

static void add(ImgColorSums *sums, const ImgColorSums *more)
{
    sums->count += more->count;
    for (int c = 0; c < 4; c++)
        sums->sums[c] += more->sums[c];
}

static ImgColorSums difference(const ImgColorSums *a, const ImgColorSums *b)
{
    ImgColorSums result = {.count = a->count - b->count};
    for (int c = 0; c < 4; c++)
        result.sums[c] = a->sums[c] - b->sums[c];
    return result;
}

/* Returns by how much the squared error of the pixels falls if one colour is their mean instead of
 * 0. */
static double explained(const ImgColorSums *sums)
{
    const double weights[4] = {1, 1, 1, IMG_ALPHA_SQUARE};
    double total = 0;
    for (int c = 0; c < 4; c++) {
        const double sum = (double)sums->sums[c];
        total += weights[c] * (sum * sum);
    }
    return total / (double)sums->count;
}

/* Sets *least and *shift so that the means of the box along an axis are at most PLACES places.
 * Returns false if they are all equal. */
static bool find_places(const Cut *cut, const Box *box, int axis, int32_t *least, int *shift)
{
    int32_t low = INT16_MAX, high = INT16_MIN;
    for (uint32_t i = box->from; i < box->end; i++) {
        const int32_t mean = cut->means[cut->order[i]][axis];
        low = mean < low ? mean : low;
        high = mean > high ? mean : high;
    }
    *least = low;
    for (*shift = 0; (high - low) >> *shift >= PLACES;)
        ++*shift;
    return low < high;
}

static void try_axis(const Cut *cut, Box *box, int axis)
{
    ImgColorSums at[PLACES] = {0}, first = {0};
    Division division = {.axis = axis};
    if (!find_places(cut, box, axis, &division.least, &division.shift))
        return;
    for (uint32_t i = box->from; i < box->end; i++) {
        const uint32_t cell = cut->order[i];
        add(&at[(cut->means[cell][axis] - division.least) >> division.shift],
            &cut->cells->cells[cell].sums);
    }
    const double before = explained(&box->sums);
    for (division.place = 0; division.place < PLACES; division.place++) {
        if (at[division.place].count == 0)
            continue;
        add(&first, &at[division.place]);
        if (first.count == box->sums.count)
            return;
        const ImgColorSums second = difference(&box->sums, &first);
        division.gain = explained(&first) + explained(&second) - before;
        if (division.gain > box->best.gain) {
            box->best = division;
            box->best.first = first;
        }
    }
}

static void find_division(const Cut *cut, Box *box)
{
    box->best = (Division){.gain = 0};
    for (int axis = 0; axis < 4; axis++)
        try_axis(cut, box, axis);
}

/* Divides a box: it keeps the first part, and *second becomes the second one. */
static void divide(Cut *cut, Box *box, Box *second)
{
    const Division *by = &box->best;
    uint32_t middle = box->from;
    for (uint32_t i = box->from; i < box->end; i++) {
        const uint32_t cell = cut->order[i];
        if ((cut->means[cell][by->axis] - by->least) >> by->shift > by->place)
            continue;
        cut->order[i] = cut->order[middle];
        cut->order[middle++] = cell;
    }
    *second = (Box){.from = middle, .end = box->end, .sums = difference(&box->sums, &by->first)};
    box->end = middle;
    box->sums = by->first;
    find_division(cut, box);
    find_division(cut, second);
}

static int32_t largest_gain(const Cut *cut, int32_t count)
{
    int32_t best = 0;
    for (int32_t i = 1; i < count; i++)
        if (cut->boxes[i].best.gain > cut->boxes[best].best.gain)
            best = i;
    return best;
}

int32_t img_cut_cells(const ImgCells *cells, const int16_t (*means)[4], uint32_t *order,
                      int32_t most, ImgColorSums boxes[IMG_PALETTE_MAX])
{
    Cut cut = {.cells = cells, .means = means, .order = order};
    int32_t count = 1;
    cut.boxes[0].end = cells->count;
    for (uint32_t i = 0; i < cells->count; i++) {
        order[i] = i;
        add(&cut.boxes[0].sums, &cells->cells[i].sums);
    }
    find_division(&cut, &cut.boxes[0]);
    while (count < most) {
        const int32_t best = largest_gain(&cut, count);
        if (cut.boxes[best].best.gain <= 0)
            break;
        divide(&cut, &cut.boxes[best], &cut.boxes[count++]);
    }
    for (int32_t i = 0; i < count; i++)
        boxes[i] = cut.boxes[i].sums;
    return count;
}
