/* Tests of contact sheets: the positions of cells, and how pictures are drawn on the sheet. */
#include <criterion/criterion.h>
#include <string.h>

#include "app/montage/sheet.h"
#include "app/text/amounts.h"

static SheetGrid grid_of(int32_t width, int32_t height, int32_t spacing, int32_t margin,
                         size_t count, int32_t columns)
{
    SheetGrid grid = {
        .cell_width = width, .cell_height = height, .spacing = spacing, .margin = margin};
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(sheet_grid_fit(&grid, count, columns, 1000000000, &err), IMG_OK, "%s",
                 err.message);
    return grid;
}

static void expect_grid(const SheetGrid *grid, int64_t columns, int64_t rows, int32_t width,
                        int32_t height)
{
    cr_expect(grid->columns == columns && grid->rows == rows, "%lld x %lld",
              (long long)grid->columns, (long long)grid->rows);
    cr_expect(grid->width == width && grid->height == height, "%d x %d", grid->width, grid->height);
}

Test(montage, sheet_sizes_match_values_worked_out_by_hand)
{
    SheetGrid grid = grid_of(10, 7, 2, 5, 7, 3);
    expect_grid(&grid, 3, 3, 5 + 10 + 2 + 10 + 2 + 10 + 5, 5 + 7 + 2 + 7 + 2 + 7 + 5);
    grid = grid_of(10, 7, 0, 0, 6, 3);
    expect_grid(&grid, 3, 2, 30, 14);
    grid = grid_of(1, 1, 0, 0, 1, 1);
    expect_grid(&grid, 1, 1, 1, 1);
}

Test(montage, no_column_is_empty)
{
    const SheetGrid grid = grid_of(10, 10, 1, 0, 4, 100);
    expect_grid(&grid, 4, 1, 43, 10);
}

/* The default number of columns is the smallest number for which the sheet is no higher than
 * wide. */
Test(montage, default_sheets_are_nearly_square)
{
    static const struct {
        size_t count;
        int64_t columns, rows;
    } squares[] = {{1, 1, 1},  {2, 2, 1},  {3, 2, 2},  {4, 2, 2},    {5, 3, 2},
                   {6, 3, 2},  {7, 3, 3},  {9, 3, 3},  {10, 4, 3},   {12, 4, 3},
                   {13, 4, 4}, {16, 4, 4}, {17, 5, 4}, {100, 10, 10}};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++) {
        const SheetGrid grid = grid_of(10, 10, 3, 4, squares[i].count, 0);
        cr_expect(grid.columns == squares[i].columns && grid.rows == squares[i].rows, "%zu",
                  squares[i].count);
    }
    SheetGrid grid = grid_of(20, 5, 0, 0, 16, 0);
    expect_grid(&grid, 2, 8, 40, 40);
    grid = grid_of(5, 20, 0, 0, 16, 0);
    expect_grid(&grid, 8, 2, 40, 40);
}

Test(montage, any_count_gets_the_fewest_columns)
{
    for (size_t count = 1; count < 60; count++)
        for (int32_t height = 1; height < 9; height++) {
            const SheetGrid grid = grid_of(4, height, 1, 2, count, 0);
            cr_assert(grid.width >= grid.height || grid.columns == (int64_t)count);
            cr_assert_geq(grid.columns * grid.rows, (int64_t)count);
            cr_assert_lt((grid.rows - 1) * grid.columns, (int64_t)count);
            if (grid.columns > 1) {
                const SheetGrid fewer = grid_of(4, height, 1, 2, count, (int32_t)grid.columns - 1);
                cr_assert_lt(fewer.width, fewer.height);
            }
        }
}

Test(montage, sheets_that_are_too_large_are_rejected)
{
    SheetGrid grid = {.cell_width = INT32_MAX, .cell_height = 1, .spacing = 1};
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(sheet_grid_fit(&grid, 2, 2, UINT64_MAX, &err), IMG_E_LIMIT);
    cr_expect_not_null(strstr(err.message, "4294967295 x 1 pixels"), "%s", err.message);
    cr_expect_eq(sheet_grid_fit(&grid, 1, 0, UINT64_MAX, &err), IMG_OK);
    grid.margin = 1;
    cr_expect_eq(sheet_grid_fit(&grid, 1, 0, UINT64_MAX, &err), IMG_E_LIMIT);
    grid = (SheetGrid){.cell_width = 10, .cell_height = 10};
    cr_expect_eq(sheet_grid_fit(&grid, 3, 3, 300, &err), IMG_OK);
    err = (ImgError){IMG_OK, ""};
    cr_expect_eq(sheet_grid_fit(&grid, 3, 3, 299, &err), IMG_E_LIMIT);
    cr_expect_not_null(strstr(err.message, "--max-pixels"), "%s", err.message);
}

