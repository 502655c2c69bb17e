#include "app/montage/sheet.h"

/* Returns the length, in pixels, of a side with `count` cells. With fewer than 2^31 cells the
 * length is below 2^63, because cell, spacing and margin are below 2^31, too. */
static uint64_t side_of(uint64_t count, int32_t cell, const SheetGrid *grid)
{
    return count * (uint64_t)cell + (count - 1) * (uint64_t)grid->spacing +
           2 * (uint64_t)grid->margin;
}

static uint64_t rows_for(uint64_t count, uint64_t columns)
{
    return (count + columns - 1) / columns;
}

/* Returns the smallest number of columns for which the sheet is no higher than wide. Bisection
 * finds it, because with more columns the sheet gets wider, and never higher. */
static uint64_t near_square(const SheetGrid *grid, uint64_t count)
{
    uint64_t least = 1, most = count;
    while (least < most) {
        const uint64_t columns = least + (most - least) / 2;
        const uint64_t rows = rows_for(count, columns);
        if (side_of(columns, grid->cell_width, grid) >= side_of(rows, grid->cell_height, grid))
            most = columns;
        else
            least = columns + 1;
    }
    return least;
}

ImgStatus sheet_grid_fit(SheetGrid *grid, size_t count, int32_t columns, uint64_t max_pixels,
                         ImgError *err)
{
    uint64_t across = columns > 0 ? (uint64_t)columns : near_square(grid, count);
    across = across < count ? across : count;
    const uint64_t down = rows_for(count, across);
    const uint64_t width = side_of(across, grid->cell_width, grid);
    const uint64_t height = side_of(down, grid->cell_height, grid);
    if (width > INT32_MAX || height > INT32_MAX)
        return img_fail(err, IMG_E_LIMIT,
                        "a sheet of %llu x %llu pixels is more than a picture can have; choose a "
                        "smaller --cell, or make several sheets",
                        (unsigned long long)width, (unsigned long long)height);
    if (width * height > max_pixels)
        return img_fail(
            err, IMG_E_LIMIT,
            "a sheet of %llu x %llu is %llu pixels, more than the limit of %llu; choose "
            "a smaller --cell, or raise the limit with --max-pixels",
            (unsigned long long)width, (unsigned long long)height,
            (unsigned long long)(width * height), (unsigned long long)max_pixels);
    grid->columns = (int64_t)across;
    grid->rows = (int64_t)down;
    grid->width = (int32_t)width;
    grid->height = (int32_t)height;
    return IMG_OK;
}

ImgPlace sheet_grid_place(const SheetGrid *grid, size_t number, int32_t gravity, int32_t width,
                          int32_t height)
{
    const int64_t column = (int64_t)number % grid->columns, row = (int64_t)number / grid->columns;
    ImgPlace place = img_gravity_place(gravity, grid->cell_width, grid->cell_height, width, height);
    place.x += (int32_t)(grid->margin + column * (grid->cell_width + (int64_t)grid->spacing));
    place.y += (int32_t)(grid->margin + row * (grid->cell_height + (int64_t)grid->spacing));
    return place;
}
