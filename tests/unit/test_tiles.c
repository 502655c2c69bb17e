/* Tests of the positions and names of tiles. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "app/tiles/tile_grid.h"
#include "app/tiles/tile_names.h"
#include "kernels/resize/resize.h"

static TileGrid grid_of(const char *size, int32_t overlap, int32_t width, int32_t height)
{
    TileGrid grid;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(tile_grid_parse(size, overlap, &grid, &err), IMG_OK, "%s", err.message);
    tile_grid_fit(&grid, (ImgShape){width, height, {IMG_COLOR_RGB, 8}});
    return grid;
}

static void expect_place(const TileGrid *grid, int32_t width, int32_t height, int64_t number,
                         TilePlace wanted)
{
    const TilePlace place =
        tile_grid_place(grid, (ImgShape){width, height, {IMG_COLOR_RGB, 8}}, number);
    cr_expect_eq(place.x, wanted.x, "%d", place.x);
    cr_expect_eq(place.y, wanted.y, "%d", place.y);
    cr_expect_eq(place.width, wanted.width, "%d", place.width);
    cr_expect_eq(place.height, wanted.height, "%d", place.height);
}

Test(tiles, tiles_are_ordered_row_by_row)
{
    TileGrid grid = grid_of("4x3", 0, 10, 6);
    cr_expect_eq(grid.columns, 3);
    cr_expect_eq(grid.rows, 2);
    expect_place(&grid, 10, 6, 0, (TilePlace){0, 0, 4, 3});
    expect_place(&grid, 10, 6, 2, (TilePlace){8, 0, 2, 3});
    expect_place(&grid, 10, 6, 4, (TilePlace){4, 3, 4, 3});
    grid = grid_of("100", 0, 10, 6);
    cr_expect_eq(grid.columns * grid.rows, 1);
    expect_place(&grid, 10, 6, 0, (TilePlace){0, 0, 10, 6});
}

/* With an overlap of one pixel, a side of 10 pixels has the tiles 0-3, 3-6 and 6-9. A fourth tile
 * would only have pixel 9, which the third tile already has. */
Test(tiles, neighbours_overlap)
{
    TileGrid grid = grid_of("4", 1, 10, 4);
    cr_expect_eq(grid.columns, 3);
    cr_expect_eq(grid.rows, 1);
    expect_place(&grid, 10, 4, 1, (TilePlace){3, 0, 4, 4});
    expect_place(&grid, 10, 4, 2, (TilePlace){6, 0, 4, 4});
    grid = grid_of("4", 1, 11, 4);
    cr_expect_eq(grid.columns, 4);
    expect_place(&grid, 11, 4, 3, (TilePlace){9, 0, 2, 4});
    grid = grid_of("4", 3, 4, 5);
    cr_expect_eq(grid.columns, 1);
    cr_expect_eq(grid.rows, 2);
    grid = grid_of("2147483647x1", 0, 2147483647, 3);
    cr_expect_eq(grid.columns, 1);
    cr_expect_eq(grid.rows, 3);
}

/* Every pixel must be in a tile, and no tile may lie inside the previous tile. */
Test(tiles, tiles_cover_all_pixels_once_or_overlap)
{
    for (int32_t size = 1; size <= 5; size++)
        for (int32_t overlap = 0; overlap < size; overlap++)
            for (int32_t width = 1; width <= 23; width++) {
                char text[8] = {(char)('0' + size)};
                const TileGrid grid = grid_of(text, overlap, width, 1);
                int32_t end = 0;
                for (int64_t i = 0; i < grid.columns; i++) {
                    const TilePlace place =
                        tile_grid_place(&grid, (ImgShape){width, 1, {IMG_COLOR_GRAY, 8}}, i);
                    cr_assert_leq(place.x, end);
                    cr_assert_gt(place.x + place.width, end);
                    end = place.x + place.width;
                }
                cr_assert_eq(end, width);
            }
}

/* A picture of 10 x 5 has tiles of 4 x 4 with a margin of one pixel on each side. The tiles of a
 * row have the columns 0 to 4, 3 to 8 and 7 to 9. */