static void expect_place(const SheetGrid *grid, size_t number, int32_t gravity, int32_t x,
                         int32_t y)
{
    const ImgPlace place = sheet_grid_place(grid, number, gravity, 4, 6);
    cr_expect(place.x == x && place.y == y, "%zu: %d, %d", number, place.x, place.y);
}

Test(montage, cells_are_filled_row_by_row)
{
    const SheetGrid grid = grid_of(10, 7, 2, 5, 5, 3);
    expect_place(&grid, 0, IMG_GRAVITY_NORTHWEST, 5, 5);
    expect_place(&grid, 1, IMG_GRAVITY_NORTHWEST, 17, 5);
    expect_place(&grid, 2, IMG_GRAVITY_CENTER, 29 + 3, 5);
    expect_place(&grid, 3, IMG_GRAVITY_SOUTHEAST, 5 + 6, 14 + 1);
    expect_place(&grid, 4, IMG_GRAVITY_EAST, 17 + 6, 14);
}

/* --- Pixels ----------------------------------------------------------------------------------- */

static const ImgRgba orange = {255 * 257, 128 * 257, 0, 65535};
static const ImgRgba faint = {10 * 257, 20 * 257, 30 * 257, 128 * 257};

Test(montage, the_background_fills_only_the_sheet)
{
    uint8_t pixels[2 * 8];
    memset(pixels, 7, sizeof pixels);
    const ImgView sheet = img_view_make(pixels, 8, (ImgShape){2, 2, sheet_format(orange)});
    sheet_clear(&sheet, orange);
    static const uint8_t wanted[] = {255, 128, 0, 255, 128, 0, 7, 7,
                                     255, 128, 0, 255, 128, 0, 7, 7};
    cr_expect_arr_eq(pixels, wanted, sizeof wanted);
    cr_expect_eq(sheet_format(orange).color, IMG_COLOR_RGB);
    cr_expect_eq(sheet_format(faint).color, IMG_COLOR_RGBA);
}

/* Draws one row of pixels on a sheet with this background. `result` gets the pixels of the
 * sheet. */
static void lay(ImgColor color, const uint8_t *samples, int32_t width, ImgRgba background,
                uint8_t *result)
{
    uint8_t copy[16];
    const ImgShape shape = {width, 1, {color, 8}};
    const size_t row = (size_t)width * img_format_pixel_size(shape.format);
    memcpy(copy, samples, row);
    const ImgView picture = img_view_make(copy, row, shape);
    const ImgFormat format = sheet_format(background);
    const ImgView sheet = img_view_make(result, (size_t)width * img_format_pixel_size(format),
                                        (ImgShape){width, 1, format});
    sheet_clear(&sheet, background);
    sheet_lay(&sheet, &picture);
}

Test(montage, gray_becomes_rgb)
{
    uint8_t result[8];
    lay(IMG_COLOR_GRAY, (const uint8_t[]){0, 200}, 2, orange, result);
    cr_expect_arr_eq(result, ((const uint8_t[]){0, 0, 0, 200, 200, 200}), 6);
    lay(IMG_COLOR_RGB, (const uint8_t[]){1, 2, 3}, 1, faint, result);
    cr_expect_arr_eq(result, ((const uint8_t[]){1, 2, 3, 255}), 4);
}

/* Over an opaque background the result is half of 100 plus half of the background. Over a
 * background with alpha 128, alpha becomes 128 + 128 * 127 / 255 = 191.7. Red becomes (100 * 128 +
 * 10 * 63.75) / 191.75 = 70.08. */
Test(montage, transparent_pixels_show_the_background)
{
    uint8_t result[12];
    static const uint8_t gray[] = {100, 128, 9, 0, 50, 255};
    lay(IMG_COLOR_GRAY_ALPHA, gray, 3, orange, result);
    cr_expect_arr_eq(result, ((const uint8_t[]){177, 114, 50, 255, 128, 0, 50, 50, 50}), 9);
    static const uint8_t rgba[] = {100, 100, 100, 128, 1, 2, 3, 0};
    lay(IMG_COLOR_RGBA, rgba, 2, faint, result);
    cr_expect_arr_eq(result, ((const uint8_t[]){70, 73, 77, 192, 10, 20, 30, 128}), 8);
}

Test(montage, cell_sizes_are_parsed)
{
    int32_t width = 1, height = 2;
    cr_expect(img_amount_parse_pixels("320x240", &width, &height));
    cr_expect(width == 320 && height == 240);
    cr_expect(img_amount_parse_pixels("77", &width, &height));
    cr_expect(width == 77 && height == 77);
    cr_expect_not(img_amount_parse_pixels("77x", &width, &height));
    cr_expect_not(img_amount_parse_pixels("0", &width, &height));
    cr_expect(width == 77 && height == 77);
}
