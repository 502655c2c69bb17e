#include "app/tiles/tile_grid.h"

#include <stdbool.h>
#include <string.h>

#include "kernels/core/minmax.h"

static bool parse_side(const char *text, size_t length, int32_t *side)
{
    int64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || value > INT32_MAX)
            return false;
        value = 10 * value + (text[i] - '0');
    }
    *side = (int32_t)value;
    return length > 0 && value >= 1 && value <= INT32_MAX;
}

ImgStatus tile_grid_parse(const char *size, int32_t overlap, TileGrid *grid, ImgError *err)
{
    const size_t before = strcspn(size, "x"), length = strlen(size);
    *grid = (TileGrid){.overlap = overlap};
    bool valid = parse_side(size, before, &grid->width);
    grid->height = grid->width;
    if (valid && before < length)
        valid = parse_side(size + before + 1, length - before - 1, &grid->height);
    if (!valid)
        return img_fail(err, IMG_E_USAGE,
                        "invalid --size '%s'; use WxH or W, in pixels, such as 256x256", size);
    if (overlap >= grid->width || overlap >= grid->height)
        return img_fail(err, IMG_E_USAGE,
                        "an --overlap of %d leaves nothing of tiles of %d x %d; use a smaller one",
                        overlap, grid->width, grid->height);
    return IMG_OK;
}

static int64_t count_along(int64_t size, int64_t tile, int64_t overlap)
{
    const int64_t step = tile - overlap;
    return size <= tile ? 1 : (size - overlap + step - 1) / step;
}

void tile_grid_fit(TileGrid *grid, ImgShape picture)
{
    grid->columns = count_along(picture.width, grid->width, grid->overlap);
    grid->rows = count_along(picture.height, grid->height, grid->overlap);
}

TilePlace tile_grid_place(const TileGrid *grid, ImgShape picture, int64_t number)
{
    const int64_t x = number % grid->columns * (grid->width - grid->overlap);
    const int64_t y = number / grid->columns * (grid->height - grid->overlap);
    return (TilePlace){.x = (int32_t)x,
                       .y = (int32_t)y,
                       .width = img_min32(grid->width, picture.width - (int32_t)x),
                       .height = img_min32(grid->height, picture.height - (int32_t)y)};
}