Test(tiles, margins_come_from_neighbours)
{
    TileGrid grid = {.width = 4, .height = 4, .margin = 1};
    tile_grid_fit(&grid, (ImgShape){10, 5, {IMG_COLOR_RGB, 8}});
    cr_expect_eq(grid.columns, 3);
    cr_expect_eq(grid.rows, 2);
    expect_place(&grid, 10, 5, 0, (TilePlace){0, 0, 5, 5});
    expect_place(&grid, 10, 5, 1, (TilePlace){3, 0, 6, 5});
    expect_place(&grid, 10, 5, 5, (TilePlace){7, 3, 3, 2});
    grid = (TileGrid){.width = INT32_MAX - 1, .height = 1, .margin = 1};
    tile_grid_fit(&grid, (ImgShape){INT32_MAX, 1, {IMG_COLOR_GRAY, 8}});
    expect_place(&grid, INT32_MAX, 1, 0, (TilePlace){0, 0, INT32_MAX, 1});
    expect_place(&grid, INT32_MAX, 1, 1, (TilePlace){INT32_MAX - 2, 0, 2, 1});
}

Test(tiles, invalid_sizes_are_rejected)
{
    static const char *const wrong[] = {"",
                                        "x",
                                        "0",
                                        "4x",
                                        "x4",
                                        "-4",
                                        "4x0",
                                        "4x4x4",
                                        "4,4",
                                        "2147483648",
                                        "99999999999999999999",
                                        " 4"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        TileGrid grid;
        ImgError err = {IMG_OK, ""};
        cr_expect_eq(tile_grid_parse(wrong[i], 0, &grid, &err), IMG_E_USAGE, "%s", wrong[i]);
        cr_expect_not_null(strstr(err.message, "such as 256x256"));
    }
    TileGrid grid;
    cr_expect_eq(tile_grid_parse("4x3", 3, &grid, NULL), IMG_E_USAGE);
}

static void expect_name(const char *pattern, const char *wanted)
{
    const TileValues last = {1000, 999, 10, 9, 110, NULL, NULL};
    const TileValues values = {512, 64, 2, 1, 7, &last, "scans/page 1.a.png"};
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(tile_pattern_check(pattern, &err), IMG_OK, "%s", err.message);
    char *name = tile_name(pattern, &values);
    cr_expect_str_eq(name, wanted);
    free(name);
}

Test(tiles, names_follow_the_pattern)
{
    expect_name("out/{y}-{x}.png", "out/064-0512.png");
    expect_name("{row}/{column}.png", "1/02.png");
    expect_name("{number}", "007");
    expect_name("{{x}}{x}{x}{x}", "{x}051205120512");
    expect_name("", "");
    expect_name("{stem}|{name}", "page 1.a|page 1.a.png");
    const TileValues large = {INT64_MAX, INT64_MAX, 0, 0, 0, NULL, ""};
    char *name = tile_name("{x}{y}{x}{y}", &large);
    cr_expect_eq(strlen(name), 4 * strlen("9223372036854775807"));
    free(name);
}

static void expect_stem(const char *input, const char *wanted)
{
    const TileValues values = {.input = input};
    char *name = tile_name("{stem}", &values);
    cr_expect_str_eq(name, wanted);
    free(name);
}

Test(tiles, a_stem_is_the_name_without_extension)
{
    expect_stem("a.png", "a");
    expect_stem("x.y/a", "a");
    expect_stem(".png", ".png");
    expect_stem("-", "-");
    expect_stem("a/", "");
}

Test(tiles, patterns_for_several_pictures_must_be_unique)
{
    static const char *const right[] = {"{stem}-{x}.png", "{x}/{y}/{name}", "{stem}",
                                        "a1{stem}1{name}2.png", "{x}{y}-{stem}{name}x{number}"};
    static const char *const wrong[] = {
        "{x}{stem}", "{stem}12{x}",        "{name}0{number}", "{x}-{y}",
        "",          "{number}{stem}-{x}", "{stem}-{x}{stem}"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        cr_expect_eq(tile_pattern_check_many(right[i], NULL), IMG_OK, "%s", right[i]);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ImgError err = {IMG_OK, ""};
        cr_expect_eq(tile_pattern_check_many(wrong[i], &err), IMG_E_USAGE, "%s", wrong[i]);
        cr_expect_not_null(strstr(err.message, "put "), "%s", err.message);
    }
}

Test(tiles, patterns_are_put_into_a_directory)
{
    static const char *const patterns[][2] = {{"out", "out/{stem}-{row}-{column}.png"},
                                              {"/", "/{stem}-{row}-{column}.png"},
                                              {"a{b}/", "a{{b}}/{stem}-{row}-{column}.png"}};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        char *pattern = tile_pattern_in(patterns[i][0], "{stem}-{row}-{column}.png");
        cr_expect_str_eq(pattern, patterns[i][1]);
        free(pattern);
    }
}

Test(tiles, fields_that_differ_between_tiles_are_known)
{
    cr_expect(tile_pattern_names_tile("{stem}/{x}"));
    cr_expect(tile_pattern_names_tile("{number}"));
    cr_expect_not(tile_pattern_names_tile("{stem}-{name}"));
    cr_expect_not(tile_pattern_names_tile("a{{x}}"));
}

/* The levels of a picture of 5 x 3 are 3 x 2, 2 x 1 and 1 x 1. They have 8 bits even if the picture
 * has 1 bit, because the mean of black and white is gray. */
Test(tiles, levels_of_a_pyramid_halve_the_size)
{
    static const int32_t sides[][2] = {{5, 3}, {3, 2}, {2, 1}, {1, 1}};
    ImgShape levels[PYRAMID_LEVELS_MAX];
    ImgError err = {IMG_OK, ""};
    ImgStep halve;
    int count = 0;
    cr_assert_eq(pyramid_step(&halve, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(
        pyramid_levels(&halve, (ImgShape){5, 3, {IMG_COLOR_GRAY, 1}}, levels, &count, &err), IMG_OK,
        "%s", err.message);
    cr_assert_eq(count, 4);
    for (int i = 0; i < count; i++) {
        cr_expect_eq(levels[i].width, sides[i][0]);
        cr_expect_eq(levels[i].height, sides[i][1]);
        cr_expect_eq(levels[i].format.bits, i == 0 ? 1 : 8);
    }
    const ImgShape longest = {IMG_RESIZE_LONGEST, 1, {IMG_COLOR_GRAY, 8}};
    cr_expect_eq(pyramid_levels(&halve, longest, levels, &count, NULL), IMG_OK);
    /* The widths of the levels are 2^30 - 1, 2^29, ... 1. */
    cr_expect_eq(count, 31);
    const ImgShape longer = {INT32_MAX, 1, {IMG_COLOR_GRAY, 8}};
    cr_expect_eq(pyramid_levels(&halve, longer, levels, &count, NULL), IMG_E_UNSUPPORTED);
    cr_expect_leq(count, PYRAMID_LEVELS_MAX);
}

static void expect_pyramid(const char *operand, const char *wanted)
{
    char *pattern = pyramid_pattern(operand);
    cr_expect_str_eq(pattern, wanted);
    free(pattern);
}

Test(tiles, names_of_a_pyramid_follow_the_operand)
{
    expect_pyramid("none/zoom", "none/zoom");
    expect_pyramid("none/zoom.dzi", "none/zoom");
    expect_pyramid("none/.dzi", "none/.dzi");
    expect_pyramid(".dzi", ".dzi");
    expect_pyramid("none/{stem}", "none/{stem}");
    expect_pyramid("no{ne/", "no{{ne/{stem}");
    expect_pyramid("", "");
    char *tiles = pyramid_tiles_pattern("a/{stem}", 12), *file = pyramid_descriptor_pattern("a");
    cr_expect_str_eq(tiles, "a/{stem}_files/12/{column}_{row}.png");
    cr_expect_str_eq(file, "a.dzi");
    free(tiles);
    free(file);
}

Test(tiles, invalid_patterns_are_rejected)
{
    static const char *const wrong[] = {"a{", "a}b", "{z}", "{x", "{{{", "{X}", "{x }"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ImgError err = {IMG_OK, ""};
        cr_expect_eq(tile_pattern_check(wrong[i], &err), IMG_E_USAGE, "%s", wrong[i]);
        cr_expect_not_null(strstr(err.message, "column"), "%s", err.message);
    }
}
